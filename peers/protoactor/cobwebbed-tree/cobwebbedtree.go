// cobwebbed-tree: a tree of actors grows by chance until it is large enough, and is gone through.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message: to the root, and from a parent to each child.
type attempt struct{}

// From a node to the root, and back if it may have children.
type request struct{ from *actor.PID }
type permit struct{ steps uint64 } // that the children are to compute

// To a parent: a child has children; what a child and all below it were and did.
type update struct{}
type report struct{ sums workload.TreeSums }

type traversal struct{}
type termination struct{}

type tree struct {
	work    *workload.CobwebbedTree
	context *actor.RootContext
	root    *actor.PID
	running sync.WaitGroup // nodes
}

type node struct {
	*tree
	parent   *actor.PID // nil: it is the root
	steps    uint64
	children []*actor.PID
	missing  int // reports
	below    workload.TreeSums
}

func (n *node) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *attempt:
		if n.parent == nil {
			n.grow(ctx, n.work.Plant())
			return
		}
		n.work.Attempt()
		ctx.Send(n.root, &request{ctx.Self()})
	case *request:
		n.answer(ctx, message.from)
	case *permit:
		ctx.Send(n.parent, new(update))
		n.grow(ctx, message.steps)
	case *update:
		n.below.Updates++
	case *traversal:
		n.work.Compute(n.steps)
		n.below.Steps += n.steps
		n.pass(ctx, message)
	case *termination:
		n.pass(ctx, message)
		if len(n.children) == 0 {
			n.end(ctx)
		}
	case *report:
		n.below.Add(message.sums)
		n.missing--
		if n.missing == 0 {
			n.end(ctx)
		}
	case *actor.Stopped:
		n.running.Done()
	}
}

func (n *node) grow(ctx actor.Context, steps uint64) {
	n.children = make([]*actor.PID, n.work.Branching)
	n.missing = len(n.children)
	n.running.Add(len(n.children))
	self := ctx.Self()
	props := system.Props(func() actor.Actor {
		return &node{tree: n.tree, parent: self, steps: steps}
	}, 2*n.work.Branching+4) // two messages of each child, and four from above
	for i := range n.children {
		n.children[i] = n.context.Spawn(props)
	}
	n.pass(ctx, new(attempt))
}

// answer is the root's: when it has answered all, it has the tree gone through and ended.
func (n *node) answer(ctx actor.Context, asker *actor.PID) {
	if steps, permitted := n.work.Answer(); permitted {
		ctx.Send(asker, &permit{steps})
	}
	if n.work.IsAnswered() {
		n.pass(ctx, new(traversal))
		n.pass(ctx, new(termination))
	}
}

func (n *node) pass(ctx actor.Context, message any) {
	for _, child := range n.children {
		ctx.Send(child, message)
	}
}

func (n *node) end(ctx actor.Context) {
	if n.parent != nil {
		sums := n.below
		sums.Nodes++
		ctx.Send(n.parent, &report{sums})
	}
	ctx.Stop(ctx.Self())
}

func main() {
	work := workload.BeginCobwebbedTree(system.ProtoActor())
	one := &tree{work: work, context: system.Start()}
	root := &node{tree: one}
	one.running.Add(1)
	one.root = one.context.Spawn(system.Props(func() actor.Actor { return root }, work.Most()))

	work.Start()
	one.context.Send(one.root, new(attempt))
	one.running.Wait()
	work.Stop()
	work.End(root.below)
}
