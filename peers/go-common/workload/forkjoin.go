package workload

import "actorbench/go-common/bench"

// ForkJoin is the workload fork-join: one source sends to many actors in turn.
type ForkJoin struct {
	*bench.Run
	Actors   uint64
	Messages uint64 // to each, scaled
}

// BeginForkJoin reads the command line.
func BeginForkJoin(system bench.System) *ForkJoin {
	actors := bench.Number("actors", 1000, "that receive")
	messages := bench.Number("messages", 10_000, "to each of them; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "fork-join",
		Summary: "one source sends to many actors in turn",
		Unit:    "message",
	}, actors, messages)
	return &ForkJoin{run, actors.Number, run.Scaled(messages)}
}

// End checks how many messages each actor received, and ends the program.
func (w *ForkJoin) End(received func(actor uint64) uint64) {
	for i := range w.Actors {
		if found := received(i); found != w.Messages+w.Falsified() {
			w.Wrong("actor %d received %d messages in place of %d", i, found, w.Messages+w.Falsified())
			break
		}
	}
	w.Run.End(w.Actors * w.Messages)
}
