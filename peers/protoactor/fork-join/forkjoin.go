// fork-join: one source sends to many actors in turn.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the source.
type start struct{}

type task struct{}

type receiver struct {
	received uint64
	last     uint64 // the number of its last message
	running  *sync.WaitGroup
}

func (r *receiver) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *task:
		r.received++
		if r.received == r.last {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		r.running.Done()
	}
}

type source struct {
	receivers []*actor.PID
	messages  uint64 // to each
}

func (s *source) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*start); !ok {
		return
	}
	one := new(task)
	for range s.messages {
		for _, pid := range s.receivers {
			ctx.Send(pid, one)
		}
	}
	ctx.Stop(ctx.Self())
}

func main() {
	work := workload.BeginForkJoin(system.ProtoActor())
	root := system.Start()
	receivers := make([]*receiver, work.Actors)
	pids := make([]*actor.PID, work.Actors)
	var running sync.WaitGroup
	running.Add(len(receivers))
	for i := range receivers {
		receivers[i] = &receiver{last: work.Messages, running: &running}
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return receivers[i] }, work.Messages))
	}
	from := root.Spawn(system.Props(func() actor.Actor { return &source{pids, work.Messages} }, 1))

	work.Start()
	root.Send(from, new(start))
	running.Wait()
	work.Stop()
	work.End(func(actor uint64) uint64 { return receivers[actor].received })
}
