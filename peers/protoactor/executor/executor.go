// executor: groups of actors whose members send to each other in turn.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

type token struct{}

type member struct {
	group    []*actor.PID
	next     int // whom of its group it sends to next
	received uint64
	last     uint64 // the number of its last message
	running  *sync.WaitGroup
}

func (m *member) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *token:
		m.received++
		if m.received == m.last {
			ctx.Stop(ctx.Self())
			return
		}
		ctx.Send(m.group[m.next], message)
		m.next++
		if m.next == len(m.group) {
			m.next = 0
		}
	case *actor.Stopped:
		m.running.Done()
	}
}

func main() {
	work := workload.BeginExecutor(system.ProtoActor())
	root := system.Start()
	members := make([]*member, work.Actors)
	pids := make([]*actor.PID, work.Actors)
	var running sync.WaitGroup
	running.Add(len(members))
	for i := range members {
		first := uint64(i) - uint64(i)%work.Group
		members[i] = &member{group: pids[first : first+work.Group], last: work.Messages, running: &running}
		// A member sends only what it has received: a group never has more messages than members.
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return members[i] }, work.Group))
	}

	message := new(token)
	work.Start()
	for _, pid := range pids {
		root.Send(pid, message)
	}
	running.Wait()
	work.Stop()
	work.End(func(actor uint64) uint64 { return members[actor].received })
}
