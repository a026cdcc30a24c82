// producer-consumer: many goroutines stream to one.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type item struct {
	producer uint64
}

type turn struct{}

// How far the producers together may be ahead of the consumer.
const mailboxSize = 1024

func main() {
	work := workload.BeginProducerConsumer(system.Goroutines())
	items := make(chan item, mailboxSize)
	turns := make([]chan turn, work.Producers)
	var running sync.WaitGroup
	running.Add(1)
	go func() {
		defer running.Done()
		consume(work, items)
	}()
	for i := range turns {
		turns[i] = make(chan turn, 1) // a producer has one turn at a time
		running.Add(1)
		go func() {
			defer running.Done()
			produce(work, item{uint64(i)}, turns[i], items)
		}()
	}

	work.Start()
	for _, mailbox := range turns {
		mailbox <- turn{}
	}
	running.Wait()
	work.Stop()
	work.End()
}

// produce sends a batch at each turn, and itself the next turn.
func produce(work *workload.ProducerConsumer, product item, turns chan turn, items chan<- item) {
	left := work.Messages
	for message := range turns {
		portion := min(left, work.Batch)
		left -= portion
		for range portion {
			items <- product
		}
		if left == 0 {
			break
		}
		turns <- message
	}
}

// consume receives until the last item of all has come.
func consume(work *workload.ProducerConsumer, items <-chan item) {
	for product := range items {
		if work.Take(product.producer) {
			break
		}
	}
}
