// radix-sort: numbers go down a chain of goroutines, each of which sorts them by a bit.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// How far a goroutine of the chain may be ahead of the next one.
const mailboxSize = 1024

func main() {
	work := workload.BeginRadixSort(system.Goroutines())
	chain := make([]chan uint64, work.Bits+1) // the sorters' mailboxes, by bit, and the collector's
	for i := range chain {
		chain[i] = make(chan uint64, mailboxSize)
	}
	var running sync.WaitGroup
	running.Add(len(chain) + 1)
	start := make(chan struct{})
	go func() { // the source
		defer running.Done()
		<-start
		for i := range work.Numbers {
			chain[0] <- work.Draw(i)
		}
	}()
	for bit := range work.Bits {
		go func() {
			defer running.Done()
			sort(bit, work.Numbers, chain[bit], chain[bit+1])
		}()
	}
	go func() { // the collector
		defer running.Done()
		for number := range chain[work.Bits] {
			if work.Take(number) {
				break
			}
		}
	}()

	work.Start()
	start <- struct{}{}
	running.Wait()
	work.Stop()
	work.End()
}

// sort passes on at once what has a 0 for its bit, and keeps back what has a 1 until all have come.
func sort(bit, missing uint64, numbers <-chan uint64, next chan<- uint64) {
	var kept []uint64
	for number := range numbers {
		if number>>bit&1 == 0 {
			next <- number
		} else {
			kept = append(kept, number)
		}
		missing--
		if missing == 0 {
			break
		}
	}
	for _, number := range kept {
		next <- number
	}
}
