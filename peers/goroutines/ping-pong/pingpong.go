// ping-pong: a message goes to and fro between two goroutines; all pairs play at once.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type ball struct{}

type player struct {
	mailbox  chan *ball
	received uint64 // once it has ended
}

func main() {
	work := workload.BeginPingPong(system.Goroutines())
	players := make([]player, 2*work.Pairs) // two a pair, next to each other; the first of a pair serves
	for i := range players {
		players[i].mailbox = make(chan *ball, 1) // a pair has one message
	}
	var running sync.WaitGroup
	for i := range players {
		running.Add(1)
		go func() {
			defer running.Done()
			players[i].play(players[i^1].mailbox, work.Rounds, i%2 == 0)
		}()
	}

	message := new(ball)
	work.Start()
	for i := range work.Pairs {
		players[2*i+1].mailbox <- message // as if the first had served
	}
	running.Wait()
	work.Stop()
	work.End(func(player uint64) uint64 { return players[player].received })
}

// play returns each ball to the partner, until that of the last round: the one who serves keeps it.
func (p *player) play(partner chan<- *ball, rounds uint64, serves bool) {
	received := uint64(0)
	for message := range p.mailbox {
		received++
		last := received == rounds
		if !last || !serves {
			partner <- message
		}
		if last {
			break
		}
	}
	p.received = received
}
