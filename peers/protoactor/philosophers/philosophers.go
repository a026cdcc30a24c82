// philosophers: philosophers ask an arbitrator for their two forks until they get them, and eat.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// To the arbitrator; a philosopher has one of either, for all that it sends.
type hungry struct{ from uint64 }
type done struct{ from uint64 }
type leave struct{}

// To a philosopher; ask is from main, and then from itself.
type ask struct{}
type denied struct{}
type eat struct{}

type philosopher struct {
	work       *workload.Philosophers
	number     uint64
	arbitrator *actor.PID
	hungry     *hungry
	done       *done
	left       uint64 // meals
	running    *sync.WaitGroup
}

func (p *philosopher) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *ask, *denied:
		ctx.Send(p.arbitrator, p.hungry)
	case *eat:
		p.work.Eat(p.number)
		ctx.Send(p.arbitrator, p.done)
		p.left--
		if p.left != 0 {
			ctx.Send(ctx.Self(), new(ask))
			return
		}
		ctx.Send(p.arbitrator, new(leave))
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		p.running.Done()
	}
}

type arbitrator struct {
	work    *workload.Philosophers
	table   []*actor.PID
	left    uint64 // philosophers that still eat
	running *sync.WaitGroup
}

func (a *arbitrator) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *hungry:
		if a.work.Give(message.from) {
			ctx.Send(a.table[message.from], new(eat))
		} else {
			ctx.Send(a.table[message.from], new(denied))
		}
	case *done:
		a.work.TakeBack(message.from)
	case *leave:
		a.left--
		if a.left == 0 {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		a.running.Done()
	}
}

func main() {
	work := workload.BeginPhilosophers(system.ProtoActor())
	root := system.Start()
	table := make([]*actor.PID, work.Philosophers)
	var running sync.WaitGroup
	running.Add(len(table) + 1)
	pid := root.Spawn(system.Props(func() actor.Actor {
		return &arbitrator{work, table, work.Philosophers, &running}
	}, 3*work.Philosophers))
	for i := range table {
		number := uint64(i)
		table[i] = root.Spawn(system.Props(func() actor.Actor {
			return &philosopher{work, number, pid, &hungry{number}, &done{number}, work.Meals, &running}
		}, 2))
	}

	message := new(ask)
	work.Start()
	for _, each := range table {
		root.Send(each, message)
	}
	running.Wait()
	work.Stop()
	work.End()
}
