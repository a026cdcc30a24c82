// philosophers: goroutines ask an arbitrator for their two forks until they get them, and eat.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type kind int

const (
	hungry kind = iota
	done        // with a meal
	leave       // with the last
)

// To the arbitrator.
type message struct {
	kind kind
	from uint64
}

// To a philosopher, and first from main: it is to ask.
type answer int

const (
	ask answer = iota
	denied
	eat
)

func main() {
	work := workload.BeginPhilosophers(system.Goroutines())
	arbitrator := make(chan message, 3*work.Philosophers) // from each the last meal's end, that it leaves or is hungry
	table := make([]chan answer, work.Philosophers)
	for i := range table {
		table[i] = make(chan answer, 1)
	}
	var running sync.WaitGroup
	running.Add(1)
	go func() {
		defer running.Done()
		arbitrate(work, arbitrator, table)
	}()
	for i := range table {
		running.Add(1)
		go func() {
			defer running.Done()
			dine(work, uint64(i), table[i], arbitrator)
		}()
	}

	work.Start()
	for _, philosopher := range table {
		philosopher <- ask
	}
	running.Wait()
	work.Stop()
	work.End()
}

// dine is a philosopher, who asks again at once when it is denied.
func dine(work *workload.Philosophers, number uint64, answers <-chan answer, arbitrator chan<- message) {
	left := work.Meals
	for received := range answers {
		if received == eat {
			work.Eat(number)
			arbitrator <- message{done, number}
			left--
			if left == 0 {
				break
			}
		}
		arbitrator <- message{hungry, number}
	}
	arbitrator <- message{leave, number}
}

// arbitrate gives and takes back forks until all have left.
func arbitrate(work *workload.Philosophers, messages <-chan message, table []chan answer) {
	left := work.Philosophers
	for received := range messages {
		switch received.kind {
		case hungry:
			if work.Give(received.from) {
				table[received.from] <- eat
			} else {
				table[received.from] <- denied
			}
		case done:
			work.TakeBack(received.from)
		case leave:
			left--
		}
		if left == 0 {
			break
		}
	}
}
