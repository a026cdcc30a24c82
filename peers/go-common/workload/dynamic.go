package workload

import "actorbench/go-common/bench"

// Dynamic is the workload dynamic: a new actor and a new message for every send, both given up after it.
type Dynamic struct {
	*bench.Run
	Sends    uint64 // scaled
	FromMain bool   // main makes and sends all, not each behaviour the next
}

// BeginDynamic reads the command line.
func BeginDynamic(system bench.System) *Dynamic {
	sends := bench.Number("sends", 20_000_000, "messages, and actors, in all")
	source := bench.Choice("source", "who sends: each actor to the next, or main", "self", "main")
	run := bench.Begin(system, bench.Workload{
		Name:    "dynamic",
		Summary: "a new actor and a new message for every send",
		Unit:    "send",
	}, sends, source)
	return &Dynamic{run, run.Scaled(sends), source.Word == "main"}
}

// End checks how many messages were received and how many actors ended, and ends the program.
func (w *Dynamic) End(received, ended uint64) {
	w.Expect("messages were received", received, w.Sends)
	w.Expect("actors ended", ended, w.Sends)
	w.Run.End(w.Sends)
}
