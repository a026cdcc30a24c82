// nqueens: actors look for the places of queens that do not attack each other, until there are enough.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the master.
type start struct{}

// From a searcher to the master; a board goes either way.
type solution struct{}
type done struct{}

type master struct {
	work      *workload.NQueens
	searchers []*actor.PID
	running   *sync.WaitGroup
}

func (m *master) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *start:
		m.work.EmptyBoards(func(empty *workload.Board) { m.deal(ctx, empty) })
	case *workload.Board:
		m.deal(ctx, message)
	case *solution:
		m.work.Found()
	case *done: // after the searcher's boards and solutions
		if !m.work.Done() {
			return
		}
		for _, pid := range m.searchers {
			ctx.Stop(pid)
		}
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		m.running.Done()
	}
}

func (m *master) deal(ctx actor.Context, board *workload.Board) {
	if searcher, dealt := m.work.Deal(); dealt {
		ctx.Send(m.searchers[searcher], board)
	}
}

type searcher struct {
	work     *workload.NQueens
	master   *actor.PID
	solution *solution // one of either, for all that it sends
	done     *done
	running  *sync.WaitGroup
}

func (s *searcher) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *workload.Board:
		s.work.Search(message,
			func(extended *workload.Board) { ctx.Send(s.master, extended) },
			func() { ctx.Send(s.master, s.solution) })
		ctx.Send(s.master, s.done)
	case *actor.Stopped:
		s.running.Done()
	}
}

// How many messages the master's mailbox holds if it is bounded; the others' hold all boards, so that it never waits.
const mailboxSize = 1024

func main() {
	work := workload.BeginNQueens(system.ProtoActor())
	root := system.Start()
	pids := make([]*actor.PID, work.Searchers)
	var running sync.WaitGroup
	running.Add(len(pids) + 1)
	from := root.Spawn(system.Props(func() actor.Actor { return &master{work, pids, &running} }, mailboxSize))
	share := work.Share()
	for i := range pids {
		pids[i] = root.Spawn(system.Props(func() actor.Actor {
			return &searcher{work, from, new(solution), new(done), &running}
		}, share))
	}

	work.Start()
	root.Send(from, new(start))
	running.Wait()
	work.Stop()
	work.End()
}
