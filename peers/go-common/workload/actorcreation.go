package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// ActorCreation is the workload actor-creation: spawners make many actors that are all alive at once, and end them.
type ActorCreation struct {
	*bench.Run
	Actors   uint64 // scaled
	Spawners uint64
}

// BeginActorCreation reads the command line.
func BeginActorCreation(system bench.System) *ActorCreation {
	actors := bench.Number("actors", 1_000_000, "alive at once; --scale multiplies it")
	spawners := bench.NumberWithin("spawners", 0, 0, math.MaxUint32, "actors that make them; 0: as many as workers")
	run := bench.Begin(system, bench.Workload{
		Name:    "actor-creation",
		Summary: "spawners make many actors that are all alive at once, and end them",
		Unit:    "actor",
	}, actors, spawners)
	w := &ActorCreation{run, run.Scaled(actors), spawners.Number}
	if w.Spawners == 0 {
		w.Spawners = uint64(run.Workers())
	}
	return w
}

// Share is how many a spawner makes.
func (w *ActorCreation) Share(spawner uint64) uint64 {
	share := w.Actors / w.Spawners
	if spawner < w.Actors%w.Spawners {
		share++
	}
	return share
}

// End checks how many actors ended that had received their first message, and ends the program.
func (w *ActorCreation) End(ended uint64) {
	w.Expect("actors ended after their first message", ended, w.Actors)
	w.Run.End(w.Actors)
}
