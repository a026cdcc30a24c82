package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// Matrix is the workload matrix: Z = X Y, an actor a row of X. The matrices are square, and stored by rows.
type Matrix struct {
	*bench.Run
	Size    int // rows, scaled, and columns
	x, y, z []int32
}

// BeginMatrix reads the command line and fills X and Y.
func BeginMatrix(system bench.System) *Matrix {
	rows := bench.Number("rows", 3072, "of each matrix, and as many columns; --scale multiplies its cube")
	run := bench.Begin(system, bench.Workload{
		Name:    "matrix",
		Summary: "Z = X Y, an actor a row",
		Unit:    "row",
	}, rows)
	const most = math.MaxInt32 / 81 // so that no product overflows: elements are -9 to 9
	scaled := max(1, math.Round(float64(rows.Number)*math.Cbrt(run.Scale())))
	if scaled > most {
		bench.Refuse("%.0f rows are too many: at most %d can be multiplied without overflow", scaled, most)
	}
	size := int(scaled)
	w := &Matrix{run, size, make([]int32, size*size), make([]int32, size*size), make([]int32, size*size)}
	for i := range w.x {
		w.x[i] = int32(w.scramble(uint64(i))%19) - 9
		w.y[i] = int32(w.scramble(uint64(size*size+i))%19) - 9
	}
	return w
}

// Row is what an actor needs: a row of X, and the row of Z to be filled.
func (w *Matrix) Row(i int) (x, z []int32) {
	return w.x[i*w.Size : (i+1)*w.Size], w.z[i*w.Size : (i+1)*w.Size]
}

// Multiply fills a row of Z: the plain loop, a row of X times each column of Y.
func (w *Matrix) Multiply(x, z []int32) {
	y, size := w.y, w.Size
	for column := range z {
		var sum int32
		for i, element := range x {
			sum += element * y[i*size+column]
		}
		z[column] = sum
	}
}

// End checks Z, and ends the program.
func (w *Matrix) End() {
	if !w.productIsRight() {
		w.Wrong("Z is not the product of X and Y")
	}
	w.Run.End(uint64(w.Size))
}

// scramble is a number that depends on the seed and the position (the finaliser of splitmix64).
func (w *Matrix) scramble(position uint64) uint64 {
	value := position*0x9e3779b97f4a7c15 + w.Seed()
	value = (value ^ value>>30) * 0xbf58476d1ce4e5b9
	value = (value ^ value>>27) * 0x94d049bb133111eb
	return value ^ value>>31
}

const prime = 1<<31 - 1

// productIsRight is Freivalds' check: X (Y r) = Z r for a random vector r, modulo a prime.
func (w *Matrix) productIsRight() bool {
	r := make([]uint64, w.Size)
	for i := range r {
		r[i] = w.scramble(uint64(2*w.Size*w.Size+i)) % prime
	}
	expected := w.times(w.x, w.times(w.y, r))
	expected[0] += w.Falsified()
	for i, found := range w.times(w.z, r) {
		if found != expected[i] {
			return false
		}
	}
	return true
}

func (w *Matrix) times(matrix []int32, vector []uint64) []uint64 {
	product := make([]uint64, w.Size)
	for row := range product {
		var sum uint64
		for i, element := range matrix[row*w.Size : (row+1)*w.Size] {
			sum = (sum + uint64((int64(element)%prime+prime)%prime)*vector[i]) % prime
		}
		product[row] = sum
	}
	return product
}
