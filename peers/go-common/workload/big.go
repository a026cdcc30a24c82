package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// Big is the workload big: each actor of a group pings others at random, one ping at a time.
type Big struct {
	*bench.Run
	Actors uint64
	Pings  uint64 // of each, scaled
}

// Tally is what an actor of big counts.
type Tally struct {
	Sent, Pinged uint64 // pings of its own, and of others
	Wrong        uint64 // pongs of another than it asked
}

// BeginBig reads the command line.
func BeginBig(system bench.System) *Big {
	actors := bench.NumberWithin("actors", 500, 2, math.MaxUint32, "in the group")
	pings := bench.Number("pings", 50_000, "from each of them; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "big",
		Summary: "each actor of a group pings others at random, one ping at a time",
		Unit:    "message",
	}, actors, pings)
	w := &Big{run, actors.Number, run.Scaled(pings)}
	if w.Pings > math.MaxUint32 {
		bench.Refuse("--pings %d: with --scale they must be under 2^32", pings.Number)
	}
	return w
}

// Recipient is whom an actor pings at a time: any but itself.
func (w *Big) Recipient(sender, number uint64) uint64 {
	other := bench.UpperBelow(w.Draw(sender, number), w.Actors-1)
	if other >= sender {
		other++
	}
	return other
}

// End draws all recipients again, compares, and ends the program.
func (w *Big) End(tally func(actor uint64) Tally) {
	due := make([]uint64, w.Actors)
	for i := range w.Actors {
		for number := range w.Pings {
			due[w.Recipient(i, number)]++
		}
	}
	for i := range w.Actors {
		if found, right := tally(i), (Tally{w.Pings, due[i] + w.Falsified(), 0}); found != right {
			w.Wrong("actor %d sent %d pings in place of %d, received %d in place of %d, and %d pongs came from another than was asked",
				i, found.Sent, right.Sent, found.Pinged, right.Pinged, found.Wrong)
			break
		}
	}
	w.Run.End(2 * w.Actors * w.Pings)
}
