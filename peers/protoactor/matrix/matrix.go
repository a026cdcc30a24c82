// matrix: Z = X Y, an actor a row of X.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// A row of X, and the row of Z to be filled; both are shared.
type row struct {
	x, z []int32
}

type multiplier struct {
	work    *workload.Matrix
	running *sync.WaitGroup
}

func (m *multiplier) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *row:
		m.work.Multiply(message.x, message.z)
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		m.running.Done()
	}
}

func main() {
	work := workload.BeginMatrix(system.ProtoActor())
	root := system.Start()
	pids := make([]*actor.PID, work.Size)
	rows := make([]row, work.Size)
	var running sync.WaitGroup
	running.Add(work.Size)
	props := system.Props(func() actor.Actor { return &multiplier{work, &running} }, 1)
	for i := range rows {
		pids[i] = root.Spawn(props)
		rows[i].x, rows[i].z = work.Row(i)
	}

	work.Start()
	for i, pid := range pids {
		root.Send(pid, &rows[i])
	}
	running.Wait()
	work.Stop()
	work.End()
}
