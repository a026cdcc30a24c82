"""The report: it holds what a run says, nothing in it acts, and a browser shows it without complaint."""

import html.parser
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import browser as browsers
from actorbench.reporting.content import sort_key
from actorbench.text import visible
from conftest import FASTER, Checkout
from test_best import BEST
from test_grid import GRID

SCRIPT = "<script>document.title='taken'</script>"
HOSTILE = (
    rf"""{SCRIPT}\"'><img src=x onerror=\"document.title='taken'\">&amp;\u001b[31m\u202e{{{{7*7}}}}$x^2$"""
)


class Elements(html.parser.HTMLParser):
    """Gathers the start tags of a page, and checks that they are closed in order."""

    VOID = ("meta", "link", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Take in a tag."""
        assert self.open.pop() == tag


def report_of(checkout: Checkout, *arguments: str, status: int = 0) -> str:
    """Measure, report, and read the page."""
    assert checkout.call("sweep", *arguments, "--seed", "3") == status
    assert checkout.call("report", checkout.only_run().name) == 0
    return (checkout.only_run().folder / "report.html").read_text(encoding="utf-8")


def hostile_checkout(checkout: Checkout) -> None:
    """Let experiments and programs say what would act if it were not escaped."""
    for name in ("lines", "table", "ratios"):
        text = (checkout.root / "plots" / f"{name}.toml").read_text()
        text = re.sub(r'label = "(.)[^"]*"', lambda m: f'label = "{m[1]}{HOSTILE[:72]}"', text)
        text = re.sub(r'title = ".*"', lambda _: f'title = "{HOSTILE[:110]}"', text)
        checkout.experiment(text.replace("[[", f'note = "{HOSTILE}"\n[[', 1), name)
    checkout.program(
        "executor",
        r"""say() { printf '<script>\033[31m</pre></details>"'; printf '<b>no</b>\a' >&2; exit 9; }
[ $queue = list ] && say
record | sed 's/"notes":\[\]/"notes":["<script>alert(1)<\/script>"]/'""",
    )


def test_the_verdict_comes_first(checkout: Checkout) -> None:
    page = report_of(checkout, "ratios", "lines", "table", "--samples", "10", "--workers", "1,2")
    places = [page.index(f'id="{name}"') for name in ("verdict", "figures", "tables", "machine", "cells")]
    assert places == sorted(places)
    verdict = page[places[0] : places[1]]
    for shown in ("2 faster", "1 not told apart", "1 met", "1 not met", "at most 1: met", "No sample failed"):
        assert shown in verdict
    for shown in (
        "build/release/worker-centric/executor --workers 2 --scale 0.5 --queue list --json",
        "<dt>CPU<",
    ):
        assert shown in page
    assert page.count('<svg class="samples"') == 4, "every cell shows its samples"


def test_the_page_needs_no_other(checkout: Checkout) -> None:
    page = report_of(checkout, "lines", "table", "ratios", "--workers", "1,2")
    tags = Elements(page).tags
    assert not {tag for tag, _ in tags} & {"img", "iframe", "object", "embed", "base", "form"}
    links = [
        value or ""
        for _, named in tags
        for key, value in named.items()
        if key in ("src", "href", "xlink:href")
    ]
    ids = [named["id"] for _, named in tags if "id" in named]
    assert len(ids) == len(set(ids))
    assert links
    for link in links:
        assert link == "data:," or (link[0] == "#" and link[1:] in ids)
    assert "@import" not in page
    assert "url(http" not in page


def contested(checkout: Checkout) -> None:
    """Put a grid and a contest there, the labels of both hostile."""
    hostile = HOSTILE[:60].replace('\\"', "'")
    for name, text in (("grid", GRID), ("victims", BEST)):
        labelled = re.sub(r'label = "(\w*)"', lambda m: f'label = "{m[1]} {hostile}"', text)
        checkout.experiment(labelled.replace('steal = "', 'queue = "list", steal = "', 1), name)


def test_grids_and_contests_say_what_is_behind_them(checkout: Checkout) -> None:
    checkout.experiment(GRID, "grid")
    checkout.experiment(BEST.replace('"none"', '"none", queue = "list"'), "victims")
    page = report_of(checkout, "grid", "victims", "--samples", "12")
    tags = Elements(page).tags
    ids = [named["id"] for _, named in tags if "id" in named]
    assert len(ids) == len(set(ids))
    asked = [str(named["data-peek"]) for tag, named in tags if tag == "button" and "data-peek" in named]
    assert len(asked) == 6 + 4
    assert set(asked) <= set(ids)
    verdict = page[page.index('id="verdict"') : page.index('id="figures"')]
    assert "(3 of 4)" in verdict
    assert "slower than 1-3" in verdict
    behind = verdict[verdict.index('id="best-victims-0-4"') :]
    assert '<svg class="samples"' in behind[: behind.index("</pre>")]
    assert "--queue list --steal none --json" in behind[: behind.index("</pre>")]
    spot = page[page.index('id="heat-grid-0-1"') :]
    for shown in ("large, copy", "faster: 0.", "candidate: 1", "base: 2", "--actors 2 --queue list --json"):
        assert shown in spot[: spot.index("</table>")]


def test_what_is_behind_a_cell_is_escaped(checkout: Checkout) -> None:
    contested(checkout)
    page = report_of(checkout, "grid", "victims", "--samples", "6")
    tags = Elements(page).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [key for _, named in tags for key in named if key.startswith("on")]
    assert not {tag for tag, _ in tags} & {"img", "iframe"}
    assert page.count("&lt;script&gt;") > 20


def test_an_unfinished_run_says_how_to_go_on(checkout: Checkout) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    run = checkout.only_run()
    lines = run.samples_file.read_text().splitlines(keepends=True)
    run.samples_file.write_text("".join(lines[:2]))
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    assert f"./actorbench sweep --resume {run.name}" in page
    assert "4 samples are missing" in page


def test_failures_show_their_output(checkout: Checkout) -> None:
    checkout.program("executor", "[ $queue = list ] && { echo out of it; echo why >&2; exit 9; }; record")
    page = report_of(checkout, "ratios", status=4)
    failures = page[page.index('id="failures"') : page.index('id="machine"')]
    for shown in ("exit status 9", "out of it", "why", "--queue list --json"):
        assert shown in failures
    assert "2 of 5 samples failed" in page
    assert "The run is not complete" not in page, "to go on would take none of a cell that was given up"


def test_nothing_hostile_reaches_the_page_unescaped(checkout: Checkout) -> None:
    hostile_checkout(checkout)
    page = report_of(checkout, "lines", "table", "ratios", "--workers", "1,2", status=4)
    tags = Elements(page).tags
    assert [tag for tag, _ in tags].count("script") == 1
    assert not {tag for tag, _ in tags} & {"img", "b-no"}
    assert not [key for _, named in tags for key in named if key.startswith("on")]
    assert "<b>no" not in page
    assert "&lt;b&gt;no&lt;/b&gt;\u2407" in page, "a bell is seen, and silent"
    assert "\u241b[31m" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", page)
    assert "{{7*7}}" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2J\x07\r", "\u241b[2J\u2407\u240d"),
        ("\x7f\x9b\ud800\u202e", "\u2421\ufffd\ufffd\ufffd"),
    ],
)
def test_what_acts_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "key"),
    [("12.34 [12.10, 12.60]", 12.34), ("1,234,567 (n=3)", 1234567), ("-", None), ("failed: crash", None)],
)
def test_a_table_is_sorted_by_what_a_cell_begins_with(text: str, key: float | None) -> None:
    assert sort_key(text) == key


def test_the_page_goes_where_it_is_told(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    checkout.call("sweep", "table", "--workers", "1")
    name = checkout.only_run().name
    assert checkout.call("report", name, "--output", str(checkout.root / "page.html")) == 0
    assert (checkout.root / "page.html").read_text().startswith("<!DOCTYPE html>")
    capsys.readouterr()
    assert checkout.call("report", name, "--output", str(checkout.root / "no" / "page.html")) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    if browsers.PROGRAM is None:
        pytest.skip(browsers.REASON)
    with browsers.headless_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


COLUMN = (
    """[...document.querySelector("#tables table.sortable").tBodies[0].rows]"""
    """.map(row => row.cells[%d].textContent)"""
)
CLICK = """document.querySelectorAll("#tables table.sortable th button")[%d].click()"""


def test_a_browser_shows_and_sorts_the_page(checkout: Checkout, browser: browsers.Browser) -> None:
    report_of(checkout, "table", "lines", "ratios", "--workers", "1,2")
    page = checkout.only_run().folder / "report.html"
    for width in (390, 1280):
        for dark in (False, True):
            browser.open(page, width=width, dark=dark)
            assert browser.run("innerWidth") == width
            assert browser.run("document.documentElement.scrollWidth") <= width
    unsorted = browser.run(COLUMN % 2)
    numbers = [float(text.split()[0]) for text in unsorted]
    assert len(numbers) == 2
    browser.run(CLICK % 2)
    assert [float(text.split()[0]) for text in browser.run(COLUMN % 2)] == sorted(numbers)
    browser.run(CLICK % 2)
    assert [float(text.split()[0]) for text in browser.run(COLUMN % 2)] == sorted(numbers, reverse=True)
    dark = browser.run("getComputedStyle(document.body).backgroundColor")
    letters = browser.run("getComputedStyle(document.querySelector('figure svg text')).fill")
    assert (dark, letters) == ("rgb(21, 23, 27)", "rgb(230, 232, 236)")
    assert browser.complaints == []


PEEK = """document.querySelector('[data-peek="%s"]')"""


def test_a_browser_shows_what_is_behind_a_cell(checkout: Checkout, browser: browsers.Browser) -> None:
    contested(checkout)
    report_of(checkout, "grid", "victims", "--samples", "6")
    for width in (390, 1280):
        browser.open(checkout.only_run().folder / "report.html", width=width)
        assert browser.run("document.documentElement.scrollWidth") <= width
        for name in ("heat-grid-0-1", "best-victims-0-1"):
            button, behind = PEEK % name, f"document.getElementById('{name}')"
            is_open = f"{behind}.matches(':popover-open')"
            commands = f"getComputedStyle({behind}.querySelector('.commands')).display"
            browser.run(f"{button}.scrollIntoView()")
            assert not browser.run(is_open)
            browser.run(f"{button}.dispatchEvent(new PointerEvent('pointerenter'))")
            assert browser.run(is_open)
            assert browser.run(commands) == "none"
            assert browser.run(f"{behind}.querySelectorAll('circle').length") == 6
            sides = "(({left, right, top}) => [left, right, top])"
            box = browser.run(f"{sides}({behind}.getBoundingClientRect())")
            assert box[0] >= 0
            assert box[1] <= width
            assert box[2] >= 0
            browser.run(f"{button}.dispatchEvent(new PointerEvent('pointerleave'))")
            assert not browser.run(is_open)
            browser.run(f"{button}.click()")
            assert browser.run(commands) == "block"
            browser.run(f"{button}.dispatchEvent(new PointerEvent('pointerleave'))")
            assert browser.run(is_open), "a click keeps it"
            browser.run(f"{behind}.hidePopover()")
    assert browser.run("document.title").startswith(checkout.only_run().name)
    assert browser.complaints == []


def test_a_browser_shows_the_ledger(checkout: Checkout, browser: browsers.Browser) -> None:
    of_lines = FASTER.replace('"ratios"', '"lines"').replace('rows = ["copy against list"]', 'of = ["copy"]')
    checkout.claims(f'{FASTER}{of_lines}over = ["list"]')
    checkout.call("sweep", "ratios", "lines", "--samples", "10", "--workers", "1,2")
    assert checkout.call("report", "--claims") == 0
    for width in (390, 1280):
        browser.open(checkout.project.results / "ledger.html", width=width)
        browser.run("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert browser.run("document.documentElement.scrollWidth") <= width
        columns = browser.run("getComputedStyle(document.querySelector('#T4')).gridTemplateColumns")
        assert len(columns.split()) == (2 if width == 1280 else 1), (
            "a figure is beside its claim on a wide page"
        )
    browser.run("document.querySelector('a.chip').click()")
    assert browser.run("location.hash") == "#T4"
    assert browser.complaints == []


def test_a_browser_runs_nothing_hostile(checkout: Checkout, browser: browsers.Browser) -> None:
    hostile_checkout(checkout)
    report_of(checkout, "lines", "table", "ratios", "--workers", "1,2", status=4)
    page = checkout.only_run().folder / "report.html"
    browser.open(page, width=390)
    assert browser.run("document.title").startswith(checkout.only_run().name)
    assert browser.run("document.documentElement.scrollWidth") <= 390
    assert browser.complaints == []


def test_the_page_itself_lets_no_other_script_run(
    checkout: Checkout, browser: browsers.Browser, tmp_path: Path
) -> None:
    page = report_of(checkout, "table", "--workers", "1")
    broken = tmp_path / "broken.html"
    broken.write_text(page.replace("<main>", f"<main>{SCRIPT}"))
    browser.open(broken, width=390)
    assert browser.run("document.title") != "taken"
    assert len(browser.complaints) == 1


def test_voided_samples_and_decisions_are_shown(checkout: Checkout) -> None:
    checkout.call("sweep", "table", "--workers", "1", "--samples", "2")
    run = checkout.only_run()
    head = json.loads((run.folder / "run.json").read_text())
    (run.folder / "run.json").write_text(json.dumps(head | {"decisions": ["two rounds <b>fit</b>"]}))
    first = json.loads(run.samples_file.read_text().splitlines()[0])
    lines = run.samples_file.read_text()
    run.samples_file.write_text(
        json.dumps(first | {"voided": "the hypervisor took <i>9 %</i>"}) + "\n" + lines
    )
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    assert "two rounds &lt;b&gt;fit&lt;/b&gt;" in page
    assert "1 samples of disturbed rounds were voided" in page
    assert "round 1: the hypervisor took &lt;i&gt;9 %&lt;/i&gt;" in page
    assert "4 of 4 samples" in page
