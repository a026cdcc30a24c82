// big: each goroutine of a group pings others at random, one ping at a time.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type kind int

const (
	begin kind = iota
	ping
	pong
)

// What a member receives: a ping or pong says whose it is.
type message struct {
	kind kind
	from *member
}

type member struct {
	number  uint64
	mailbox chan message
	tally   workload.Tally // once it has ended
}

func main() {
	work := workload.BeginBig(system.Goroutines())
	members := make([]*member, work.Actors)
	for i := range members {
		// One ping of each other member at most, a pong, and the first message: a mailbox that holds as many is never
		// full. With a smaller one, members that send to each other's full mailboxes would wait for ever.
		members[i] = &member{number: uint64(i), mailbox: make(chan message, work.Actors+1)}
	}
	finished := make(chan struct{}, work.Actors)
	var running sync.WaitGroup
	running.Add(len(members) + 1)
	for _, each := range members {
		go func() {
			defer running.Done()
			each.play(work, members, finished)
		}()
	}
	go func() { // the sink: when it has heard of all, nothing is in flight any more
		defer running.Done()
		for range members {
			<-finished
		}
		work.Stop()
		for _, each := range members {
			close(each.mailbox)
		}
	}()

	work.Start()
	for _, each := range members {
		each.mailbox <- message{kind: begin}
	}
	running.Wait()
	work.End(func(actor uint64) workload.Tally { return members[actor].tally })
}

// play asks and answers until the mailbox is closed; it says when all its pongs have come.
func (m *member) play(work *workload.Big, members []*member, finished chan<- struct{}) {
	var tally workload.Tally
	var asked *member // whose pong is due
	ask := func() {
		asked = members[work.Recipient(m.number, tally.Sent)]
		tally.Sent++
		asked.mailbox <- message{ping, m}
	}
	for received := range m.mailbox {
		switch received.kind {
		case ping:
			tally.Pinged++
			received.from.mailbox <- message{pong, m}
		case pong:
			if received.from != asked {
				tally.Wrong++
			}
			if tally.Sent < work.Pings {
				ask()
			} else {
				finished <- struct{}{}
			}
		case begin:
			ask()
		}
	}
	m.tally = tally
}
