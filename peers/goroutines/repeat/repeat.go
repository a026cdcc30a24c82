// repeat: a client goroutine fans out to its servers, each answers, again and again.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type request struct {
	round uint32 // from 1
}

type answer struct {
	server, round uint32
}

func main() {
	work := workload.BeginRepeat(system.Goroutines())
	// No mailbox is ever full: a round has one request for each server, and one answer of each for the client.
	answers := make(chan answer, work.Servers)
	servers := make([]chan request, work.Servers)
	for i := range servers {
		servers[i] = make(chan request, 1)
		go serve(uint32(i), servers[i], answers)
	}
	start, done := make(chan struct{}), make(chan struct{})
	go func() {
		<-start
		ask(work, servers, answers)
		close(done)
	}()

	work.Start()
	start <- struct{}{}
	<-done
	for _, server := range servers {
		close(server)
	}
	work.End()
}

// ask is the client.
func ask(work *workload.Repeat, servers []chan request, answers <-chan answer) {
	fanOut := func() {
		question := request{work.NextRound()}
		for _, server := range servers {
			server <- question
		}
	}
	fanOut()
	for reply := range answers {
		if !work.Answer(reply.server, reply.round) {
			continue
		}
		if work.IsLast() {
			break
		}
		fanOut()
	}
	work.Stop()
}

// serve is a server; it ends when its mailbox is closed.
func serve(number uint32, requests <-chan request, client chan<- answer) {
	for question := range requests {
		client <- answer{number, question.round}
	}
}
