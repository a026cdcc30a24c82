package workload

import "actorbench/go-common/bench"

// Counting is the workload counting: a producer streams increments to a counter, then asks it for its count.
type Counting struct {
	*bench.Run
	Messages uint64 // scaled
}

// BeginCounting reads the command line.
func BeginCounting(system bench.System) *Counting {
	messages := bench.Number("messages", 10_000_000, "increments; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "counting",
		Summary: "a producer streams increments to a counter, then asks it for its count",
		Unit:    "message",
	}, messages)
	return &Counting{run, run.Scaled(messages)}
}

// End checks the counter's answer, and ends the program.
func (w *Counting) End(count uint64) {
	w.Expect("increments were counted", count, w.Messages)
	w.Run.End(w.Messages)
}
