package workload

import (
	"math"
	"slices"

	"actorbench/go-common/bench"
)

// RadixSort is the workload radix-sort: numbers go down a chain of actors, each of which sorts them by a bit.
type RadixSort struct {
	*bench.Run
	Numbers uint64 // scaled
	Bits    uint64

	taken []uint64
}

// BeginRadixSort reads the command line.
func BeginRadixSort(system bench.System) *RadixSort {
	numbers := bench.Number("numbers", 100_000, "to be sorted; --scale multiplies it")
	bits := bench.NumberWithin("bits", 60, 1, 64, "of each number, and actors that sort")
	run := bench.Begin(system, bench.Workload{
		Name:    "radix-sort",
		Summary: "numbers go down a chain of actors, each of which sorts them by a bit",
		Unit:    "message",
	}, numbers, bits)
	w := &RadixSort{Run: run, Numbers: run.Scaled(numbers), Bits: bits.Number}
	if w.Numbers > math.MaxUint32 {
		bench.Refuse("--numbers %d: with --scale they must be under 2^32", numbers.Number)
	}
	w.taken = make([]uint64, 0, w.Numbers)
	return w
}

// Draw draws a number. The source's.
func (w *RadixSort) Draw(position uint64) uint64 {
	return w.Run.Draw(0, position) >> (64 - w.Bits)
}

// Take keeps a number that has come to the end of the chain; true if it is the last. The collector's.
func (w *RadixSort) Take(number uint64) bool {
	w.taken = append(w.taken, number)
	return uint64(len(w.taken)) == w.Numbers
}

// End sorts the same numbers in another way, compares, and ends the program.
func (w *RadixSort) End() {
	due := make([]uint64, w.Numbers)
	for i := range due {
		due[i] = w.Draw(uint64(i))
	}
	slices.Sort(due)
	w.Expect("numbers came", uint64(len(w.taken)), w.Numbers)
	if !slices.Equal(w.taken, due) {
		w.Wrong("the numbers are not sorted, or not those that were drawn")
	}
	w.Run.End(w.Numbers * (w.Bits + 1))
}
