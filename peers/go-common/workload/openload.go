package workload

import (
	"math"
	"runtime"
	"slices"
	"syscall"
	"time"

	"actorbench/go-common/bench"
)

// Request is a message of open-load.
type Request struct {
	Number   uint64 // in the order sent
	due      time.Time
	waited   time.Duration
	received uint64
}

// OpenLoad is the workload open-load: messages come at random times, at a share of what all workers could serve.
type OpenLoad struct {
	*bench.Run
	Actors uint64

	requests []Request
	due      []time.Duration // of each, from the first instant
	lateness []time.Duration
	spins    bool
	steps    uint64
}

const (
	streamOfTimes = iota
	streamOfReceivers
)

// BeginOpenLoad reads the command line and draws when the messages are due.
func BeginOpenLoad(system bench.System) *OpenLoad {
	actors := bench.Number("actors", 64, "that are sent to, each as likely as any other")
	messages := bench.Number("messages", 100_000, "sent to them all; --scale multiplies it")
	load := bench.Number("load", 70, "percent of what all workers could serve")
	work := bench.Number("work", 20_000, "nanoseconds of computation for each message")
	on := bench.Choice("on", "whose the actors are: every worker's", "all")
	sender := bench.Choice("sender", "what main does until a message is due", "sleep", "spin")
	run := bench.Begin(system, bench.Workload{
		Name:    "open-load",
		Summary: "messages come at random times, at a share of what all workers could serve",
		Unit:    "message",
	}, actors, messages, load, work, on, sender)
	count := run.Scaled(messages)
	w := &OpenLoad{
		Run:      run,
		Actors:   actors.Number,
		requests: make([]Request, count),
		due:      make([]time.Duration, count),
		lateness: make([]time.Duration, count),
		spins:    sender.Word == "spin",
		steps:    stepsOf(work.Number),
	}
	mean, at := float64(work.Number)*100/(float64(load.Number)*float64(run.Workers())), 0.0
	for i := range w.due {
		share := (float64(run.Draw(streamOfTimes, uint64(i))>>11) + 1) / (1 << 53)
		at -= mean * math.Log(share)
		w.due[i] = time.Duration(at)
		w.requests[i].Number = uint64(i)
	}
	run.OwnProcessorForMain()
	return w
}

// Send sends every message when it is due: send(its receiver, the message). From main.
func (w *OpenLoad) Send(send func(actor uint64, message *Request)) {
	runtime.LockOSThread()
	const setTimerSlack = 29 // PR_SET_TIMERSLACK, of this thread; where it can't be set, main is later, and that is told
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
	start := time.Now()
	for i := range w.requests {
		request := &w.requests[i]
		request.due = start.Add(w.due[i])
		w.lateness[i] = w.waitUntil(request.due)
		send(bench.LowerBelow(w.Draw(streamOfReceivers, uint64(i)), w.Actors), request)
	}
}

// waitUntil returns how much later than due it is.
func (w *OpenLoad) waitUntil(due time.Time) time.Duration {
	for {
		late := time.Since(due)
		if late >= 0 {
			return late
		}
		if !w.spins {
			// The kernel's own: the runtime's timers wait for epoll, whose times are whole milliseconds.
			nap := syscall.NsecToTimespec((-late).Nanoseconds())
			_ = syscall.Nanosleep(&nap, nil) // an early end leads back here
		}
	}
}

// Serve takes a message's time and does its work; from the actor that has received it.
func (w *OpenLoad) Serve(request *Request) {
	request.waited = time.Since(request.due)
	request.received++
	compute(w.steps)
}

// End checks that each message was received once, and each actor's in the order sent, and ends the program.
func (w *OpenLoad) End(disordered uint64) {
	for i := range w.requests {
		if found := w.requests[i].received; found != 1+w.Falsified() {
			w.Wrong("message %d was received %d times in place of %d", i, found, 1+w.Falsified())
			break
		}
	}
	if disordered != 0 {
		w.Wrong("%d messages were received after later ones", disordered)
	}
	late := sorted(w.lateness)
	w.Measure("lateness_p50_ns", percentile(late, 50))
	w.Measure("lateness_p99_ns", percentile(late, 99))
	for i := range w.requests {
		w.lateness[i] = w.requests[i].waited
	}
	latency := sorted(w.lateness)
	for name, percent := range map[string]float64{"p50": 50, "p90": 90, "p99": 99, "p999": 99.9, "p9999": 99.99, "max": 100} {
		w.Measure("latency_"+name+"_ns", percentile(latency, percent))
	}
	w.Run.End(uint64(len(w.requests)))
}

func sorted(times []time.Duration) []time.Duration {
	slices.Sort(times)
	return times
}

func percentile(sorted []time.Duration, percent float64) float64 {
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return float64(sorted[max(rank, 1)-1].Nanoseconds())
}

// never is written when the result is the one in 2^64 that is looked for, so that the chain must be computed.
var never uint64

// compute is a chain of multiplications, each of which needs the one before.
func compute(steps uint64) {
	value := steps | 1
	for i := range steps {
		value = value*6364136223846793005 + i
	}
	if value == 0 {
		never++
	}
}

// stepsOf is how many steps take so many nanoseconds here: by the shortest of some trials.
func stepsOf(nanoseconds uint64) uint64 {
	const steps, trials = 1_000_000, 20
	best := time.Duration(math.MaxInt64)
	for range trials {
		start := time.Now()
		compute(steps)
		best = min(best, time.Since(start))
	}
	return max(1, uint64(math.Round(float64(nanoseconds)*steps/float64(best.Nanoseconds()))))
}
