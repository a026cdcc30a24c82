// ping-pong: a message goes to and fro between two actors; all pairs play at once.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

type ball struct{}

type player struct {
	pair     []*actor.PID
	partner  int // its place in the pair
	received uint64
	rounds   uint64
	running  *sync.WaitGroup
}

// Receive returns each ball to the partner, until that of the last round: the first of a pair, who serves, keeps it.
func (p *player) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *ball:
		p.received++
		last, serves := p.received == p.rounds, p.partner == 1
		if !last || !serves {
			ctx.Send(p.pair[p.partner], message)
		}
		if last {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		p.running.Done()
	}
}

func main() {
	work := workload.BeginPingPong(system.ProtoActor())
	root := system.Start()
	players := make([]*player, 2*work.Pairs) // two a pair, next to each other
	pids := make([]*actor.PID, len(players))
	var running sync.WaitGroup
	running.Add(len(players))
	for i := range players {
		first := i &^ 1
		players[i] = &player{pair: pids[first : first+2], partner: 1 - i%2, rounds: work.Rounds, running: &running}
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return players[i] }, 1))
	}

	message := new(ball)
	work.Start()
	for i := 1; i < len(pids); i += 2 {
		root.Send(pids[i], message) // as if the first had served
	}
	running.Wait()
	work.Stop()
	work.End(func(player uint64) uint64 { return players[player].received })
}
