// actor-creation: spawners make many actors that are all alive at once, and end them.
package main

import (
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// To a child as soon as it is made; and its last message.
type greeting struct{}
type farewell struct{}

// To a spawner: from main to make its share, from the coordinator to end it. To the coordinator: a share is made.
type start struct{}
type end struct{}
type made struct{}

// What all actors have in common.
type actors struct {
	root     *actor.RootContext
	ended    atomic.Uint64
	left     atomic.Int64 // children that have not ended
	finished chan struct{}
}

type child struct {
	all     *actors
	greeted bool
}

func (c *child) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *greeting:
		c.greeted = true
	case *farewell:
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		if c.greeted {
			c.all.ended.Add(1)
		}
		if c.all.left.Add(-1) == 0 {
			close(c.all.finished)
		}
	}
}

type spawner struct {
	all         *actors
	props       *actor.Props
	share       uint64
	coordinator *actor.PID
	children    []*actor.PID
}

func (s *spawner) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *start:
		hello := new(greeting)
		for range s.share {
			pid := s.all.root.Spawn(s.props)
			s.children = append(s.children, pid)
			ctx.Send(pid, hello)
		}
		ctx.Send(s.coordinator, new(made))
	case *end:
		last := new(farewell)
		for _, pid := range s.children {
			ctx.Send(pid, last)
		}
		ctx.Stop(ctx.Self())
	}
}

// Ends the children when all shares are made.
type coordinator struct {
	spawners []*actor.PID
	missing  int // shares
}

func (c *coordinator) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*made); !ok {
		return
	}
	c.missing--
	if c.missing != 0 {
		return
	}
	for _, pid := range c.spawners {
		ctx.Send(pid, new(end))
	}
	ctx.Stop(ctx.Self())
}

func main() {
	work := workload.BeginActorCreation(system.ProtoActor())
	all := &actors{root: system.Start(), finished: make(chan struct{})}
	all.left.Store(int64(work.Actors))
	children := system.Props(func() actor.Actor { return &child{all: all} }, 2)
	pids := make([]*actor.PID, work.Spawners)
	one := all.root.Spawn(system.Props(
		func() actor.Actor { return &coordinator{pids, len(pids)} }, work.Spawners))
	for i := range pids {
		pids[i] = all.root.Spawn(system.Props(func() actor.Actor {
			return &spawner{all: all, props: children, share: work.Share(uint64(i)), coordinator: one}
		}, 2))
	}

	work.Start()
	for _, pid := range pids {
		all.root.Send(pid, new(start))
	}
	<-all.finished
	work.Stop()
	work.End(all.ended.Load())
}
