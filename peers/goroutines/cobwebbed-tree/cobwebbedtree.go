// cobwebbed-tree: a tree of goroutines grows by chance until it is large enough, and is gone through.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type kind int

const (
	permit kind = iota // from the root: have children
	traverse
	terminate
)

// From above to a node.
type order struct {
	kind  kind
	steps uint64 // that the children of a permit are to compute
}

// From a child: it has children, or what it and all below it were and did.
type news struct {
	ended bool
	sums  workload.TreeSums
}

type tree struct {
	work     *workload.CobwebbedTree
	requests chan *node // to the root
}

type node struct {
	tree     *tree
	parent   chan<- news
	steps    uint64
	orders   chan order
	children []*node
	below    chan news // from the children
}

// How many may have asked the root before others wait to ask.
const mailboxSize = 1024

func main() {
	work := workload.BeginCobwebbedTree(system.Goroutines())
	one := &tree{work, make(chan *node, mailboxSize)}
	start := make(chan struct{})
	finished := make(chan workload.TreeSums)
	go func() { // the root
		<-start
		finished <- one.grow()
	}()

	work.Start()
	start <- struct{}{}
	sums := <-finished
	work.Stop()
	work.End(sums)
}

// grow is the root: when it has answered all, it has the tree gone through and ended.
func (t *tree) grow() workload.TreeSums {
	root := &node{tree: t}
	root.grow(t.work.Plant())
	for !t.work.IsAnswered() {
		asker := <-t.requests
		if steps, permitted := t.work.Answer(); permitted {
			asker.orders <- order{permit, steps}
		}
	}
	root.pass(order{kind: traverse})
	root.pass(order{kind: terminate})
	return root.sums()
}

// live is any other node. It ends when its children have.
func (n *node) live() {
	n.tree.work.Attempt()
	n.tree.requests <- n
	own := workload.TreeSums{Nodes: 1}
	for received := range n.orders {
		switch received.kind {
		case permit:
			n.parent <- news{}
			n.grow(received.steps)
		case traverse:
			n.tree.work.Compute(n.steps)
			own.Steps += n.steps
			n.pass(received)
		case terminate:
			n.pass(received)
			own.Add(n.sums())
			n.parent <- news{true, own}
			return
		}
	}
}

// grow makes the children. Nobody waits to send: each gets a permit and two orders, and sends two news.
func (n *node) grow(steps uint64) {
	n.below = make(chan news, 2*n.tree.work.Branching)
	n.children = make([]*node, n.tree.work.Branching)
	for i := range n.children {
		n.children[i] = &node{tree: n.tree, parent: n.below, steps: steps, orders: make(chan order, 3)}
		go n.children[i].live()
	}
}

func (n *node) pass(sent order) {
	for _, child := range n.children {
		child.orders <- sent
	}
}

// sums waits until all children have ended.
func (n *node) sums() (below workload.TreeSums) {
	for missing := len(n.children); missing != 0; {
		received := <-n.below
		if received.ended {
			missing--
			below.Add(received.sums)
		} else {
			below.Updates++
		}
	}
	return below
}
