// Package system says what this peer is, and makes its actors as its options ask. What differs between ProtoActor's
// versions stands in newest.go and v2022.go, of which a build tag chooses one.
package system

import (
	"runtime/debug"
	"sync"

	"actorbench/go-common/bench"

	"github.com/asynkron/protoactor-go/actor"
)

var (
	mailbox    = bench.Choice("mailbox", "an actor's queue of messages", "unbounded", "lockfree", "bounded")
	scheduling = bench.Choice("dispatcher", "what runs the actors: the library's, or a pool of our own", "library", "pool")
	throughput = bench.Number("throughput", 300, "messages that an actor receives before it gives way to others")
)

// ProtoActor is ProtoActor-Go, in the version that was built.
func ProtoActor() bench.System {
	return bench.System{Name: name, Version: version(), Options: []*bench.Option{mailbox, scheduling, throughput}}
}

func version() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "github.com/asynkron/protoactor-go" {
				return module.Version
			}
		}
	}
	return "unknown"
}

// Start makes an actor system. All actors are its root's children, so that one ends without the others.
func Start() *actor.RootContext {
	return start().Root
}

// One for all actors. It is made late, once the command line is read.
var dispatcher = sync.OnceValue(func() actor.Dispatcher {
	if scheduling.Word == "pool" {
		return newPool(int(throughput.Number))
	}
	return actor.NewDefaultDispatcher(int(throughput.Number))
})

// Props says how to make an actor, with a mailbox that is never full if it holds so many messages.
func Props(producer actor.Producer, messages uint64) *actor.Props {
	return actor.PropsFromProducer(producer,
		actor.WithDispatcher(dispatcher()),
		actor.WithMailbox(mailboxFor(messages)))
}

func mailboxFor(messages uint64) actor.MailboxProducer {
	switch mailbox.Word {
	case "lockfree":
		return actor.UnboundedLockfree()
	case "bounded":
		return actor.Bounded(int(max(messages, 2))) // its ring does not work with 1
	default:
		return actor.Unbounded()
	}
}
