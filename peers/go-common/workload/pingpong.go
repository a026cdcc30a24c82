package workload

import "actorbench/go-common/bench"

// PingPong is the workload ping-pong: a message goes to and fro between two actors, in each of some pairs.
type PingPong struct {
	*bench.Run
	Pairs  uint64
	Rounds uint64 // scaled
}

// BeginPingPong reads the command line.
func BeginPingPong(system bench.System) *PingPong {
	pairs := bench.Number("pairs", 1, "pairs of actors")
	rounds := bench.Number("rounds", 10_000_000, "times that the message goes to and fro; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "ping-pong",
		Summary: "a message goes to and fro between two actors, in each of some pairs",
		Unit:    "message",
	}, pairs, rounds)
	return &PingPong{run, pairs.Number, run.Scaled(rounds)}
}

// End checks how many messages each of the 2 x pairs players received, and ends the program.
func (w *PingPong) End(received func(player uint64) uint64) {
	for i := range 2 * w.Pairs {
		if found := received(i); found != w.Rounds+w.Falsified() {
			w.Wrong("player %d received %d messages in place of %d", i, found, w.Rounds+w.Falsified())
			break
		}
	}
	w.Run.End(2 * w.Pairs * w.Rounds)
}
