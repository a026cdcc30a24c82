// fibonacci: actors compute a Fibonacci number by its recursion, an actor a call.
package main

import (
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

type question struct {
	from   *actor.PID // nil: main asks
	number uint64
}

type answer struct {
	value uint64
}

// What all actors have in common.
type tree struct {
	root     *actor.RootContext
	props    *actor.Props
	value    uint64        // that the tree gives; read when all have ended
	left     atomic.Uint64 // actors that have not ended
	finished chan struct{}
}

type adder struct {
	tree    *tree
	asked   *question
	sum     uint64 // of the answers
	missing int    // answers
}

func (a *adder) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *question:
		a.asked = message
		if message.number <= 2 {
			a.reply(ctx, 1)
			return
		}
		a.missing = 2
		a.tree.ask(&question{ctx.Self(), message.number - 1})
		a.tree.ask(&question{ctx.Self(), message.number - 2})
	case *answer:
		a.sum += message.value
		a.missing--
		if a.missing == 0 {
			a.reply(ctx, a.sum)
		}
	case *actor.Stopped:
		if a.tree.left.Add(^uint64(0)) == 0 {
			a.tree.finished <- struct{}{}
		}
	}
}

func (a *adder) reply(ctx actor.Context, value uint64) {
	if a.asked.from == nil {
		a.tree.value = value
	} else {
		ctx.Send(a.asked.from, &answer{value})
	}
	ctx.Stop(ctx.Self())
}

// ask makes an actor and asks it.
func (t *tree) ask(what *question) {
	t.root.Send(t.root.Spawn(t.props), what)
}

func main() {
	work := workload.BeginFibonacci(system.ProtoActor())
	one := &tree{root: system.Start(), finished: make(chan struct{}, 1)}
	one.props = system.Props(func() actor.Actor { return &adder{tree: one} }, 2)

	work.Start()
	for range work.Trees {
		one.left.Store(work.Actors)
		one.ask(&question{number: work.Number})
		<-one.finished
		work.Take(one.value)
	}
	work.Stop()
	work.End()
}
