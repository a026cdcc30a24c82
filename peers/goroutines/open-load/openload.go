// open-load: goroutines are sent messages at random times.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// How many messages may wait for one of them. Where it is full main is late, and that is a part of the latency.
const mailboxSize = 1 << 14

type server struct {
	mailbox    chan *workload.Request
	disordered uint64 // once it has ended
}

func main() {
	work := workload.BeginOpenLoad(system.Goroutines())
	servers := make([]server, work.Actors)
	var running sync.WaitGroup
	for i := range servers {
		servers[i].mailbox = make(chan *workload.Request, mailboxSize)
		running.Add(1)
		go func() {
			defer running.Done()
			servers[i].serve(work)
		}()
	}

	work.Start()
	work.Send(func(actor uint64, message *workload.Request) { servers[actor].mailbox <- message })
	for i := range servers {
		close(servers[i].mailbox)
	}
	running.Wait()
	work.Stop()
	disordered := uint64(0)
	for i := range servers {
		disordered += servers[i].disordered
	}
	work.End(disordered)
}

// serve receives until no message can come any more.
func (s *server) serve(work *workload.OpenLoad) {
	disordered, next := uint64(0), uint64(0)
	for request := range s.mailbox {
		if request.Number < next {
			disordered++
		}
		next = request.Number + 1
		work.Serve(request)
	}
	s.disordered = disordered
}
