// executor: groups of goroutines whose members send to each other in turn.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type token struct{}

type member struct {
	mailbox  chan token
	received uint64 // once it has ended
}

func main() {
	work := workload.BeginExecutor(system.Goroutines())
	members := make([]member, work.Actors)
	for i := range members {
		// A member sends only what it has received, so that a group never has more messages than members: a mailbox
		// that can hold as many is never full, and nobody waits to send. With a smaller one, members that send to
		// each other's full mailboxes would wait for each other for ever.
		members[i].mailbox = make(chan token, work.Group)
	}
	var running sync.WaitGroup
	for i := range members {
		first := uint64(i) - uint64(i)%work.Group
		group := members[first : first+work.Group]
		running.Add(1)
		go func() {
			defer running.Done()
			members[i].pass(group, work.Messages)
		}()
	}

	message := token{}
	work.Start()
	for i := range members {
		members[i].mailbox <- message
	}
	running.Wait()
	work.Stop()
	work.End(func(actor uint64) uint64 { return members[actor].received })
}

// pass sends each message on to the next of the group, until the last has come.
func (m *member) pass(group []member, last uint64) {
	received, next := uint64(0), 0
	for message := range m.mailbox {
		received++
		if received == last {
			break
		}
		group[next].mailbox <- message
		next++
		if next == len(group) {
			next = 0
		}
	}
	m.received = received
}
