package workload

import "actorbench/go-common/bench"

// Executor is the workload executor: groups of actors whose members send to each other in turn.
type Executor struct {
	*bench.Run
	Actors, Group uint64
	Messages      uint64 // that each actor receives
}

// BeginExecutor reads the command line.
func BeginExecutor(system bench.System) *Executor {
	actors := bench.Number("actors", 40_000, "actors that exchange messages")
	group := bench.Number("group", 100, "actors in a group; divides --actors")
	rounds := bench.Number("rounds", 400, "messages from each actor to each of its group; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "executor",
		Summary: "groups of actors whose members send to each other in turn",
		Unit:    "message",
	}, actors, group, rounds)
	if actors.Number%group.Number != 0 {
		bench.Refuse("--actors %d --group %d: the group must divide the actors", actors.Number, group.Number)
	}
	return &Executor{run, actors.Number, group.Number, run.Scaled(rounds)*group.Number + 1}
}

// End checks how many messages each actor received, and ends the program.
func (w *Executor) End(received func(actor uint64) uint64) {
	for i := range w.Actors {
		if found := received(i); found != w.Messages+w.Falsified() {
			w.Wrong("actor %d received %d messages in place of %d", i, found, w.Messages+w.Falsified())
			break
		}
	}
	w.Run.End(w.Actors * w.Messages)
}
