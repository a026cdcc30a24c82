"""The example notebook runs, from its first cell to its last, where it lies."""

import ast
import json
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from conftest import SOURCE

NOTEBOOK = SOURCE / "docs" / "notebook.ipynb"


def run_cell(source: str, names: dict[str, Any]) -> object:
    """Run a cell without Jupyter; what its last line is worth is shown under the cell, and returned."""
    lines = [line for line in source.splitlines() if not line.startswith("%")]
    body = ast.parse("\n".join(lines)).body
    last = body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        return None
    exec(compile(ast.Module(body[:-1], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACTORBENCH_ROOT", raising=False)
    monkeypatch.chdir(NOTEBOOK.parent)
    monkeypatch.setitem(mpl.rcParams, "backend", "agg")
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert (notebook["nbformat"], len({cell["id"] for cell in notebook["cells"]})) == (
        4,
        len(notebook["cells"]),
    )
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells), "committed bare"
    names: dict[str, Any] = {}
    shown = [run_cell("".join(cell["source"]), names) for cell in cells]
    assert all(one is not None and len(getattr(one, "axes", [0])) for one in shown)
    assert sum(isinstance(one, Figure) for one in shown) == 1
    assert set(names["queues"]["verdict"]) <= {"faster", "slower", "not told apart"}
