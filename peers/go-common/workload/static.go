// Package workload holds what the peers' programs share of each workload: its parameters, its checks, matrix' numbers.
package workload

import "actorbench/go-common/bench"

// Static is the workload static: one actor and one message, both made before, and many sends.
type Static struct {
	*bench.Run
	Sends    uint64 // scaled
	FromMain bool   // main sends, not the actor to itself
}

// BeginStatic reads the command line.
func BeginStatic(system bench.System) *Static {
	sends := bench.Number("sends", 100_000_000, "messages in all")
	source := bench.Choice("source", "who sends: the actor to itself, or main", "self", "main")
	run := bench.Begin(system, bench.Workload{
		Name:    "static",
		Summary: "one actor, one message, made once",
		Unit:    "send",
	}, sends, source)
	return &Static{run, run.Scaled(sends), source.Word == "main"}
}

// End checks the number of messages that the actor received, and ends the program.
func (w *Static) End(received uint64) {
	w.Expect("messages were received", received, w.Sends)
	w.Run.End(w.Sends)
}
