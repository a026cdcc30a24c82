// concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to every entity.
type begin struct{}

type request struct {
	from     *actor.PID
	entity   uint64 // its number
	question workload.Question
}

type answer struct {
	value uint64
}

type keeper struct {
	work    *workload.ConcDict
	running *sync.WaitGroup
}

func (k *keeper) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *request:
		ctx.Send(message.from, &answer{k.work.Serve(message.entity, message.question)})
		if k.work.IsDone() {
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopped:
		k.running.Done()
	}
}

type entity struct {
	work     *workload.ConcDict
	keeper   *actor.PID
	number   uint64
	asked    uint64
	checksum uint64 // of its answers, in order
	running  *sync.WaitGroup
}

func (e *entity) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *answer:
		e.checksum = workload.Sum(e.checksum, message.value)
		if e.asked == e.work.Messages {
			ctx.Stop(ctx.Self())
		} else {
			e.ask(ctx)
		}
	case *begin:
		e.ask(ctx)
	case *actor.Stopped:
		e.running.Done()
	}
}

func (e *entity) ask(ctx actor.Context) {
	ctx.Send(e.keeper, &request{ctx.Self(), e.number, e.work.Ask(e.number, e.asked)})
	e.asked++
}

func main() {
	work := workload.BeginConcDict(system.ProtoActor())
	root := system.Start()
	var running sync.WaitGroup
	running.Add(int(work.Entities) + 1)
	pid := root.Spawn(system.Props(func() actor.Actor { return &keeper{work, &running} }, work.Entities))
	entities := make([]*entity, work.Entities)
	pids := make([]*actor.PID, work.Entities)
	for i := range entities {
		entities[i] = &entity{work: work, keeper: pid, number: uint64(i), running: &running}
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return entities[i] }, 1))
	}

	message := new(begin)
	work.Start()
	for _, each := range pids {
		root.Send(each, message)
	}
	running.Wait()
	work.Stop()
	work.End(func(entity uint64) uint64 { return entities[entity].checksum })
}
