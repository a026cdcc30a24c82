// nqueens: goroutines look for the places of queens that do not attack each other, until there are enough.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

type kind int

const (
	start    kind = iota // from main
	extended             // a board, with a queen more
	solution
	done // with a board
)

// To the master.
type message struct {
	kind  kind
	board *workload.Board
}

// How far the searchers may be ahead of the master. Their mailboxes hold all their boards, so that it never waits.
const mailboxSize = 1024

func main() {
	work := workload.BeginNQueens(system.Goroutines())
	master := make(chan message, mailboxSize)
	searchers := make([]chan *workload.Board, work.Searchers)
	share := work.Share()
	for i := range searchers {
		searchers[i] = make(chan *workload.Board, share)
	}
	var running sync.WaitGroup
	running.Add(len(searchers) + 1)
	go func() {
		defer running.Done()
		deal(work, master, searchers)
	}()
	for _, boards := range searchers {
		go func() {
			defer running.Done()
			search(work, boards, master)
		}()
	}

	work.Start()
	master <- message{kind: start}
	running.Wait()
	work.Stop()
	work.End()
}

// deal is the master. A searcher's boards and solutions come before it says that it has done.
func deal(work *workload.NQueens, messages <-chan message, searchers []chan *workload.Board) {
	give := func(board *workload.Board) {
		if searcher, dealt := work.Deal(); dealt {
			searchers[searcher] <- board
		}
	}
	for last := false; !last; {
		received := <-messages
		switch received.kind {
		case start:
			work.EmptyBoards(give)
		case extended:
			give(received.board)
		case solution:
			work.Found()
		case done:
			last = work.Done()
		}
	}
	for _, boards := range searchers {
		close(boards)
	}
}

// search is a searcher.
func search(work *workload.NQueens, boards <-chan *workload.Board, master chan<- message) {
	for board := range boards {
		work.Search(board,
			func(more *workload.Board) { master <- message{extended, more} },
			func() { master <- message{kind: solution} })
		master <- message{kind: done}
	}
}
