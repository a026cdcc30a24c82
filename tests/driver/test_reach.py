"""What a table's comparisons need in rounds is known, and said, before they are measured."""

import pytest

from actorbench.amounts import Cost
from actorbench.cell import Resolver, wanted_cells
from actorbench.experiment import parse_experiment
from actorbench.launch import DEFAULT_TIMEOUT_S, Request, propose, with_budget
from actorbench.preset import parse_preset
from actorbench.reach import Need, needs_of, shortage_lines
from conftest import LINES, PRESETS, RATIOS, Checkout
from test_amounts import FOLLOWS
from test_grid import GRID

# With 12 more columns of two comparisons each, and one of a cell with itself.
WIDE = GRID + "".join(
    f'[[across]]\nlabel = "{actors}"\nparameters = {{ actors = {actors} }}\n' for actors in range(3, 15)
)


def request_of(*texts: str, budget_s: float | None = None, samples: int | None = None) -> Request:
    return Request(
        experiments=[parse_experiment(text, "x.toml") for text in texts],
        preset="quick",
        samples=samples,
        workers=(1,),
        seed=1,
        timeout_s=DEFAULT_TIMEOUT_S,
        only=None,
        arguments=[],
        budget_s=budget_s,
    )


def test_an_experiment_needs_rounds_for_what_it_compares() -> None:
    resolver = Resolver(parse_preset(PRESETS, "quick"), (1, 2))
    experiments = [parse_experiment(text, "x.toml") for text in (LINES, RATIOS, GRID)]
    cells = wanted_cells(resolver, experiments)
    needs = needs_of(resolver, experiments, cells)
    assert needs == [Need("ratios", 3), Need("grid", 4)], "lines compare nothing, nor does a cell with itself"
    assert [need.rounds for need in needs] == [7, 8]
    fewer = {cell for cell in cells if not ("list" in cell.key and "--actors 1" in cell.key)}
    assert needs_of(resolver, experiments[2:], fewer) == [Need("grid", 2)], "what is not measured"
    assert len(shortage_lines(needs, 6)) == 2
    assert shortage_lines(needs, 8) == []
    assert shortage_lines(needs, 7) == [
        "warning: grid: 4 comparisons need 8 samples a cell before any can be told apart, 7 are planned:"
        " --samples 8"
    ]


@pytest.mark.parametrize(("samples", "warns"), [(7, True), (8, False)])
def test_a_sweep_says_so_before_it_measures(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], samples: int, warns: bool
) -> None:
    checkout.experiment(GRID, "grid")
    asked = ["sweep", "grid", "--samples", str(samples)]
    said = f"4 comparisons need 8 samples a cell before any can be told apart, {samples} are planned"
    checkout.call(*asked, "--dry-run")
    assert (said in capsys.readouterr().out) == warns
    checkout.call(*asked)
    out = capsys.readouterr().out
    assert (said in out) == warns
    assert not warns or out.index(said) < out.index("run 2")


def test_a_budget_and_a_precision_know_it(checkout: Checkout) -> None:
    (checkout.root / "plots" / "presets.toml").write_text(FOLLOWS)
    budget = propose(checkout.project, request_of(WIDE, LINES, budget_s=60))
    assert budget.rounds == 11, "28 comparisons need 11 rounds, of which the preset has 8"
    assert propose(checkout.project, request_of(LINES, budget_s=60)).rounds == 8
    assert propose(checkout.project, request_of(WIDE, budget_s=60, samples=9)).rounds == 9
    assert budget.goal is not None
    assert (budget.goal.wanted_rounds, budget.shortages) == (11, [])
    costs = dict.fromkeys(budget.cells, Cost(0.01, 1.0))
    fitted = with_budget(budget, costs, 60)
    assert set(fitted.cells.values()) == {11}
    assert max(cell.scale for cell in fitted.cells) < 0.5, "less work rather than fewer rounds"
