"""The driver of actorbench: runs the workload programs, keeps what they say, and tells what it means.

A reader's path through the package: `experiment` (what a figure asks for), `cell` and `plan`
(what is to be measured, in which order), `process` and `sample` (one measurement), `store`
(a run on disk), `sweep` (the loop), `estimates` (numbers out of samples), `results`, `tables`,
`ratios` and `drawing` (what a reader sees), `machine` (where it was measured), `cli` (the commands).
"""

VERSION = "0.1.0"
