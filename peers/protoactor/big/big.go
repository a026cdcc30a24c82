// big: each actor of a group pings others at random, one ping at a time.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to every member.
type begin struct{}

// Each member has one of either, for all that it sends; they say whose they are.
type ping struct{ from uint64 }
type pong struct{ from uint64 }

// From a member to the sink: all its pongs have come.
type done struct{}

type member struct {
	work    *workload.Big
	group   []*actor.PID
	sink    *actor.PID
	ping    *ping
	pong    *pong
	asked   uint64 // whose pong is due
	tally   workload.Tally
	running *sync.WaitGroup
}

func (m *member) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *ping:
		m.tally.Pinged++
		ctx.Send(m.group[message.from], m.pong)
	case *pong:
		if message.from != m.asked {
			m.tally.Wrong++
		}
		if m.tally.Sent < m.work.Pings {
			m.ask(ctx)
		} else {
			ctx.Send(m.sink, new(done))
		}
	case *begin:
		m.ask(ctx)
	case *actor.Stopped:
		m.running.Done()
	}
}

func (m *member) ask(ctx actor.Context) {
	m.asked = m.work.Recipient(m.ping.from, m.tally.Sent)
	m.tally.Sent++
	ctx.Send(m.group[m.asked], m.ping)
}

// Hears of each who has had all its pongs; the others go on answering. Then nothing is in flight any more.
type sink struct {
	work    *workload.Big
	group   []*actor.PID
	missing int
}

func (s *sink) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*done); !ok {
		return
	}
	s.missing--
	if s.missing != 0 {
		return
	}
	s.work.Stop()
	for _, pid := range s.group {
		ctx.Stop(pid)
	}
	ctx.Stop(ctx.Self())
}

func main() {
	work := workload.BeginBig(system.ProtoActor())
	root := system.Start()
	members := make([]*member, work.Actors)
	pids := make([]*actor.PID, work.Actors)
	var running sync.WaitGroup
	running.Add(len(members))
	end := root.Spawn(system.Props(func() actor.Actor { return &sink{work, pids, len(pids)} }, work.Actors))
	for i := range members {
		members[i] = &member{
			work: work, group: pids, sink: end, ping: &ping{uint64(i)}, pong: &pong{uint64(i)}, running: &running,
		}
		// One ping of each other member at most, a pong, and the first message.
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return members[i] }, work.Actors+1))
	}

	message := new(begin)
	work.Start()
	for _, pid := range pids {
		root.Send(pid, message)
	}
	running.Wait()
	work.End(func(actor uint64) workload.Tally { return members[actor].tally })
}
