// thread-ring: a token goes round a ring of actors.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// One for all hops: who has it changes it, and gives it away.
type token struct {
	hopsLeft uint64
}

type node struct {
	work     *workload.ThreadRing
	ring     []*actor.PID
	next     uint64 // its neighbour's place
	received uint64
	running  *sync.WaitGroup
}

func (n *node) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *token:
		n.received++
		message.hopsLeft--
		if message.hopsLeft != 0 {
			ctx.Send(n.ring[n.next], message)
			return
		}
		n.work.Stop()
		for _, pid := range n.ring { // nothing else is in flight
			ctx.Stop(pid)
		}
	case *actor.Stopped:
		n.running.Done()
	}
}

func main() {
	work := workload.BeginThreadRing(system.ProtoActor())
	root := system.Start()
	nodes := make([]*node, work.Actors)
	pids := make([]*actor.PID, work.Actors)
	var running sync.WaitGroup
	running.Add(len(nodes))
	for i := range nodes {
		nodes[i] = &node{work: work, ring: pids, next: uint64(i+1) % work.Actors, running: &running}
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return nodes[i] }, 1))
	}

	work.Start()
	root.Send(pids[0], &token{work.Hops})
	running.Wait()
	work.End(func(actor uint64) uint64 { return nodes[actor].received })
}
