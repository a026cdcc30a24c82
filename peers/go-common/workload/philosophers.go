package workload

import "actorbench/go-common/bench"

// Philosophers is the workload philosophers: they ask an arbitrator for their two forks until they get them, and eat.
type Philosophers struct {
	*bench.Run
	Philosophers uint64
	Meals        uint64 // of each, scaled

	forks []fork // one between two philosophers
	wrong uint64 // forks that came back from another than had them
}

type fork struct {
	held uint64 // by which philosopher, counted from 1, or 0; the arbitrator's
	used uint64 // plain memory: who has the fork adds 1
}

// BeginPhilosophers reads the command line.
func BeginPhilosophers(system bench.System) *Philosophers {
	philosophers := bench.Number("philosophers", 20, "at a round table, a fork between two")
	meals := bench.Number("meals", 10_000, "of each philosopher; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "philosophers",
		Summary: "philosophers ask an arbitrator for their two forks until they get them, and eat",
		Unit:    "meal",
	}, philosophers, meals)
	return &Philosophers{
		Run:          run,
		Philosophers: philosophers.Number,
		Meals:        run.Scaled(meals),
		forks:        make([]fork, philosophers.Number),
	}
}

func (w *Philosophers) forksOf(philosopher uint64) (left, right *fork) {
	return &w.forks[philosopher], &w.forks[(philosopher+1)%w.Philosophers]
}

// Give gives a philosopher the forks if both are there. The arbitrator's.
func (w *Philosophers) Give(philosopher uint64) bool {
	left, right := w.forksOf(philosopher)
	if left.held != 0 || right.held != 0 {
		return false
	}
	left.held, right.held = philosopher+1, philosopher+1
	return true
}

// TakeBack takes a philosopher's forks back. The arbitrator's.
func (w *Philosophers) TakeBack(philosopher uint64) {
	left, right := w.forksOf(philosopher)
	if left.held != philosopher+1 || right.held != philosopher+1 {
		w.wrong++
	}
	left.held, right.held = 0, 0
}

// Eat is a meal of a philosopher who has the forks.
func (w *Philosophers) Eat(philosopher uint64) {
	left, right := w.forksOf(philosopher)
	left.used++
	right.used++
}

// End checks how often each fork was used, and ends the program.
func (w *Philosophers) End() {
	if w.wrong != 0 {
		w.Wrong("%d times forks came back from another than had them", w.wrong)
	}
	for i := range w.forks {
		if found, due := w.forks[i].used, 2*w.Meals+w.Falsified(); found != due {
			w.Wrong("fork %d was used %d times in place of %d", i, found, due)
			break
		}
	}
	w.Run.End(w.Philosophers * w.Meals)
}
