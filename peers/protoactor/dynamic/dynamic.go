// dynamic: a new actor receives a new message, and stops; for every send.
package main

import (
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

type parcel struct {
	number uint64 // of the send, from 1
}

// What all actors have in common.
type actors struct {
	root            *actor.RootContext
	props           *actor.Props
	sends           uint64
	chain           uint64 // the number up to which each behaviour sends the next message
	received, ended atomic.Uint64
	finished        chan struct{} // closed by the last one's end
}

type receiver struct {
	all *actors
}

func (r *receiver) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *parcel:
		r.all.received.Add(1)
		if message.number < r.all.chain {
			r.all.send(message.number + 1)
		}
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		if r.all.ended.Add(1) == r.all.sends {
			close(r.all.finished)
		}
	}
}

// send makes an actor and a message for it.
func (a *actors) send(number uint64) {
	a.root.Send(a.root.Spawn(a.props), &parcel{number})
}

func main() {
	work := workload.BeginDynamic(system.ProtoActor())
	all := &actors{root: system.Start(), sends: work.Sends, chain: work.Sends, finished: make(chan struct{})}
	all.props = system.Props(func() actor.Actor { return &receiver{all} }, 1)
	if work.FromMain {
		all.chain = 0
	}

	work.Start()
	if work.FromMain {
		for number := range work.Sends {
			all.send(number + 1)
		}
	} else {
		all.send(1)
	}
	<-all.finished
	work.Stop()
	work.End(all.received.Load(), all.ended.Load())
}
