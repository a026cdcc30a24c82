// sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full.
package main

import (
	"sync"
	"sync/atomic"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// To a customer: full or wait from the room, begin and done from the barber. A channel keeps their order.
type word int

const (
	full word = iota
	wait
	begin
	done
)

type customer struct {
	number uint64
	words  chan word
}

type kind int

const (
	enter  kind = iota // a customer, into the room
	next               // the barber wants one
	closes             // all are served
)

// To the room.
type message struct {
	kind kind
	who  *customer
}

type shop struct {
	work      *workload.SleepingBarber
	start     chan struct{}
	room      chan message
	factory   chan *customer // who was sent away, or nil: one is served
	barber    chan *customer // the next one, or nil: nobody waits
	running   sync.WaitGroup
	satisfied atomic.Uint64 // customers
}

func main() {
	work := workload.BeginSleepingBarber(system.Goroutines())
	one := &shop{
		work:    work,
		start:   make(chan struct{}),
		room:    make(chan message, work.Haircuts+2), // each customer, once; the barber, and the room itself for it
		factory: make(chan *customer, work.Haircuts),
		barber:  make(chan *customer, 2),
	}
	for _, run := range []func(){one.make, one.admit, one.cut} {
		one.running.Add(1)
		go func() {
			defer one.running.Done()
			run()
		}()
	}

	work.Start()
	one.start <- struct{}{}
	one.running.Wait()
	work.Stop()
	work.End(one.satisfied.Load())
}

// make is the factory: it makes the customers, and sends those in again who were sent away.
func (s *shop) make() {
	<-s.start
	for i := range s.work.Haircuts {
		newborn := &customer{i, make(chan word, 3)} // all that it hears if it is not sent away
		s.running.Add(1)
		go func() {
			defer s.running.Done()
			s.live(newborn)
		}()
		s.room <- message{enter, newborn}
		s.work.Arrive(i)
	}
	served := uint64(0)
	for returned := range s.factory {
		if returned != nil {
			s.work.Returned++
			s.room <- message{enter, returned}
			continue
		}
		served++
		if served == s.work.Haircuts {
			break
		}
	}
	s.room <- message{kind: closes}
}

// admit is the room. It ends when it is closed and the barber, who may still be about to ask for the next, sleeps.
func (s *shop) admit() {
	var waiting []*customer
	sleeps, closed := true, false
	for received := range s.room {
		switch received.kind {
		case enter:
			if uint64(len(waiting)) == s.work.Chairs {
				s.work.SentAway++
				received.who.words <- full
				continue
			}
			waiting = append(waiting, received.who)
			s.work.Waited = max(s.work.Waited, uint64(len(waiting)))
			if sleeps {
				sleeps = false
				s.room <- message{kind: next}
			} else {
				received.who.words <- wait
			}
		case next:
			if len(waiting) != 0 {
				s.barber <- waiting[0]
				waiting = waiting[1:]
			} else {
				s.barber <- nil
				sleeps = true
			}
		case closes:
			closed = true
		}
		if closed && sleeps {
			break
		}
	}
	close(s.barber)
}

// cut is the barber.
func (s *shop) cut() {
	for who := range s.barber {
		if who == nil {
			continue
		}
		who.words <- begin
		s.work.Cut(who.number)
		who.words <- done
		s.room <- message{kind: next}
	}
}

// live is a customer.
func (s *shop) live(self *customer) {
	begun := false
	for said := range self.words {
		switch said {
		case full:
			s.factory <- self
		case begin:
			begun = true
		case done:
			if begun {
				s.satisfied.Add(1)
			}
			s.factory <- nil
			return
		}
	}
}
