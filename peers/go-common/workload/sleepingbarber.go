package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// SleepingBarber is the workload sleeping-barber: customers wait for a barber in a room with too few chairs, and come again
// if it is full.
type SleepingBarber struct {
	*bench.Run
	Haircuts uint64 // one a customer, scaled
	Chairs   uint64
	SentAway uint64 // by the room
	Returned uint64 // to the factory
	Waited   uint64 // the most at a time

	haircutWork, arrivalWork uint64 // the random parts' bounds
	had                      []uint32
	cuts                     uint64
}

// BeginSleepingBarber reads the command line.
func BeginSleepingBarber(system bench.System) *SleepingBarber {
	haircuts := bench.Number("haircuts", 5000, "one a customer; --scale multiplies it")
	chairs := bench.Number("chairs", 1000, "in the waiting room")
	haircutWork := bench.NumberWithin("haircut-work", 1000, 1, math.MaxUint32, "random part of a haircut's work: under so many multiplications")
	arrivalWork := bench.NumberWithin("arrival-work", 1000, 1, math.MaxUint32, "the same between two customers")
	run := bench.Begin(system, bench.Workload{
		Name:    "sleeping-barber",
		Summary: "customers wait for a barber in a room with too few chairs, and come again if it is full",
		Unit:    "haircut",
	}, haircuts, chairs, haircutWork, arrivalWork)
	w := &SleepingBarber{
		Run:         run,
		Haircuts:    run.Scaled(haircuts),
		Chairs:      chairs.Number,
		haircutWork: haircutWork.Number,
		arrivalWork: arrivalWork.Number,
	}
	if w.Haircuts > math.MaxUint32 {
		bench.Refuse("--haircuts %d: with --scale they must be under 2^32", haircuts.Number)
	}
	w.had = make([]uint32, w.Haircuts)
	return w
}

const leastWork = 10 // in steps; a random part is added

// Arrive works for a time between two customers. The factory's.
func (w *SleepingBarber) Arrive(customer uint64) {
	compute(leastWork + bench.UpperBelow(w.Draw(0, customer), w.arrivalWork))
}

// Cut cuts a customer's hair. The barber's.
func (w *SleepingBarber) Cut(customer uint64) {
	compute(leastWork + bench.UpperBelow(w.Draw(1, w.cuts), w.haircutWork))
	w.cuts++
	w.had[customer]++
}

// End checks that each customer had a haircut, and that as many ended satisfied, and ends the program.
func (w *SleepingBarber) End(satisfied uint64) {
	for i, found := range w.had {
		if found != 1 {
			w.Wrong("customer %d had %d haircuts", i, found)
			break
		}
	}
	w.Expect("customers ended after their haircut", satisfied, w.Haircuts)
	if w.Returned != w.SentAway {
		w.Wrong("%d were sent away, and %d came again", w.SentAway, w.Returned)
	}
	if w.Waited > w.Chairs {
		w.Wrong("%d waited on %d chairs", w.Waited, w.Chairs)
	}
	w.Run.End(w.Haircuts)
}
