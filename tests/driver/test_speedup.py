"""Speed-up curves: their base is 1 worker of the same series, from the same rounds."""

import pytest

from actorbench.curves import curves_of
from actorbench.measure import MEASURES
from actorbench.results import load_results
from actorbench.tables import table_for
from conftest import LINES, Checkout

# A second worker makes the copy queue 1.6 times as fast, and the list queue no faster.
SCALING = "[ $workers = 2 ] && [ $queue = copy ] && elapsed=$((elapsed * 10 / 16)); record"


@pytest.fixture
def speedups(checkout: Checkout) -> Checkout:
    """An experiment of speed-ups."""
    checkout.program("executor", SCALING)
    checkout.experiment(
        LINES.replace('kind = "lines"', 'kind = "lines"\nshow = "speedup"\nclaims = ["T9"]'), "lines"
    )
    return checkout


def test_speedups_are_ratios_to_one_worker(speedups: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert speedups.call("figures", "lines", "--workers", "1,2", "--samples", "10") == 0
    out = capsys.readouterr().out
    assert "Executor: queues: speed-up (time of 1 worker / time)" in out
    assert "speed-up over 1 worker of the same series: medians of the ratios within the rounds" in out
    assert "claims tested: T9" in out
    run = speedups.only_run()
    results = load_results(run)
    copy, in_list = curves_of(results, results.experiments[0], MEASURES["elapsed"])
    assert (copy.points[0].value, copy.points[0].low, copy.points[0].high) == (1, 1, 1)
    assert copy.points[1].value == pytest.approx(1.6, abs=0.03)
    assert in_list.points[1].value == pytest.approx(1.0, abs=0.03)
    low, high = copy.points[1].low, copy.points[1].high
    assert low is not None
    assert high is not None
    assert low <= copy.points[1].value <= high
    assert {path.suffix for path in (run.folder / "figures").iterdir()} >= {".svg", ".pdf", ".png"}


def test_speedups_keep_their_95_percent_under_a_precision(
    speedups: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """The looks were at the medians, whose intervals are of 99.29 %; no median is shown here."""
    speedups.program("executor", f"elapsed=$((100000 + $$ % 17)); {SCALING}")
    assert speedups.call("figures", "lines", "--workers", "1,2", "--precision", "5%") == 0
    out = capsys.readouterr().out
    assert "precise enough after 10 rounds" in out
    shown = out[out.index("Executor: queues: speed-up") :]
    assert "with exact 95 % intervals (sign test)" in shown
    assert "99.29" not in shown


def test_without_the_base_there_is_no_speedup(speedups: Checkout) -> None:
    speedups.call("sweep", "lines", "--workers", "2")
    results = load_results(speedups.only_run())
    curve = curves_of(results, results.experiments[0], MEASURES["elapsed"])[0]
    assert curve.points == ()
    assert curve.missing == ((2, "1 worker, its base: not measured"),)
    assert "1 worker, its base: not measured" in table_for(results, results.experiments[0]).markdown()


def test_only_times_have_speedups(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    text = LINES.replace('kind = "lines"', 'kind = "lines"\nshow = "speedup"\nmeasure = "peak_memory"')
    checkout.experiment(text, "lines")
    assert checkout.call("sweep", "lines") == 2
    assert "show: a speed-up compares times, not peak_memory" in capsys.readouterr().err
