//go:build v2022

// ProtoActor-Go's version of June 2022, 19 days younger than the thesis'.

package system

import "github.com/asynkron/protoactor-go/actor"

const name = "protoactor-2022"

func start() *actor.ActorSystem {
	return actor.NewActorSystem()
}
