// counting: a goroutine streams increments to a counter, then asks it for its count.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// An increment; the last message asks for the count, and says where to.
type message struct {
	answer chan<- uint64
}

// How far the producer may be ahead.
const mailboxSize = 1024

func main() {
	work := workload.BeginCounting(system.Goroutines())
	mailbox := make(chan message, mailboxSize)
	go count(mailbox)
	start, counted := make(chan struct{}), make(chan uint64)
	go func() {
		<-start
		counted <- produce(work, mailbox)
	}()

	work.Start()
	start <- struct{}{}
	work.End(<-counted)
}

// produce is the producer; its result is the counter's answer.
func produce(work *workload.Counting, counter chan<- message) uint64 {
	for range work.Messages {
		counter <- message{}
	}
	answer := make(chan uint64, 1)
	counter <- message{answer}
	found := <-answer
	work.Stop()
	return found
}

// count is the counter.
func count(mailbox <-chan message) {
	found := uint64(0)
	for one := range mailbox {
		if one.answer != nil {
			one.answer <- found
			return
		}
		found++
	}
}
