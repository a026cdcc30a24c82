"""The formats of other tools: outputs as these print them, and what is read of each."""

import json
from typing import Any

import pytest

from actorbench.errors import BadRecordError
from actorbench.process import Finished
from actorbench.reading.fields import fields_of, is_unit
from actorbench.reading.formats import FORMATS, Reader, reader_of, reader_problem, record_of
from actorbench.record import Record

ABOUT = {"system": "command", "design": "command", "build": "command", "workload": "x", "parameters": {}}

GOOGLE = """{
  "context": {
    "date": "2026-11-22T10:12:13+00:00", "host_name": "h", "executable": "./bench", "num_cpus": 2,
    "mhz_per_cpu": 2800, "cpu_scaling_enabled": false, "caches": [], "load_avg": [0.5, 0.4, 0.3],
    "library_build_type": "release"
  },
  "benchmarks": [
    {"name": "BM_sort/1024", "family_index": 0, "per_family_instance_index": 0, "run_name": "BM_sort/1024",
     "run_type": "iteration", "repetitions": 3, "repetition_index": 0, "threads": 1, "iterations": 94877,
     "real_time": 29.275, "cpu_time": 29.0, "time_unit": "us"},
    {"name": "BM_sort/1024", "family_index": 0, "per_family_instance_index": 0, "run_name": "BM_sort/1024",
     "run_type": "iteration", "repetitions": 3, "repetition_index": 1, "threads": 1, "iterations": 94877,
     "real_time": 31.5, "cpu_time": 31.0, "time_unit": "us"},
    {"name": "BM_sort/1024", "family_index": 0, "per_family_instance_index": 0, "run_name": "BM_sort/1024",
     "run_type": "iteration", "repetitions": 3, "repetition_index": 2, "threads": 1, "iterations": 94877,
     "real_time": 90.0, "cpu_time": 30.0, "time_unit": "us"},
    {"name": "BM_sort/1024_mean", "run_name": "BM_sort/1024", "run_type": "aggregate", "repetitions": 3,
     "threads": 1, "aggregate_name": "mean", "aggregate_unit": "time", "iterations": 3,
     "real_time": 50.3, "cpu_time": 30.0, "time_unit": "us"},
    {"name": "BM_sort/2048/threads:2", "family_index": 1, "per_family_instance_index": 0,
     "run_name": "BM_sort/2048/threads:2", "run_type": "iteration", "repetitions": 1, "repetition_index": 0,
     "threads": 2, "iterations": 40000, "real_time": 66000.0, "cpu_time": 131000.0, "time_unit": "ns"},
    {"name": "BM_open", "family_index": 2, "per_family_instance_index": 0, "run_name": "BM_open",
     "run_type": "iteration", "repetitions": 1, "repetition_index": 0, "threads": 1, "error_occurred": true,
     "error_message": "no such file", "iterations": 0, "real_time": 0.0, "cpu_time": 0.0, "time_unit": "ns"}
  ]
}"""

AGGREGATES = """{"context": {}, "benchmarks": [
  {"name": "BM_a_mean", "run_name": "BM_a", "run_type": "aggregate", "aggregate_name": "mean", "threads": 1,
   "iterations": 5, "real_time": 9.0, "cpu_time": 9.0, "time_unit": "ms"},
  {"name": "BM_a_median", "run_name": "BM_a", "run_type": "aggregate", "aggregate_name": "median",
   "threads": 1, "iterations": 5, "real_time": 7.0, "cpu_time": 6.0, "time_unit": "ms"}]}"""

JMH = """[
    {
        "jmhVersion" : "1.37", "benchmark" : "org.sample.Sorting.sort", "mode" : "avgt", "threads" : 4,
        "forks" : 1, "jvm" : "/usr/bin/java", "jvmArgs" : [], "jdkVersion" : "17.0.9", "vmVersion" : "17",
        "warmupIterations" : 5, "warmupTime" : "1 s", "warmupBatchSize" : 1, "measurementIterations" : 2,
        "measurementTime" : "1 s", "measurementBatchSize" : 1, "params" : { "size" : "10", "kind" : "quick" },
        "primaryMetric" : {
            "score" : 1.5, "scoreError" : "NaN", "scoreConfidence" : ["NaN", "NaN"],
            "scorePercentiles" : { "0.0" : 1.4, "50.0" : 1.5, "100.0" : 1.6 },
            "scoreUnit" : "us/op", "rawData" : [[1.4, 1.6]]
        },
        "secondaryMetrics" : { }
    },
    {
        "jmhVersion" : "1.37", "benchmark" : "org.sample.Lists.add", "mode" : "thrpt", "threads" : 1,
        "forks" : 1,
        "primaryMetric" : { "score" : 4000.0, "scoreError" : 9, "scoreUnit" : "ops/ms", "rawData" : [[4e3]] },
        "secondaryMetrics" : { }
    }
]"""

CRITERION = """Benchmarking alloc
Benchmarking alloc: Warming up for 3.0000 s
Benchmarking alloc: Collecting 100 samples in estimated 5.0154 s (5050 iterations)
Benchmarking alloc: Analyzing
alloc                   time:   [2.5094 ms 2.5306 ms 2.5553 ms]
                        thrpt:  [391.34 MiB/s 395.17 MiB/s 398.51 MiB/s]
                        change: [-38.292% -37.342% -36.524%] (p = 0.00 < 0.05)
                        Performance has improved.
Found 8 outliers among 100 measurements (8.00%)
  4 (4.00%) high mild
slope  [2.5094 ms 2.5553 ms] R^2            [0.8660614 0.8640630]
mean   [2.5142 ms 2.5557 ms] std. dev.      [62.868 us 149.50 us]

Fibonacci/Recursive with a long name/20
                        time:   [19.065 µs 19.158 µs 19.247 µs]
"""

ESTIMATES = """{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":3.0},
"point_estimate":2.5,"standard_error":0.1},"median":{"point_estimate":2.0},"median_abs_dev":{"point_estimate":0.1},
"slope":SLOPE,"std_dev":{"point_estimate":0.2}}""".replace("\n", "")

MESSAGES = "\n".join(
    json.dumps(one)
    for one in (
        {
            "reason": "benchmark-complete",
            "id": "norm",
            "report_directory": "target/criterion/reports/norm",
            "iteration_count": [30, 3000],
            "measured_values": [124200.0, 9937100.0],
            "unit": "ns",
            "throughput": [{"per_iteration": 1024, "unit": "elements"}],
            "typical": {"estimate": 3419.5, "lower_bound": 3375.2, "upper_bound": 3465.4, "unit": "ns"},
            "mean": {"estimate": 3420.0, "lower_bound": 3374.4, "upper_bound": 3467.4, "unit": "ns"},
            "slope": {"estimate": 3419.5, "lower_bound": 3375.2, "upper_bound": 3465.4, "unit": "ns"},
            "change": None,
        },
        {"reason": "group-complete", "group_name": "norm", "benchmarks": ["norm"], "report_directory": "x"},
    )
)

SAVINA = """Runtime: Scala Actor
Benchmark: PingPongAkkaActorBenchmark
Args:
                         Iterations = 3
                        Num Threads = 2

Execution - Iterations:

 PingPongAkkaActorBenchmark          Iteration-0:   812.346 ms
 PingPongAkkaActorBenchmark          Iteration-1:   102.500 ms
 PingPongAkkaActorBenchmark          Iteration-2:   101.250 ms

Execution - Summary:
                   Total executions = 3
 PingPongAkkaActorBenchmark            Best Time:   101.250 ms
"""

REBENCH = """Starting Fannkuch benchmark ...
Fannkuch: iterations=1 runtime: 5200us
Fannkuch: iterations=1 runtime: 5000us
Fannkuch: GC time: 120ms
Fannkuch sort: iterations=1 runtime: 70us
12:01:02: Queens: iterations=10 runtime: 3ms
"""

# perf 6.1, in a virtual machine without counters, and as with them.
PERF = """0.76,msec,task-clock,755932,100.00,0.546,CPUs utilized
1385735,ns,duration_time,1385735,100.00,1.833,G/sec
<not supported>,,instructions,0,100.00,,
0,,context-switches,755932,100.00,0.000,/sec
"""
PERF_COUNTED = """1270000;ns;user_time;1270000;100.00;1.929;G/sec
30000;ns;system_time;30000;100.00;;
1234567;;instructions:u;658414;100.00;0.61;insn per cycle
2023876;;cycles:u;658414;100.00;1.531;GHz
"""

HYPERFINE = """{"results": [{"command": "true", "mean": 0.0021, "times": [0.001, 0.005, 0.003], "a/b": 7}]}"""
FINISHED = Finished(0, None, False, 5_000_000, b"", b"", cpu_ns=4_000_000)


def read(text: str, **keys: str) -> Record:
    """Read a text by the keys of a reader, in which nothing is wrong."""
    told = {"from" if name == "source" else name: value for name, value in keys.items()}
    assert reader_problem(told) is None
    return record_of(reader_of(told), FINISHED, text, ABOUT)


@pytest.mark.parametrize(
    ("text", "keys", "elapsed_ns", "unit"),
    [
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_sort/1024"}, 31500, "iteration"),
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_sort/2048/threads:2"}, 66000, "iteration"),
        (AGGREGATES, {"format": "google-benchmark"}, 7e6, "iteration"),
        (JMH, {"format": "jmh", "benchmark": "org.sample.Sorting.sort:size=10,kind=quick"}, 1500, "op"),
        (JMH, {"format": "jmh", "benchmark": "org.sample.Lists.add"}, 250, "ops"),
        (CRITERION, {"format": "criterion", "benchmark": "alloc"}, 2_530_600, "iteration"),
        (
            CRITERION,
            {"format": "criterion", "benchmark": "Fibonacci/Recursive with a long name/20"},
            19158,
            "iteration",
        ),
        (ESTIMATES.replace("SLOPE", '{"point_estimate":2.75}'), {"format": "criterion"}, 2.75, "iteration"),
        (ESTIMATES.replace("SLOPE", "null"), {"format": "criterion"}, 2.5, "iteration"),
        (
            ESTIMATES.replace("SLOPE", "null").replace('"mean"', '"Mean"').replace('"slope"', '"Slope"'),
            {"format": "criterion"},
            2.5,
            "iteration",
        ),
        (MESSAGES, {"format": "criterion"}, 3419.5, "iteration"),
        (SAVINA, {"format": "savina"}, 102.5e6, "iteration"),
        (REBENCH, {"format": "rebench", "benchmark": "Fannkuch"}, 5.1e6, "iteration"),
        (REBENCH, {"format": "rebench", "benchmark": "Queens"}, 3e6, "iteration"),
        (PERF, {"format": "perf-stat"}, 1385735, "process"),
        (PERF_COUNTED, {"format": "perf-stat"}, 5e6, "process"),
        (HYPERFINE, {"format": "json", "path": "/results/0/mean", "unit": "s"}, 2.1e6, "operation"),
        (HYPERFINE, {"format": "json", "path": "/results/0/times", "unit": "s"}, 3e6, "operation"),
        (HYPERFINE, {"format": "json", "path": "/results/0/a~1b", "unit": "ms"}, 7e6, "operation"),
        (
            "a 3 ms\nb 5 ms\na 9 ms",
            {"format": "regex", "pattern": "^a ([0-9]+)", "unit": "ms"},
            6e6,
            "operation",
        ),
        ("speed 4 MB/s", {"format": "regex", "pattern": "speed (.*) MB", "unit": "MB/s"}, 0.25e9, "MB"),
        ("whatever", {"format": "wall"}, 5e6, "process"),
    ],
)
def test_the_time_of_one_operation_is_read(
    text: str, keys: dict[str, str], elapsed_ns: float, unit: str
) -> None:
    record = read(text, **keys)
    assert record.elapsed_ns == pytest.approx(elapsed_ns)
    assert (record.operations, record.raw["unit"], record.verified) == (1, unit, True)


@pytest.mark.parametrize(
    ("text", "keys", "field", "value"),
    [
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_sort/1024"}, "cpu_ns", 30000),
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_sort/2048/threads:2"}, "workers", 2),
        (JMH, {"format": "jmh", "benchmark": "org.sample.Sorting.sort:size=10,kind=quick"}, "workers", 4),
        (SAVINA, {"format": "savina"}, "cpu_ns", 0),
        ("", {"format": "wall"}, "cpu_ns", 4_000_000),
        (PERF, {"format": "perf-stat"}, "cpu_ns", 760_000),
        (PERF_COUNTED, {"format": "perf-stat"}, "cpu_ns", 1_300_000),
        (
            PERF_COUNTED,
            {"format": "perf-stat"},
            "cycles",
            {"count": 2023876, "by": "perf_event, user mode"},
        ),
        (PERF_COUNTED, {"format": "perf-stat"}, "counts", {"instructions": 1234567}),
        (
            "rss 12 KiB",
            {"format": "regex", "pattern": "rss (.*) KiB", "unit": "KiB"},
            "peak_rss_bytes",
            12288,
        ),
        (
            "rss 12 KiB",
            {"format": "regex", "pattern": "rss (.*) KiB", "unit": "KiB"},
            "elapsed_ns",
            5_000_000,
        ),
        (REBENCH + "x: incorrect result\n", {"format": "rebench", "benchmark": "Queens"}, "verified", False),
    ],
)
def test_what_else_an_output_tells_is_read(
    text: str, keys: dict[str, str], field: str, value: object
) -> None:
    assert read(text, **keys).raw[field] == value


@pytest.mark.parametrize(
    ("text", "keys", "said"),
    [
        (
            GOOGLE,
            {"format": "google-benchmark"},
            "holds 3 benchmarks: 'benchmark' names one (choices: BM_sort/1024,",
        ),
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_x"}, "no benchmark 'BM_x' in the output"),
        (GOOGLE, {"format": "google-benchmark", "benchmark": "BM_open"}, "ended with an error: no such file"),
        ("{}", {"format": "google-benchmark"}, "not as google-benchmark writes it: KeyError: 'benchmarks'"),
        ('{"benchmarks": []}', {"format": "google-benchmark"}, "the output holds no result"),
        ("[1]", {"format": "jmh"}, "not as jmh writes it"),
        (
            JMH.replace("us/op", "B/op"),
            {"format": "jmh", "benchmark": "org.sample.Sorting.sort:size=10,kind=quick"},
            "'B/op'",
        ),
        ("no JSON", {"format": "jmh"}, "the output is no JSON"),
        ("alloc time: soon", {"format": "criterion"}, "the output holds no result"),
        ("", {"format": "savina"}, "the output holds no result"),
        ("", {"format": "rebench"}, "the output holds no result"),
        (
            "<not counted>,,cycles,0,100.00,,\n",
            {"format": "perf-stat"},
            "perf counted none of what can be read",
        ),
        (HYPERFINE, {"format": "json", "path": "/results/1/mean", "unit": "s"}, "nothing at /results/1"),
        (
            HYPERFINE,
            {"format": "json", "path": "/results/0/command", "unit": "s"},
            '"true" is no number over 0',
        ),
        ("t: 0 s", {"format": "regex", "pattern": "t: (.) s", "unit": "s"}, '"0" is no number over 0'),
        ("t: nan s", {"format": "regex", "pattern": "t: (.*) s", "unit": "s"}, "no number over 0"),
        ("x", {"format": "regex", "pattern": "t: (.) s", "unit": "s"}, "nothing that matches 't: (.) s'"),
        ("{}", {"format": "record"}, "breaks its schema"),
    ],
)
def test_an_output_that_tells_nothing_says_so_in_a_line(text: str, keys: dict[str, str], said: str) -> None:
    with pytest.raises(BadRecordError) as error:
        read(text, **keys)
    assert said in str(error.value)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "wall"])
@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[[]]", '{"benchmarks": 3}', "null", "\ufffd\x00"])
def test_no_output_is_an_error_of_the_drivers_own(name: str, text: str) -> None:
    keys = {"pattern": "(.)", "path": "/a", "unit": "s"}
    needed = {key: value for key, value in keys.items() if key in FORMATS[name].needs}
    if (name, text) != ("regex", ""):
        with pytest.raises(BadRecordError):
            read(text, format=name, **needed)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "no format '' (choices: wall, record, regex, json, google-benchmark,"),
        ({"format": "gbench"}, "no format 'gbench'"),
        ({"format": "regex", "unit": "s"}, "format 'regex' lacks 'pattern'"),
        ({"format": "json", "path": "/a"}, "format 'json' lacks 'unit'"),
        ({"format": "wall", "from": "x"}, "format 'wall' takes no 'from' (choices: format)"),
        ({"format": "jmh", "unit": "s"}, "format 'jmh' takes no 'unit' (choices: format, benchmark, from)"),
        ({"format": "regex", "pattern": "(", "unit": "s"}, "'(' is no regular expression"),
        ({"format": "regex", "pattern": "x", "unit": "s"}, "'x' has no group"),
        ({"format": "regex", "pattern": "(x)", "unit": "points"}, "unit 'points' is none that can be read"),
        ({"format": "json", "path": "a.b", "unit": "s"}, "'a.b' is no JSON Pointer"),
    ],
)
def test_what_is_wrong_with_a_reader_is_said(keys: dict[str, str], said: str) -> None:
    assert said in (reader_problem(keys) or "")


def test_a_reader_is_known_by_all_that_it_has() -> None:
    reader = reader_of({"format": "regex", "pattern": "(x)", "unit": "ms", "from": "stderr"})
    assert reader == Reader("regex", pattern="(x)", unit="ms", source="stderr")
    assert reader.shown == "regex (x) ms from stderr"
    assert Reader(**reader.to_json()) == reader


@pytest.mark.parametrize(
    ("unit", "fields"),
    [
        ("ns", {"elapsed_ns": 4, "unit": "operation"}),
        ("ms/request", {"elapsed_ns": 4e6, "unit": "request"}),
        ("/s", {"elapsed_ns": 0.25e9, "unit": "operation"}),
        ("op/us", {"elapsed_ns": 250, "unit": "op"}),
        ("MiB", {"peak_rss_bytes": 4 * 2**20}),
    ],
)
def test_units_are_times_rates_or_sizes(unit: str, fields: dict[str, Any]) -> None:
    assert is_unit(unit)
    assert fields_of(4, unit) == fields


@pytest.mark.parametrize("unit", ["", "points", "op/x", "%", "KB/op"])
def test_no_other_unit_is_read(unit: str) -> None:
    assert not is_unit(unit)
    with pytest.raises(BadRecordError):
        fields_of(4, unit)
