//go:build v2022

// ProtoActor-Go's version of May 2022, which the thesis measured.

package system

import "github.com/asynkron/protoactor-go/actor"

const name = "protoactor-2022"

func start() *actor.ActorSystem {
	return actor.NewActorSystem()
}
