// sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full.
package main

import (
	"sync"
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// To a customer: full or wait from the room, begin and done from the barber, which come in the order in which they are sent.
type full struct{}
type wait struct{}
type begin struct{}
type done struct{}

// From main to the factory; to the factory: one is served; to the room: the barber wants the next; to the barber: nobody
// waits; to the room: all are served.
type start struct{}
type served struct{}
type next struct{}
type nobody struct{}
type closes struct{}

// A customer's, who is on the way with it: from the factory to the room, to the barber, or back to the factory.
type visit struct {
	pid    *actor.PID
	number uint64
}

type shop struct {
	work                  *workload.SleepingBarber
	root                  *actor.RootContext
	factory, room, barber *actor.PID
	running               sync.WaitGroup
	satisfied             atomic.Uint64 // customers
}

type factory struct {
	*shop
	served uint64
}

func (f *factory) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *start:
		for i := range f.work.Haircuts {
			comes := &visit{number: i}
			comes.pid = f.root.Spawn(system.Props(func() actor.Actor { return &customer{shop: f.shop, visit: comes} }, 3))
			ctx.Send(f.room, comes)
			f.work.Arrive(i)
		}
	case *visit:
		f.work.Returned++
		ctx.Send(f.room, message)
	case *served:
		f.served++
		if f.served == f.work.Haircuts {
			ctx.Send(f.room, new(closes))
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		f.running.Done()
	}
}

type room struct {
	*shop
	waiting        []*visit
	sleeps, closed bool // the barber; the room
}

func (r *room) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *visit:
		r.admit(ctx, message)
	case *next:
		if len(r.waiting) != 0 {
			ctx.Send(r.barber, r.waiting[0])
			r.waiting = r.waiting[1:]
			return
		}
		ctx.Send(r.barber, new(nobody))
		r.sleeps = true
		r.endIfClosed(ctx)
	case *closes: // the barber may still be about to ask for the next
		r.closed = true
		r.endIfClosed(ctx)
	case *actor.Stopped:
		r.running.Done()
	}
}

func (r *room) admit(ctx actor.Context, comes *visit) {
	if uint64(len(r.waiting)) == r.work.Chairs {
		r.work.SentAway++
		ctx.Send(comes.pid, new(full))
		return
	}
	r.waiting = append(r.waiting, comes)
	r.work.Waited = max(r.work.Waited, uint64(len(r.waiting)))
	if r.sleeps {
		r.sleeps = false
		ctx.Send(ctx.Self(), new(next))
	} else {
		ctx.Send(comes.pid, new(wait))
	}
}

func (r *room) endIfClosed(ctx actor.Context) {
	if r.closed && r.sleeps {
		ctx.Stop(r.barber)
		ctx.Stop(ctx.Self())
	}
}

type barber struct {
	*shop
}

func (b *barber) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *visit:
		ctx.Send(message.pid, new(begin))
		b.work.Cut(message.number)
		ctx.Send(message.pid, new(done))
		ctx.Send(b.room, new(next))
	case *nobody:
	case *actor.Stopped:
		b.running.Done()
	}
}

type customer struct {
	*shop
	visit *visit
	begun bool
	done  bool
}

func (c *customer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *full:
		ctx.Send(c.factory, c.visit)
	case *wait:
	case *begin:
		c.begun = true
	case *done:
		c.done = true
		ctx.Send(c.factory, new(served))
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		if c.begun && c.done {
			c.satisfied.Add(1)
		}
		c.running.Done()
	}
}

func main() {
	work := workload.BeginSleepingBarber(system.ProtoActor())
	one := &shop{work: work, root: system.Start()}
	one.running.Add(int(work.Haircuts) + 3)
	one.barber = one.root.Spawn(system.Props(func() actor.Actor { return &barber{one} }, 2))
	one.room = one.root.Spawn(system.Props(func() actor.Actor { return &room{shop: one, sleeps: true} }, work.Haircuts+2))
	one.factory = one.root.Spawn(system.Props(func() actor.Actor { return &factory{shop: one} }, work.Haircuts+1))

	work.Start()
	one.root.Send(one.factory, new(start))
	one.running.Wait()
	work.Stop()
	work.End(one.satisfied.Load())
}
