// Package system says what this peer is.
package system

import "actorbench/go-common/bench"

// Goroutines is Go itself: a goroutine is an actor, a channel its mailbox.
func Goroutines() bench.System {
	return bench.System{Name: "goroutines", Version: bench.GoVersion()}
}
