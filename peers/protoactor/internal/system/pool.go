// A dispatcher of our own, as the library lets its users write one: as many goroutines as there are workers, which last.

package system

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"
)

// pool runs mailboxes in turn. The library's dispatcher starts a goroutine for each run, whose small stack then has to grow.
type pool struct {
	actor.Dispatcher // whose throughput it has
	ready            chan func()
}

func newPool(throughput int) actor.Dispatcher {
	p := &pool{actor.NewDefaultDispatcher(throughput), make(chan func(), 1<<16)}
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for run := range p.ready {
				run()
			}
		}()
	}
	return p
}

// Schedule must not block: those who could make room may all be here.
func (p *pool) Schedule(run func()) {
	select {
	case p.ready <- run:
	default:
		go run()
	}
}
