//go:build !v2022

// ProtoActor-Go's newest version.

package system

import (
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

const name = "protoactor"

// start makes an actor system that logs nothing: that would be more than standard error shall say.
func start() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler)
	}))
}
