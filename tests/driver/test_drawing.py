"""Figures and tables for papers: LaTeX and PGF that compile, PDFs that agree, labels that come out whole."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from actorbench.drawing.gnuplot import can_draw_pdf
from actorbench.latex import latex_table, latex_text
from actorbench.table import Column, Table
from conftest import Checkout

HOSTILE = r"$x_1$ & 50 % \input{/etc/passwd} ~ {} ^ # -- [a] | <b>"

needs_latex = pytest.mark.skipif(
    not all(map(shutil.which, ("pdflatex", "pdftotext", "pdftocairo"))),
    reason="pdflatex, pdftotext or pdftocairo is missing",
)
needs_gnuplot = pytest.mark.skipif(not can_draw_pdf(), reason="gnuplot with pdfcairo is missing")


def figures_of(checkout: Checkout, *names: str) -> Path:
    """Measure, draw, and give the run's folder."""
    assert checkout.call("figures", *names, "--workers", "1,2", "--samples", "6") == 0
    return checkout.only_run().folder


def rename(checkout: Checkout, old: str, new: str, name: str = "lines") -> None:
    """Change a label or title of an experiment."""
    text = (checkout.root / "plots" / f"{name}.toml").read_text()
    assert old in text
    checkout.experiment(text.replace(old, new.replace("\\", "\\\\").replace('"', '\\"'), 1), name)


def compiled(body: str, folder: Path) -> Path:
    """Typeset a document; shows LaTeX' complaint if it does not compile."""
    document = folder / "document.tex"
    packages = r"\usepackage[T1]{fontenc}\usepackage{pgf}\usepackage{booktabs}\pagestyle{empty}"
    document.write_text(
        rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}", encoding="utf-8"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", document.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return document.with_suffix(".pdf")


def words(pdf: Path) -> Counter[str]:
    """All words of a PDF; a line broken elsewhere is the same text."""
    done = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True)
    return Counter(done.stdout.split())


def strokes(pdf: Path) -> Counter[tuple[int, ...]]:
    """How many lines a PDF draws in each colour (percent of red, green and blue)."""
    svg = subprocess.run(["pdftocairo", "-svg", pdf, "-"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"stroke:rgb\(([\d.]+)%,([\d.]+)%,([\d.]+)%\)", svg)
    return Counter(tuple(round(float(part)) for part in colour) for colour in found)


@needs_latex
def test_the_pgf_compiles_and_equals_the_pdf(checkout: Checkout) -> None:
    rename(checkout, "Executor: queues", HOSTILE)
    folder = figures_of(checkout, "lines") / "figures"
    typeset = compiled(r"\noindent\input{lines.pgf}", folder)
    ours = folder / "lines.pdf"
    assert words(typeset) == words(ours)
    assert {"copy", "list", "workers", "50", r"\input{/etc/passwd}"} <= set(words(ours))
    assert strokes(typeset) == strokes(ours)
    assert min(strokes(ours)[colour] for colour in ((0, 45, 70), (84, 37, 0))) > 0, "both curves are drawn"


def test_the_pgf_needs_no_tex_and_names_no_path(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.call("sweep", "lines", "--workers", "1")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert checkout.call("figures", "--run", checkout.only_run().name) == 0
    text = (checkout.only_run().folder / "figures" / "lines.pgf").read_text()
    assert "Executor: queues" in text
    assert "/" not in re.sub(r"^%.*$", "", text, flags=re.MULTILINE)


def test_a_text_is_no_command_of_latex() -> None:
    assert latex_text(r"a_b & 50% \x{}") == r"a\_b \& 50\% \textbackslash{}x\{\}"
    assert latex_text("copy-queue") == "copy-queue"
    assert latex_text("--queue") == "{-}{-}queue"
    assert latex_text("\x1b\u4e2d\u2212") == r"\texttt{U+241B}\texttt{U+4E2D}$-$"


@needs_latex
def test_latex_tables_compile_with_any_text(checkout: Checkout) -> None:
    rename(checkout, "list | with a bar", HOSTILE, "table")
    folder = figures_of(checkout, "lines", "table", "ratios") / "tables"
    assert sorted(path.name for path in folder.glob("*.tex")) == ["lines.tex", "ratios.tex", "table.tex"]
    text = (folder / "table.tex").read_text()
    assert r"\toprule" in text
    assert r"peak memory (MiB)" in text
    typeset = compiled("".join(rf"\input{{{path.name}}}" for path in folder.glob("*.tex")), folder)
    said = words(typeset)
    assert {r"\input{/etc/passwd}", "told", "apart", "{}", "[a]"} <= set(said)


def test_a_heading_among_the_rows_takes_no_column() -> None:
    rows = [["one & two:", ""], ["  a", "1"], ["", ""], ["b", "2"]]
    lines = latex_table(Table("t", [Column("x", numeric=False), Column("y")], rows)).splitlines()
    assert lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")] == [
        r"\multicolumn{2}{l}{one \& two:} \\",
        r"\quad a & 1 \\",
        r"\addlinespace",
        r"b & 2 \\",
    ]


@needs_latex
def test_a_cell_that_starts_with_a_bracket_is_a_cell(tmp_path: Path) -> None:
    table = Table("[t]", [Column("[h]"), Column("*")], [["a", "b"], ["[1, 2]", "*"]], ["[n]"])
    assert {"[1,", "2]", "[h]", "*", "[n]"} <= set(words(compiled(latex_table(table), tmp_path)))


@needs_gnuplot
def test_a_label_with_a_comma_comes_out_whole(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    text = (checkout.root / "plots" / "lines.toml").read_text()
    checkout.experiment(text.replace('label = "copy"', 'label = "longest, half"'), "lines")
    folder = figures_of(checkout, "lines")
    out = capsys.readouterr().out
    assert "longest, half ***A***" in out
    assert (folder / "figures" / "lines-gnuplot.pdf").read_bytes().startswith(b"%PDF")


@needs_gnuplot
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is missing")
def test_gnuplots_pdf_has_the_texts_and_both_curves(checkout: Checkout) -> None:
    rename(checkout, "Executor: queues", 'A "title" of `date` $(date) 100 %')
    drawn = figures_of(checkout, "lines") / "figures" / "lines-gnuplot.pdf"
    assert {'"title"', "`date`", "$(date)", "copy", "list", "workers", "(s)"} <= set(words(drawn))
    colours = strokes(drawn)
    assert min(colours[colour] for colour in ((0, 45, 70), (84, 37, 0))) >= 3, "a line and its error bars"


@needs_gnuplot
def test_a_gnuplot_without_pdf_is_said_once(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = checkout.root / "bin" / "gnuplot"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\n[ "$1" = -e ] && exit 1\nexec {shutil.which("gnuplot")} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    folder = figures_of(checkout, "lines")
    out = capsys.readouterr().out
    assert out.count("no terminal pdfcairo") == 1
    assert "copy ***A***" in out
    assert not (folder / "figures" / "lines-gnuplot.pdf").exists()
