// concdict: goroutines read and write a dictionary that one of them keeps, each a request at a time.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type request struct {
	entity   uint64 // its number
	question workload.Question
	answer   chan<- uint64
}

func main() {
	work := workload.BeginConcDict(system.Goroutines())
	requests := make(chan request, work.Entities) // an entity has one at a time
	checksums := make([]uint64, work.Entities)
	starts := make([]chan struct{}, work.Entities)
	var running sync.WaitGroup
	running.Add(1)
	go func() {
		defer running.Done()
		keep(work, requests)
	}()
	for i := range starts {
		starts[i] = make(chan struct{}, 1)
		running.Add(1)
		go func() {
			defer running.Done()
			<-starts[i]
			checksums[i] = ask(work, uint64(i), requests)
		}()
	}

	work.Start()
	for _, start := range starts {
		start <- struct{}{}
	}
	running.Wait()
	work.Stop()
	work.End(func(entity uint64) uint64 { return checksums[entity] })
}

// keep is the keeper.
func keep(work *workload.ConcDict, requests <-chan request) {
	for asked := range requests {
		asked.answer <- work.Serve(asked.entity, asked.question)
		if work.IsDone() {
			break
		}
	}
}

// ask is an entity; its result is the checksum of the answers.
func ask(work *workload.ConcDict, entity uint64, keeper chan<- request) (checksum uint64) {
	answer := make(chan uint64, 1)
	for number := range work.Messages {
		keeper <- request{entity, work.Ask(entity, number), answer}
		checksum = workload.Sum(checksum, <-answer)
	}
	return checksum
}
