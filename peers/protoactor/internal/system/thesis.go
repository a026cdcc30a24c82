//go:build thesis

// ProtoActor-Go's version of the thesis, of May 2022.

package system

import "github.com/asynkron/protoactor-go/actor"

const name = "protoactor-2022"

func start() *actor.ActorSystem {
	return actor.NewActorSystem()
}
