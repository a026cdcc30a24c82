package workload

import (
	"math"

	"actorbench/go-common/bench"
)

// ConcDict is the workload concdict: entities read and write a dictionary that one actor keeps.
//
// Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests go
// in that order to a model, which must give the same answers and hold the same values.
type ConcDict struct {
	*bench.Run
	Entities uint64
	Messages uint64 // of each, scaled

	writes, keys uint64
	dictionary   map[uint64]uint64
	served       []uint32 // by request: which entity's
}

// Question is what an entity asks.
type Question struct {
	Key, Value uint64
	Writes     bool // or it reads
}

// BeginConcDict reads the command line and fills the dictionary, which holds every key from the start.
func BeginConcDict(system bench.System) *ConcDict {
	entities := bench.Number("entities", 100, "actors that send requests")
	messages := bench.Number("messages", 50_000, "requests of each; --scale multiplies it")
	writes := bench.NumberWithin("writes", 10, 0, 100, "percent of the requests that write")
	keys := bench.Number("keys", 524_287, "that can be asked for: 0, 1, 2, ...")
	run := bench.Begin(system, bench.Workload{
		Name:    "concdict",
		Summary: "entities read and write a dictionary that one actor keeps",
		Unit:    "request",
	}, entities, messages, writes, keys)
	w := &ConcDict{
		Run:      run,
		Entities: entities.Number,
		Messages: run.Scaled(messages),
		writes:   writes.Number,
		keys:     keys.Number,
	}
	if max(w.Entities, w.Messages, w.keys) > math.MaxUint32 {
		bench.Refuse("--entities, --keys and the messages must each be under 2^32")
	}
	w.dictionary = make(map[uint64]uint64, w.keys)
	for key := range w.keys {
		w.dictionary[key] = key
	}
	w.served = make([]uint32, 0, w.Entities*w.Messages)
	return w
}

// Ask is an entity's request of a number, from 0.
func (w *ConcDict) Ask(entity, number uint64) Question {
	drawn := w.Draw(entity, number)
	return Question{bench.UpperBelow(drawn, w.keys), drawn, bench.LowerBelow(drawn, 100) < w.writes}
}

// Serve is the answer to a request: the key's value, the former one for a write. The keeper's.
func (w *ConcDict) Serve(entity uint64, question Question) uint64 {
	w.served = append(w.served, uint32(entity))
	answer := w.dictionary[question.Key]
	if question.Writes {
		w.dictionary[question.Key] = question.Value
	}
	return answer
}

// IsDone tells whether all has been asked. The keeper's.
func (w *ConcDict) IsDone() bool {
	return uint64(len(w.served)) == w.Entities*w.Messages
}

// Sum is a checksum of answers, with one more.
func Sum(checksum, answer uint64) uint64 {
	return checksum*0x9e3779b97f4a7c15 + answer + 1
}

// End checks that each entity was served as often as it asked, with the right answers, and ends the program.
func (w *ConcDict) End(checksum func(entity uint64) uint64) {
	model := make([]uint64, w.keys)
	for key := range model {
		model[key] = uint64(key)
	}
	asked, sums := make([]uint64, w.Entities), make([]uint64, w.Entities)
	for _, entity := range w.served {
		question := w.Ask(uint64(entity), asked[entity])
		asked[entity]++
		sums[entity] = Sum(sums[entity], model[question.Key])
		if question.Writes {
			model[question.Key] = question.Value
		}
	}
	for i := range w.Entities {
		w.Expect("requests of an entity were served", asked[i], w.Messages)
		if checksum(i) != sums[i] {
			w.Wrong("entity %d was given a wrong answer", i)
		}
	}
	for key, value := range model {
		if w.dictionary[uint64(key)] != value {
			w.Wrong("the dictionary holds %d for key %d in place of %d", w.dictionary[uint64(key)], key, value)
		}
	}
	w.Run.End(w.Entities * w.Messages)
}
