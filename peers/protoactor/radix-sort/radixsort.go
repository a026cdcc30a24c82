// radix-sort: numbers go down a chain of actors, each of which sorts them by a bit.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the source.
type start struct{}

// One all the way, from the source to the collector.
type number struct{ value uint64 }

type source struct {
	work    *workload.RadixSort
	first   *actor.PID
	running *sync.WaitGroup
}

func (s *source) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *start:
		for i := range s.work.Numbers {
			ctx.Send(s.first, &number{s.work.Draw(i)})
		}
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		s.running.Done()
	}
}

// Passes on at once what has a 0 for its bit, and keeps back what has a 1 until all have come.
type sorter struct {
	bit     uint64
	missing uint64
	kept    []*number
	next    *actor.PID
	running *sync.WaitGroup
}

func (s *sorter) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *number:
		if message.value>>s.bit&1 == 0 {
			ctx.Send(s.next, message)
		} else {
			s.kept = append(s.kept, message)
		}
		s.missing--
		if s.missing != 0 {
			return
		}
		for _, one := range s.kept {
			ctx.Send(s.next, one)
		}
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		s.running.Done()
	}
}

type collector struct {
	work    *workload.RadixSort
	running *sync.WaitGroup
}

func (c *collector) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *number:
		if c.work.Take(message.value) {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		c.running.Done()
	}
}

func main() {
	work := workload.BeginRadixSort(system.ProtoActor())
	root := system.Start()
	var running sync.WaitGroup
	running.Add(int(work.Bits) + 2)
	next := root.Spawn(system.Props(func() actor.Actor { return &collector{work, &running} }, work.Numbers))
	for i := range work.Bits {
		one := &sorter{bit: work.Bits - 1 - i, missing: work.Numbers, next: next, running: &running}
		next = root.Spawn(system.Props(func() actor.Actor { return one }, work.Numbers))
	}
	from := root.Spawn(system.Props(func() actor.Actor { return &source{work, next, &running} }, 1))

	work.Start()
	root.Send(from, new(start))
	running.Wait()
	work.Stop()
	work.End()
}
