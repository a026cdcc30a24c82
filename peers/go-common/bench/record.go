// The record: one line of JSON for the driver, or a few aligned lines for people.

package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
)

type record struct {
	Schema       int            `json:"schema"`
	System       string         `json:"system"`
	Version      string         `json:"version"`
	Design       string         `json:"design"`
	Build        string         `json:"build"`
	Options      map[string]any `json:"options"`
	Workload     string         `json:"workload"`
	Parameters   map[string]any `json:"parameters"`
	Workers      int            `json:"workers"`
	ElapsedNs    int64          `json:"elapsed_ns"`
	CPUNs        int64          `json:"cpu_ns"`
	Operations   uint64         `json:"operations"`
	Unit         string         `json:"unit"`
	PeakRSSBytes uint64         `json:"peak_rss_bytes"`
	Verified     bool           `json:"verified"`
	Notes        []string       `json:"notes"`

	Measured map[string]float64 `json:"measured,omitempty"`
}

// GoVersion is the version of the language's runtime, such as 1.24.4.
func GoVersion() string {
	return strings.TrimPrefix(runtime.Version(), "go")
}

func (r *Run) record(operations uint64) record {
	options := values(r.options)
	options["runtime"] = "Go " + GoVersion()
	parameters := values(r.parameters)
	parameters["scale"] = r.scale
	parameters["seed"] = r.seed.Number
	return record{
		Schema:       1,
		System:       r.system.Name,
		Version:      r.system.Version,
		Design:       "native",
		Build:        "release",
		Options:      options,
		Workload:     r.workload.Name,
		Parameters:   parameters,
		Workers:      r.Workers(),
		ElapsedNs:    max(1, r.stopped.Sub(r.started).Nanoseconds()),
		CPUNs:        (r.cpuStopped - r.cpuStarted).Nanoseconds(),
		Operations:   operations,
		Unit:         r.workload.Unit,
		PeakRSSBytes: peakRSS(),
		Verified:     !r.wrong,
		Notes:        r.notes,
		Measured:     r.measured,
	}
}

// peakRSS is the peak of the process' resident memory in bytes, or 0 if the kernel does not tell.
func peakRSS() uint64 {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		var kibibytes uint64
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &kibibytes); err == nil {
			return kibibytes * 1024
		}
	}
	return 0
}

func (r *Run) print(operations uint64) error {
	record := r.record(operations)
	if !r.json {
		return record.printText()
	}
	line, err := json.Marshal(record)
	if err == nil {
		_, err = fmt.Printf("%s\n", line)
	}
	return err
}

func (r record) printText() error {
	var text strings.Builder
	say := func(name, format string, values ...any) {
		fmt.Fprintf(&text, "  %-16s %s\n", name, fmt.Sprintf(format, values...))
	}
	fmt.Fprintf(&text, "%s, %s %s, workers: %d\n", r.Workload, r.System, r.Version, r.Workers)
	say("work", "%d %ss", r.Operations, r.Unit)
	say("time", "%.3f s (%.2f ns a %s)", float64(r.ElapsedNs)/1e9, float64(r.ElapsedNs)/float64(r.Operations), r.Unit)
	say("CPU time", "%.3f s", float64(r.CPUNs)/1e9)
	say("peak memory", "%.1f MiB", float64(r.PeakRSSBytes)/(1<<20))
	for _, name := range slices.Sorted(maps.Keys(r.Measured)) {
		say(name, "%.0f", r.Measured[name])
	}
	if r.Verified {
		say("result", "verified")
	} else {
		say("result", "WRONG")
	}
	for _, note := range r.Notes {
		say("note", "%s", note)
	}
	_, err := fmt.Print(text.String())
	return err
}
