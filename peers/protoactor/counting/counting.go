// counting: a producer streams increments to a counter, then asks it for its count.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the producer.
type start struct{}

type increment struct{}

// From the producer to the counter.
type inquiry struct {
	from *actor.PID
}

// From the counter to the producer.
type answer struct {
	count uint64
}

type counter struct {
	count uint64
}

func (c *counter) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *increment:
		c.count++
	case *inquiry:
		ctx.Send(message.from, &answer{c.count})
		ctx.Stop(ctx.Self())
	}
}

type producer struct {
	work    *workload.Counting
	counter *actor.PID
	answer  chan uint64
}

func (p *producer) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *start:
		one := new(increment)
		for range p.work.Messages {
			ctx.Send(p.counter, one)
		}
		ctx.Send(p.counter, &inquiry{ctx.Self()})
	case *answer:
		p.work.Stop()
		p.answer <- message.count
		ctx.Stop(ctx.Self())
	}
}

func main() {
	work := workload.BeginCounting(system.ProtoActor())
	root := system.Start()
	// Nothing holds the producer back, so that a mailbox with a bound must have room for all.
	pid := root.Spawn(system.Props(func() actor.Actor { return new(counter) }, work.Messages+1))
	self := &producer{work, pid, make(chan uint64, 1)}
	client := root.Spawn(system.Props(func() actor.Actor { return self }, 1))

	work.Start()
	root.Send(client, new(start))
	work.End(<-self.answer)
}
