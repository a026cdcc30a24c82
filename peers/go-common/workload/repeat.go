package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// Repeat is the workload repeat: a client fans out to its servers, each answers, again and again.
type Repeat struct {
	*bench.Run
	Servers, Rounds uint32 // rounds are scaled

	round    uint32 // that the client has begun
	missing  uint32 // answers of this round
	answers  uint64 // in all
	wrong    uint64 // of another round, or the second of one
	answered []uint32
}

// BeginRepeat reads the command line.
func BeginRepeat(system bench.System) *Repeat {
	servers := bench.Number("servers", 100_000, "actors that answer the client")
	rounds := bench.Number("rounds", 200, "requests to each server; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "repeat",
		Summary: "a client fans out to its servers, each answers, again and again",
		Unit:    "message",
	}, servers, rounds)
	last := run.Scaled(rounds)
	if servers.Number > math.MaxUint32 || last > math.MaxUint32 {
		bench.Refuse("--servers and rounds must each be under 2^32")
	}
	return &Repeat{
		Run:      run,
		Servers:  uint32(servers.Number),
		Rounds:   uint32(last),
		answered: make([]uint32, servers.Number),
	}
}

// NextRound begins a round and is its number, from 1; the client's.
func (w *Repeat) NextRound() uint32 {
	w.round++
	w.missing = w.Servers
	return w.round
}

// Answer takes note of an answer; true if it is the last of its round. The client's.
func (w *Repeat) Answer(server, round uint32) bool {
	w.answers++
	if round != w.round || w.answered[server] == round {
		w.wrong++
	}
	w.answered[server] = round
	w.missing--
	return w.missing == 0
}

// IsLast tells whether the round is the last one.
func (w *Repeat) IsLast() bool {
	return w.round == w.Rounds
}

// End checks the answers, and ends the program.
func (w *Repeat) End() {
	w.Expect("answers came", w.answers, uint64(w.Servers)*uint64(w.Rounds))
	if w.wrong != 0 {
		w.Wrong("%d answers were of another round, or came twice", w.wrong)
	}
	w.Run.End(2 * uint64(w.Servers) * uint64(w.Rounds))
}
