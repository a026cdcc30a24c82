// Package bench is what every program of the Go peers shares: the command line, the timed span, the verdict, the record.
//
// A program calls Begin, times its work between Start and Stop, says what it found by Expect or Wrong, and leaves by End.
package bench

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
)

var program string // the workload's name, with which its messages begin

// System is the actor system that does the work.
type System struct {
	Name    string
	Version string
	Options []*Option // its own
}

// Workload is what is to be done.
type Workload struct {
	Name    string
	Summary string // one line for --help
	Unit    string // what is counted: "message"
}

// Run is one run of a program.
type Run struct {
	system     System
	workload   Workload
	parameters []*Option // of the workload
	options    []*Option // of the system
	workers    *Option
	seed       *Option
	scale      float64
	json       bool
	falsified  bool
	notes      []string
	measured   map[string]float64

	started, stopped       time.Time
	cpuStarted, cpuStopped time.Duration
	wrong                  bool
}

// Begin reads the command line, then sets the number of workers and the garbage collector's pace.
func Begin(system System, workload Workload, parameters ...*Option) *Run {
	program = workload.Name
	gogc := &Option{Name: "gogc", Number: 100, least: 1, most: 1e6, help: "per cent that the heap grows by between collections"}
	r := &Run{
		system:     system,
		workload:   workload,
		parameters: parameters,
		options:    slices.Concat(system.Options, []*Option{gogc}),
		workers:    &Option{Name: "workers", most: 4096, help: "GOMAXPROCS; 0: as many as CPUs may be used"},
		seed:       &Option{Name: "seed", Number: 1, most: math.MaxUint64, help: "of the random numbers"},
		scale:      1,
		notes:      []string{"workers: GOMAXPROCS, which main and the garbage collector share"},
	}
	r.read(os.Args[1:])
	debug.SetGCPercent(int(gogc.Number))
	runtime.GOMAXPROCS(r.Workers())
	if r.Workers() > runtime.NumCPU() {
		r.notes = append(r.notes, "oversubscribed: more workers than CPUs at hand")
	}
	return r
}

// Workers is the number of workers.
func (r *Run) Workers() int {
	if r.workers.Number == 0 {
		return runtime.NumCPU()
	}
	return int(r.workers.Number)
}

// Seed is --seed.
func (r *Run) Seed() uint64 {
	return r.seed.Number
}

// Scale is --scale.
func (r *Run) Scale() float64 {
	return r.scale
}

// Scaled is an amount of work times --scale, rounded, at least 1.
func (r *Run) Scaled(amount *Option) uint64 {
	scaled := float64(amount.Number) * r.scale
	if scaled > 1e15 {
		Refuse("--scale %g is too large: it asks for %g units of work", r.scale, scaled)
	}
	return uint64(max(1, math.Round(scaled)))
}

// OwnProcessorForMain lets main run beside the workers, where it must not wait for them.
func (r *Run) OwnProcessorForMain() {
	runtime.GOMAXPROCS(r.Workers() + 1)
	r.notes = append(r.notes, "GOMAXPROCS is one more than the workers, for main, which sends; while it sleeps others may have it")
}

// Measure puts a number beside the times into the record, under a name that its schema has.
func (r *Run) Measure(name string, value float64) {
	if r.measured == nil {
		r.measured = map[string]float64{}
	}
	r.measured[name] = value
}

// Start starts the clock, once what was done before has left no garbage (as the benchmarks of package testing do).
func (r *Run) Start() {
	runtime.GC()
	r.cpuStarted = cpuTime()
	r.started = time.Now()
}

// Stop stops the clock; from any goroutine.
func (r *Run) Stop() {
	r.stopped = time.Now()
	r.cpuStopped = cpuTime()
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Falsified is 1 if the program shall expect one more than it should (--falsify, for the tests), else 0.
func (r *Run) Falsified() uint64 {
	if r.falsified {
		return 1
	}
	return 0
}

// Expect checks a count of something, such as "messages were received".
func (r *Run) Expect(what string, found, expected uint64) {
	expected += r.Falsified()
	if found != expected {
		r.Wrong("%d %s in place of %d", found, what, expected)
	}
}

// Wrong says that the result is wrong, and why: the program will exit with 1. The first line is enough.
func (r *Run) Wrong(format string, arguments ...any) {
	if !r.wrong {
		fmt.Fprintf(os.Stderr, "%s: wrong result: %s\n", program, fmt.Sprintf(format, arguments...))
	}
	r.wrong = true
}

// End prints the record of so many operations and ends the program.
func (r *Run) End(operations uint64) {
	if err := r.print(operations); err != nil {
		fmt.Fprintf(os.Stderr, "%s: the record cannot be written: %v\n", program, err)
		os.Exit(1)
	}
	if r.wrong {
		os.Exit(1)
	}
	os.Exit(0)
}
