package workload

import "actorbench/go-common/bench"

// Fibonacci is the workload fibonacci: actors compute a Fibonacci number by its recursion, an actor a call.
type Fibonacci struct {
	*bench.Run
	Number uint64
	Trees  uint64 // one after the other, scaled
	Actors uint64 // of a tree

	due   uint64
	wrong uint64 // trees
}

// BeginFibonacci reads the command line.
func BeginFibonacci(system bench.System) *Fibonacci {
	const largest = 46 // whose tree has under 2^32 actors
	number := bench.NumberWithin("number", 25, 1, largest, "which Fibonacci number; each tree has twice that many actors, less one")
	trees := bench.Number("trees", 1, "one after the other; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "fibonacci",
		Summary: "actors compute a Fibonacci number by its recursion, an actor a call",
		Unit:    "actor",
	}, number, trees)
	last, value := uint64(0), uint64(1)
	for range number.Number - 1 {
		last, value = value, last+value
	}
	return &Fibonacci{Run: run, Number: number.Number, Trees: run.Scaled(trees), Actors: 2*value - 1, due: value}
}

// Take takes note of the number that a tree gave. Main's.
func (w *Fibonacci) Take(value uint64) {
	if value != w.due+w.Falsified() {
		w.wrong++
	}
}

// End checks the numbers, and ends the program.
func (w *Fibonacci) End() {
	if w.wrong != 0 {
		w.Wrong("%d trees of %d gave another number than %d", w.wrong, w.Trees, w.due+w.Falsified())
	}
	w.Run.End(w.Trees * w.Actors)
}
