// dynamic: a new goroutine with a new channel receives a new message, and ends; for every send.
package main

import (
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type parcel struct {
	number uint64 // of the send, from 1
}

// What all actors have in common.
type actors struct {
	sends           uint64
	chain           uint64 // the number up to which each behaviour sends the next message
	received, ended atomic.Uint64
	finished        chan struct{} // closed by the last one's end
}

func main() {
	work := workload.BeginDynamic(system.Goroutines())
	all := &actors{sends: work.Sends, chain: work.Sends, finished: make(chan struct{})}
	if work.FromMain {
		all.chain = 0
	}

	work.Start()
	if work.FromMain {
		for number := range work.Sends {
			all.send(number + 1)
		}
	} else {
		all.send(1)
	}
	<-all.finished
	work.Stop()
	work.End(all.received.Load(), all.ended.Load())
}

// send makes an actor and a message for it.
func (a *actors) send(number uint64) {
	mailbox := make(chan parcel, 1) // so that nobody waits for the actor to begin
	go a.receive(mailbox)
	mailbox <- parcel{number}
}

func (a *actors) receive(mailbox <-chan parcel) {
	message := <-mailbox
	a.received.Add(1)
	if message.number < a.chain {
		a.send(message.number + 1)
	}
	if a.ended.Add(1) == a.sends {
		close(a.finished)
	}
}
