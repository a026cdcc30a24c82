package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// CobwebbedTree is the workload cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone
// through.
type CobwebbedTree struct {
	*bench.Run
	Branching uint64 // children of a node that has any

	most            uint64 // nodes, scaled
	mean, deviation float64
	size, asking    uint64 // nodes, and those whose question the root has not heard
	lots, permits   uint64 // that the root has drawn and given
}

// TreeSums is what a part of the tree was and did.
type TreeSums struct {
	Nodes, Steps, Updates uint64
}

// Add adds another part's sums.
func (s *TreeSums) Add(part TreeSums) {
	s.Nodes += part.Nodes
	s.Steps += part.Steps
	s.Updates += part.Updates
}

// BeginCobwebbedTree reads the command line.
func BeginCobwebbedTree(system bench.System) *CobwebbedTree {
	nodes := bench.NumberWithin("nodes", 200_000, 2, math.MaxUint32, "at most, but the root has children anyway; --scale multiplies it")
	branching := bench.NumberWithin("branching", 10, 1, math.MaxUint32, "children of a node that has any")
	mean := bench.NumberWithin("mean", 500, 1, math.MaxUint32, "steps of a node's computation")
	deviation := bench.NumberWithin("deviation", 100, 0, math.MaxUint32, "of them, the standard one")
	run := bench.Begin(system, bench.Workload{
		Name:    "cobwebbed-tree",
		Summary: "a tree of actors grows by chance until it is large enough, and is gone through",
		Unit:    "node",
	}, nodes, branching, mean, deviation)
	w := &CobwebbedTree{
		Run:       run,
		Branching: branching.Number,
		most:      run.Scaled(nodes),
		mean:      float64(mean.Number),
		deviation: float64(deviation.Number),
	}
	if w.most > math.MaxUint32 {
		bench.Refuse("--nodes %d: with --scale they must be under 2^32", nodes.Number)
	}
	return w
}

// Most is how many messages the root has at most at a time: of each node a question, of its children two more.
func (w *CobwebbedTree) Most() uint64 {
	return w.most + 3*w.Branching + 1
}

// stepsOf says how long the children of a permit are to compute: normally distributed.
func (w *CobwebbedTree) stepsOf(permit uint64) uint64 {
	turn := 2 * math.Pi * float64(bench.UpperBelow(w.Draw(1, permit), math.MaxUint32)) / math.MaxUint32
	share := float64(1+bench.UpperBelow(w.Draw(2, permit), math.MaxUint32)) / math.MaxUint32
	length := math.Sqrt(-2 * math.Log(share))
	return uint64(max(1, math.Round(w.mean+w.deviation*length*math.Cos(turn))))
}

// draw tells whether a node of a tree of that size may have children, by lot unless it would be too large.
func (w *CobwebbedTree) draw(size uint64, lots *uint64) bool {
	if size+w.Branching > w.most {
		return false
	}
	*lots++
	return bench.LowerBelow(w.Draw(0, *lots-1), 2) == 1
}

// Plant begins the tree: how long the root's children are to compute. The root's, as are Answer and IsAnswered.
func (w *CobwebbedTree) Plant() (steps uint64) {
	w.size, w.asking, w.permits = 1+w.Branching, w.Branching, 1
	return w.stepsOf(0)
}

// Answer tells a node that asks whether it may have children, and how long these are to compute.
func (w *CobwebbedTree) Answer() (steps uint64, permitted bool) {
	w.asking--
	if !w.draw(w.size, &w.lots) {
		return 0, false
	}
	w.size += w.Branching
	w.asking += w.Branching
	w.permits++
	return w.stepsOf(w.permits - 1), true
}

// IsAnswered tells whether all nodes that there are have asked.
func (w *CobwebbedTree) IsAnswered() bool {
	return w.asking == 0
}

// Attempt is a node's computation before it asks.
func (w *CobwebbedTree) Attempt() {
	const steps = 100
	compute(steps)
}

// Compute is a node's computation when it is gone through.
func (w *CobwebbedTree) Compute(steps uint64) {
	compute(steps)
}

// End draws all lots again, compares with the sums below the root, and ends the program.
func (w *CobwebbedTree) End(found TreeSums) {
	due := TreeSums{w.Branching, w.Branching * w.stepsOf(0), 0}
	lots := uint64(0)
	for left := w.Branching; left != 0; left-- {
		if w.draw(1+due.Nodes, &lots) {
			due.Updates++
			due.Steps += w.Branching * w.stepsOf(due.Updates)
			due.Nodes += w.Branching
			left += w.Branching
		}
	}
	due.Nodes += w.Falsified()
	if found != due {
		w.Wrong("%d nodes below the root computed %d steps, and %d had children, in place of %d, %d, %d",
			found.Nodes, found.Steps, found.Updates, due.Nodes, due.Steps, due.Updates)
	}
	w.Run.End(w.size)
}
