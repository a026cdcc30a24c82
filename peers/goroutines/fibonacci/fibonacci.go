// fibonacci: goroutines compute a Fibonacci number by its recursion, a goroutine a call.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

func main() {
	work := workload.BeginFibonacci(system.Goroutines())
	answer := make(chan uint64, 1)

	work.Start()
	for range work.Trees {
		go add(work.Number, answer)
		work.Take(<-answer)
	}
	work.Stop()
	work.End()
}

// add answers with a Fibonacci number. Its question is what it is started with; its mailbox is for the answers of two more.
func add(number uint64, answer chan<- uint64) {
	if number <= 2 {
		answer <- 1
		return
	}
	mailbox := make(chan uint64, 2)
	go add(number-1, mailbox)
	go add(number-2, mailbox)
	answer <- <-mailbox + <-mailbox
}
