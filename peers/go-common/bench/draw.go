// Random numbers of --seed that can be drawn again: a workload draws them as it runs, and once more to verify.

package bench

// Draw is the number at a position of a stream, both under 2^32: a function of its arguments and the seed, without a
// state (the finaliser of splitmix64).
func (r *Run) Draw(stream, position uint64) uint64 {
	number := (stream<<32|position)*0x9e3779b97f4a7c15 + r.Seed()
	number = (number ^ number>>30) * 0xbf58476d1ce4e5b9
	number = (number ^ number>>27) * 0x94d049bb133111eb
	return number ^ number>>31
}

// UpperBelow is 0 .. bound - 1, from the upper half of a number that was drawn; the bound is under 2^32.
func UpperBelow(number, bound uint64) uint64 {
	return (number >> 32) * bound >> 32
}

// LowerBelow is the same from the lower half.
func LowerBelow(number, bound uint64) uint64 {
	return uint64(uint32(number)) * bound >> 32
}
