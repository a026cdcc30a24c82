// producer-consumer: many producers stream to one consumer.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// Each producer has one, for all its sends.
type item struct {
	producer uint64
}

// From a producer to itself.
type turn struct{}

type consumer struct {
	work    *workload.ProducerConsumer
	running *sync.WaitGroup
}

func (c *consumer) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *item:
		if c.work.Take(message.producer) {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		c.running.Done()
	}
}

type producer struct {
	consumer *actor.PID
	product  *item
	left     uint64
	batch    uint64
	running  *sync.WaitGroup
}

func (p *producer) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *turn:
		portion := min(p.left, p.batch)
		p.left -= portion
		for range portion {
			ctx.Send(p.consumer, p.product)
		}
		if p.left == 0 {
			ctx.Stop(ctx.Self())
		} else {
			ctx.Send(ctx.Self(), message)
		}
	case *actor.Stopped:
		p.running.Done()
	}
}

func main() {
	work := workload.BeginProducerConsumer(system.ProtoActor())
	root := system.Start()
	var running sync.WaitGroup
	running.Add(int(work.Producers) + 1)
	// Nothing holds the producers back, so that a mailbox with a bound must have room for all.
	pid := root.Spawn(system.Props(func() actor.Actor { return &consumer{work, &running} }, work.Producers*work.Messages))
	producers := make([]*actor.PID, work.Producers)
	for i := range producers {
		each := &producer{consumer: pid, product: &item{uint64(i)}, left: work.Messages, batch: work.Batch, running: &running}
		producers[i] = root.Spawn(system.Props(func() actor.Actor { return each }, 1))
	}

	message := new(turn)
	work.Start()
	for _, each := range producers {
		root.Send(each, message)
	}
	running.Wait()
	work.Stop()
	work.End()
}
