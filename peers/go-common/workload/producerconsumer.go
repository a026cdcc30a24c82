package workload

import "actorbench/go-common/bench"

// ProducerConsumer is the workload producer-consumer: many producers stream to one consumer.
type ProducerConsumer struct {
	*bench.Run
	Producers uint64
	Messages  uint64 // of each, scaled
	Batch     uint64 // messages that a producer sends in one behaviour

	missing  uint64
	received []uint64 // by producer
}

// BeginProducerConsumer reads the command line.
func BeginProducerConsumer(system bench.System) *ProducerConsumer {
	producers := bench.Number("producers", 32, "actors that send to the consumer")
	messages := bench.Number("messages", 1_000_000, "from each of them; --scale multiplies it")
	batch := bench.Number("batch", 100, "messages that a producer sends in one behaviour")
	run := bench.Begin(system, bench.Workload{
		Name:    "producer-consumer",
		Summary: "many producers stream to one consumer",
		Unit:    "message",
	}, producers, messages, batch)
	w := &ProducerConsumer{Run: run, Producers: producers.Number, Messages: run.Scaled(messages), Batch: batch.Number}
	w.missing = w.Producers * w.Messages
	w.received = make([]uint64, w.Producers)
	return w
}

// Take counts a message of a producer; true if it is the last of all. The consumer's.
func (w *ProducerConsumer) Take(producer uint64) bool {
	w.received[producer]++
	w.missing--
	return w.missing == 0
}

// End checks how many messages came from each producer, and ends the program.
func (w *ProducerConsumer) End() {
	for i, found := range w.received {
		if found != w.Messages+w.Falsified() {
			w.Wrong("%d messages came from producer %d in place of %d", found, i, w.Messages+w.Falsified())
			break
		}
	}
	w.Run.End(w.Producers * w.Messages)
}
