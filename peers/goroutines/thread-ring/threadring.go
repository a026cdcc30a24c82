// thread-ring: a token goes round a ring of goroutines.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type token struct {
	hopsLeft uint64
}

type node struct {
	mailbox  chan token
	received uint64 // once it has ended
}

func main() {
	work := workload.BeginThreadRing(system.Goroutines())
	nodes := make([]node, work.Actors)
	for i := range nodes {
		nodes[i].mailbox = make(chan token, 1) // the ring has one message
	}
	var running sync.WaitGroup
	for i := range nodes {
		running.Add(1)
		go func() {
			defer running.Done()
			nodes[i].pass(work, nodes[(i+1)%len(nodes)].mailbox)
		}()
	}

	work.Start()
	nodes[0].mailbox <- token{work.Hops}
	running.Wait()
	work.End(func(actor uint64) uint64 { return nodes[actor].received })
}

// pass sends the token on. Who makes the last hop closes the next one's mailbox, which so closes the one after, and so on.
func (n *node) pass(work *workload.ThreadRing, next chan token) {
	received := uint64(0)
	for message := range n.mailbox {
		received++
		message.hopsLeft--
		if message.hopsLeft == 0 {
			work.Stop()
			break
		}
		next <- message
	}
	n.received = received
	close(next)
}
