package workload

import "actorbench/go-common/bench"

// ThreadRing is the workload thread-ring: a token goes round a ring of actors.
type ThreadRing struct {
	*bench.Run
	Actors uint64
	Hops   uint64 // scaled
}

// BeginThreadRing reads the command line.
func BeginThreadRing(system bench.System) *ThreadRing {
	actors := bench.Number("actors", 1000, "in the ring")
	hops := bench.Number("hops", 10_000_000, "of the token; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "thread-ring",
		Summary: "a token goes round a ring of actors",
		Unit:    "hop",
	}, actors, hops)
	return &ThreadRing{run, actors.Number, run.Scaled(hops)}
}

// End checks how many times each actor had the token, and ends the program.
func (w *ThreadRing) End(received func(actor uint64) uint64) {
	for i := range w.Actors {
		due := w.Hops/w.Actors + w.Falsified()
		if i < w.Hops%w.Actors {
			due++
		}
		if found := received(i); found != due {
			w.Wrong("actor %d had the token %d times in place of %d", i, found, due)
			break
		}
	}
	w.Run.End(w.Hops)
}
