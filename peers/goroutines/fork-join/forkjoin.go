// fork-join: one goroutine sends to many in turn.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type task struct{}

// How far the source may be ahead of a receiver.
const mailboxSize = 1024

type receiver struct {
	mailbox  chan task
	received uint64 // once it has ended
}

func main() {
	work := workload.BeginForkJoin(system.Goroutines())
	receivers := make([]receiver, work.Actors)
	var running sync.WaitGroup
	for i := range receivers {
		receivers[i].mailbox = make(chan task, mailboxSize)
		running.Add(1)
		go func() {
			defer running.Done()
			receivers[i].take(work.Messages)
		}()
	}
	start := make(chan struct{})
	go func() {
		<-start
		for range work.Messages {
			for i := range receivers {
				receivers[i].mailbox <- task{}
			}
		}
	}()

	work.Start()
	start <- struct{}{}
	running.Wait()
	work.Stop()
	work.End(func(actor uint64) uint64 { return receivers[actor].received })
}

// take receives until the last task has come.
func (r *receiver) take(last uint64) {
	received := uint64(0)
	for range r.mailbox {
		received++
		if received == last {
			break
		}
	}
	r.received = received
}
