// Package main is plaintext by Go's net/http: a goroutine a connection. Usage: server PORT; GOMAXPROCS says how many threads serve.
package main

import (
	"fmt"
	"net/http"
	"os"
)

var text = []byte("Hello, World!")

func answer(to http.ResponseWriter, _ *http.Request) {
	to.Header().Set("Content-Type", "text/plain")
	// An error means that the client has gone, which it then counts.
	_, _ = to.Write(text)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "server: usage: server PORT")
		os.Exit(2)
	}
	http.HandleFunc("/plaintext", answer)
	fmt.Fprintln(os.Stderr, "server:", http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
	os.Exit(1)
}
