// matrix: Z = X Y, a goroutine a row of X.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// A row of X, and the row of Z to be filled; both are shared.
type row struct {
	x, z []int32
}

func main() {
	work := workload.BeginMatrix(system.Goroutines())
	mailboxes := make([]chan row, work.Size)
	var running sync.WaitGroup
	for i := range mailboxes {
		mailboxes[i] = make(chan row, 1) // so that main need not wait for an actor to begin
		running.Add(1)
		go func() {
			defer running.Done()
			message := <-mailboxes[i]
			work.Multiply(message.x, message.z)
		}()
	}

	work.Start()
	for i, mailbox := range mailboxes {
		x, z := work.Row(i)
		mailbox <- row{x, z}
	}
	running.Wait()
	work.Stop()
	work.End()
}
