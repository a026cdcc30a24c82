// static: one actor receives one message over and over; from itself, or from main.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

type parcel struct{}

type receiver struct {
	work     *workload.Static
	received uint64
	done     chan struct{}
}

func (r *receiver) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *parcel:
		r.received++
		if r.received == r.work.Sends {
			ctx.Stop(ctx.Self())
		} else if !r.work.FromMain {
			ctx.Send(ctx.Self(), message)
		}
	case *actor.Stopped:
		close(r.done)
	}
}

func main() {
	work := workload.BeginStatic(system.ProtoActor())
	root := system.Start()
	self := &receiver{work: work, done: make(chan struct{})}
	pid := root.Spawn(system.Props(func() actor.Actor { return self }, 1024))
	message := new(parcel)

	work.Start()
	if work.FromMain {
		for range work.Sends {
			root.Send(pid, message)
		}
	} else {
		root.Send(pid, message)
	}
	<-self.done
	work.Stop()
	work.End(self.received)
}
