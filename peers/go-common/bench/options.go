// The command line: --name value for each option, as in every other program of actorbench.

package bench

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// An Option of the command line has a whole number for its value, or one of some words.
type Option struct {
	Name   string // without the dashes
	Number uint64 // its value, if it has no choices
	Word   string // its value, if it has

	choices     []string
	least, most uint64
	help        string
}

// Number makes an option whose value is a whole number from 1.
func Number(name string, initial uint64, help string) *Option {
	return NumberWithin(name, initial, 1, 1e12, help)
}

// NumberWithin makes an option whose value is a whole number within bounds.
func NumberWithin(name string, initial, least, most uint64, help string) *Option {
	return &Option{Name: name, Number: initial, least: least, most: most, help: help}
}

// Choice makes an option whose value is one of some words, at first the first.
func Choice(name, help string, choices ...string) *Option {
	return &Option{Name: name, Word: choices[0], choices: choices, help: help}
}

func (o *Option) value() any {
	if o.choices == nil {
		return o.Number
	}
	return o.Word
}

func (o *Option) set(text string) {
	if o.choices != nil {
		if !slices.Contains(o.choices, text) {
			Refuse("--%s cannot be %.40q: it is %s", o.Name, text, strings.Join(o.choices, "|"))
		}
		o.Word = text
		return
	}
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil || number < o.least || number > o.most {
		Refuse("--%s cannot be %.40q: it is a whole number from %d to %d", o.Name, text, o.least, o.most)
	}
	o.Number = number
}

func (o *Option) print() {
	usage := "N"
	if o.choices != nil {
		usage = strings.Join(o.choices, "|")
	}
	printUsage(o.Name+" "+usage, fmt.Sprintf("%s (%v)", o.help, o.value()))
}

func printUsage(usage, help string) {
	fmt.Printf("  %-38s %s\n", "--"+usage, help)
}

func values(options []*Option) map[string]any {
	all := make(map[string]any, len(options)+2)
	for _, option := range options {
		all[option.Name] = option.value()
	}
	return all
}

// Refuse ends the program with status 2 and one line, for bad usage.
func Refuse(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", program, fmt.Sprintf(format, arguments...))
	os.Exit(2)
}

func positiveNumber(name, text string) float64 {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(number, 0) || !(number > 0) {
		Refuse("--%s cannot be %.40q: it is a number over 0, such as 0.02", name, text)
	}
	return number
}

// read sets the options that the arguments name; it does not return from --help or bad usage.
func (r *Run) read(arguments []string) {
	for i := 0; i < len(arguments); i++ {
		name, isOption := strings.CutPrefix(arguments[i], "--")
		switch {
		case !isOption:
			Refuse("%.40q is no option: see --help", arguments[i])
		case name == "json":
			r.json = true
		case name == "falsify":
			r.falsified = true
		case name == "help":
			r.printHelp()
			os.Exit(0)
		case i+1 == len(arguments):
			Refuse("--%.40s needs a value: see --help", name)
		default:
			i++
			r.set(name, arguments[i])
		}
	}
}

func (r *Run) set(name, text string) {
	if name == "scale" {
		r.scale = positiveNumber(name, text)
		return
	}
	var known strings.Builder
	for _, option := range r.allOptions() {
		if option.Name == name {
			option.set(text)
			return
		}
		known.WriteString("--" + option.Name + ", ")
	}
	Refuse("there is no option %.42q: the options are %s--scale, --json, --help", "--"+name, known.String())
}

func (r *Run) allOptions() []*Option {
	return slices.Concat(r.parameters, r.options, []*Option{r.workers, r.seed})
}

func (r *Run) printHelp() {
	fmt.Printf("%s: %s\n\nIts parameters\n", r.workload.Name, r.workload.Summary)
	for _, option := range r.parameters {
		option.print()
	}
	fmt.Printf("\nOptions of every program\n")
	r.workers.print()
	printUsage("scale F", "multiplies the amount of work (1)")
	r.seed.print()
	printUsage("json", "print the record, one line of JSON")
	printUsage("help", "print this")
	fmt.Printf("\nOptions of the system %s\n", r.system.Name)
	for _, option := range r.options {
		option.print()
	}
}
