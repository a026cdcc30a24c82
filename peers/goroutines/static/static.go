// static: one goroutine receives one message over and over; from itself, or from main.
package main

import (
	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type message struct{}

// How far main may be ahead. The actor that sends to itself has one message there at most.
const mailboxSize = 1024

func main() {
	work := workload.BeginStatic(system.Goroutines())
	mailbox := make(chan *message, mailboxSize)
	parcel := new(message)
	done := make(chan uint64)
	if work.FromMain {
		go func() { done <- receiveAll(mailbox) }()
	} else {
		go func() { done <- sendToSelf(mailbox, work.Sends) }()
	}

	work.Start()
	if work.FromMain {
		for range work.Sends {
			mailbox <- parcel
		}
		close(mailbox)
	} else {
		mailbox <- parcel
	}
	received := <-done
	work.Stop()
	work.End(received)
}

// receiveAll is the actor to whom main sends, until main closes the mailbox; its result is how many messages came.
func receiveAll(mailbox <-chan *message) (received uint64) {
	for range mailbox {
		received++
	}
	return received
}

// sendToSelf is the actor that sends each message on to itself, until it has received enough.
func sendToSelf(mailbox chan *message, sends uint64) (received uint64) {
	for parcel := range mailbox {
		received++
		if received == sends {
			break
		}
		mailbox <- parcel
	}
	return received
}
