// repeat: a client fans out to its servers, each answers, again and again.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the client.
type start struct{}

// From the client to every server: one a round for all of them.
type request struct {
	round uint32 // from 1
}

// From a server to the client.
type answer struct {
	server, round uint32
}

type server struct {
	number uint32
	client *actor.PID
}

func (s *server) Receive(ctx actor.Context) {
	if question, ok := ctx.Message().(*request); ok {
		ctx.Send(s.client, &answer{s.number, question.round})
	}
}

type client struct {
	work    *workload.Repeat
	servers []*actor.PID
	done    chan struct{}
}

func (c *client) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *start:
		c.fanOut(ctx)
	case *answer:
		if !c.work.Answer(message.server, message.round) {
			return
		}
		if !c.work.IsLast() {
			c.fanOut(ctx)
			return
		}
		c.work.Stop()
		close(c.done)
	}
}

func (c *client) fanOut(ctx actor.Context) {
	question := &request{c.work.NextRound()}
	for _, server := range c.servers {
		ctx.Send(server, question)
	}
}

func main() {
	work := workload.BeginRepeat(system.ProtoActor())
	root := system.Start()
	self := &client{work: work, servers: make([]*actor.PID, work.Servers), done: make(chan struct{})}
	// A round has one request for each server, and one answer of each for the client.
	pid := root.Spawn(system.Props(func() actor.Actor { return self }, uint64(work.Servers)))
	for i := range self.servers {
		self.servers[i] = root.Spawn(system.Props(func() actor.Actor { return &server{uint32(i), pid} }, 1))
	}

	work.Start()
	root.Send(pid, new(start))
	<-self.done
	work.End()
}
