"""The documents' tables and figures are what their stored runs say, and none is typed."""

import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from actorbench.catalogue import all_experiments, experiment_groups
from actorbench.documents.age import Age, age_since, code_of
from actorbench.documents.blocks import Document, read_document
from actorbench.documents.rendering import OLDER
from actorbench.documents.renewing import (
    Library,
    Shown,
    documents_of,
    renew,
    require_one_run_an_image,
    unused_runs,
)
from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.results import load_results
from actorbench.simulated.description import machine_names
from actorbench.store import Run, all_kept_runs, all_runs, find_run
from conftest import SOURCE, GateCheckout
from test_simulated_machines import SIMULATED

PROJECT = Project(SOURCE)
LIBRARY = Library(PROJECT)
DOCUMENTS = documents_of(PROJECT)
INTERVAL = re.compile(r"^\|.*\d \[[\d.,]+( %)?, [\d.,]+( %)?\]", re.MULTILINE)
WAITING = """A text.

<!-- table, to renew: experiment=table -->
typed
<!-- end -->

<!-- figure, to renew: experiment=lines -->
<!-- end -->

<!-- table, to renew: -->
| by | hand |
<!-- end -->
"""


@cache
def shown() -> list[Shown]:
    """Find what belongs into the blocks of this checkout's documents."""
    return [block for document in DOCUMENTS for block in renew(LIBRARY, document)[1]]


def test_every_block_is_what_would_be_written() -> None:
    assert shown()
    wrong = [one.where for one in shown() if not one.text_is_true or one.needs_image]
    assert wrong == [], "make docs writes them"
    require_one_run_an_image(shown())


def test_what_is_to_be_renewed_can_be() -> None:
    groups = ("", *experiment_groups(PROJECT))
    known = {one.id: one.kind for group in groups for one in all_experiments(PROJECT, group)}
    for document in DOCUMENTS:
        for block in document.blocks:
            if block.experiment and not block.source:
                assert block.experiment in known, f"{document.shown}:{block.line}"
                assert block.kind == "table" or known[block.experiment] == "lines"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.path.name)
def test_no_table_of_measurements_is_typed(document: Document) -> None:
    assert INTERVAL.search(document.prose) is None


def test_a_typed_table_would_be_found() -> None:
    assert INTERVAL.search("text\n| copy queue | 0.392 [0.379, 0.403] | faster |\n")


def test_every_image_and_every_kept_run_is_shown() -> None:
    drawn = {block.experiment for one in DOCUMENTS for block in one.blocks if block.kind == "figure"}
    texts = [path.read_text() for path in (*(SOURCE / "docs").glob("*.md"), SOURCE / "README.md")]
    shown = {name for text in texts for name in re.findall(r"\]\((?:docs/)?images/([\w-]+)\.png\)", text)}
    assert {path.stem for path in (SOURCE / "docs" / "images").iterdir()} == shown
    machines = ["", *(f"-{name}" for name in machine_names(PROJECT))]
    assert [one for one in drawn if not shown & {f"{one}{machine}" for machine in machines}] == []
    assert unused_runs(PROJECT, DOCUMENTS) == []


def test_the_code_of_an_experiment_is_its_designs_and_workloads() -> None:
    known = {one.id: one for group in ("", "ablation") for one in all_experiments(PROJECT, group)}
    actors, ours = (code_of(PROJECT, known[name]) for name in ("ablation-actor-centric", "missed-gulps"))
    assert {":(glob)core/*.[ch]", "core/platform", "core/actor_centric", "workloads/big.c"} <= set(actors)
    assert not {"core/sharded", "core/worker_centric", "workloads/static.c"} & set(actors)
    assert {"core/sharded", "core/message_centric", "workloads/static.c"} <= set(ours)


def test_the_code_of_a_peer_is_its_folder_with_what_it_shares() -> None:
    kept = [LIBRARY.results(run.name, "") for run in all_kept_runs(PROJECT)]
    peers = next(one for results in kept for one in results.experiments if one.wants_peers)
    assert {"peers/caf", "peers/protoactor", "peers/go-common"} <= set(code_of(PROJECT, peers))


@pytest.fixture
def measured(gate_checkout: GateCheckout) -> GateCheckout:
    """A repository with code, a document that waits for a run, and a run."""
    gate_checkout.once("measured", lambda: measure(gate_checkout))
    return gate_checkout


@pytest.fixture
def documented(measured: GateCheckout) -> GateCheckout:
    """The same, with the run kept and shown."""
    measured.once("documented", lambda: keep(measured))
    return measured


def measure(checkout: GateCheckout) -> None:
    for name in ("core/worker_centric/send.c", "workloads/executor.c", "workloads/static.c"):
        path = checkout.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("code\n")
    (checkout.root / "docs").mkdir()
    (checkout.root / "docs" / "a.md").write_text(WAITING)
    (checkout.root / "README.md").write_text("No block.\n")
    checkout.commit()
    checkout.program("executor")
    assert checkout.call("sweep", "table", "lines", "--samples", "10", "--workers", "1,2") == 0


def text_of(checkout: GateCheckout) -> str:
    return (checkout.root / "docs" / "a.md").read_text()


def blocks_of(checkout: GateCheckout) -> list[Shown]:
    library = Library(checkout.project)
    return [one for document in documents_of(checkout.project) for one in renew(library, document)[1]]


def keep(checkout: GateCheckout) -> Run:
    run = checkout.only_run()
    assert checkout.call("document", "--keep", run.name) == 0
    return run


def test_a_run_is_kept_and_shown(measured: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    run = keep(measured)
    text, out = text_of(measured), capsys.readouterr().out
    assert f"<!-- table: experiment=table run={run.name} -->\n**A table**\n" in text
    assert re.search(r"^\| list \\\| with a bar +\| +2 \| +2\d\d\.\d \[", text, re.MULTILINE)
    assert f"<!-- figure: experiment=lines run={run.name} -->\n![Executor: queues" in text
    assert "](images/lines.png)" in text
    commit = measured.git("rev-parse", "HEAD")[:12]
    assert text.count(f"run {run.name}") == text.count(f"commit {commit}.*") == 2
    assert "typed" not in text
    assert "docs/a.md: 2 from stored runs, written" in out
    line = text.splitlines().index("<!-- table, to renew: -->") + 1
    assert f"docs/a.md:{line}: no experiment makes it" in out
    assert all(one.text_is_true and not one.needs_image for one in blocks_of(measured))


def test_a_kept_run_is_read_like_any_other(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = documented.only_run()
    before = load_results(run)
    shutil.rmtree(run.folder)
    kept = find_run(documented.project, run.name)
    assert kept.is_kept
    assert load_results(kept).samples == before.samples
    shutil.copy(SOURCE / ".gitignore", documented.root)
    committed = documented.git("status", "--porcelain", "--untracked-files=all")
    assert f"docs/runs/{run.name}/run.json" in committed
    assert documented.call("report", run.name) == 0
    assert documented.call("figures", "--run", run.name) == 0
    assert documented.git("status", "--porcelain", "--untracked-files=all") == committed
    assert (kept.folder / "report.html").exists()
    assert documented.call("replay", run.name, "lines") == 0
    assert documented.call("list") == 0
    assert capsys.readouterr().out.count(run.name) > 2


def test_what_is_written_stays(documented: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    text, image = text_of(documented), (documented.root / "docs" / "images" / "lines.png").read_bytes()
    capsys.readouterr()
    assert documented.call("document") == 0
    assert "docs/a.md: 2 from stored runs, as it was" in capsys.readouterr().out
    assert (text_of(documented), (documented.root / "docs/images/lines.png").read_bytes()) == (text, image)


def test_a_typed_number_is_wrong_and_put_right(documented: GateCheckout) -> None:
    text = text_of(documented)
    typed = re.sub(r"(\| +2 \| +)1", r"\g<1>9", text)
    assert typed != text
    (documented.root / "docs" / "a.md").write_text(typed)
    assert [one.text_is_true for one in blocks_of(documented)] == [False, True]
    assert documented.call("document") == 0
    assert text_of(documented) == text


@pytest.mark.parametrize("wrong", ["missing", "of another run", "no image"])
def test_an_image_that_is_not_the_runs_is_drawn_again(documented: GateCheckout, wrong: str) -> None:
    path = documented.root / "docs" / "images" / "lines.png"
    if wrong == "missing":
        path.unlink()
    elif wrong == "no image":
        path.write_text("no image")
    else:
        picture = blocks_of(documented)[1].picture
        assert picture
        replace(picture, results=replace(picture.results, name="another")).draw()
    assert [one.needs_image for one in blocks_of(documented)] == [False, True]
    assert documented.call("document") == 0
    assert not any(one.needs_image for one in blocks_of(documented))


def test_a_block_older_than_its_code_is_told_and_not_wrong(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    (documented.root / "workloads" / "static.c").write_text("changed, and not shown\n")
    documented.commit()
    documented.call("document")
    assert "older than the code" not in capsys.readouterr().out
    assert OLDER not in text_of(documented)

    (documented.root / "core" / "worker_centric" / "send.c").write_text("changed\n")
    documented.commit()
    assert all(one.text_is_true for one in blocks_of(documented))
    documented.call("document")
    out = capsys.readouterr().out
    assert "older than the code that they speak of:" in out
    assert "docs/a.md:3: table: 1 file changed: 1 in core/worker_centric" in out
    assert text_of(documented).count(f"{OLDER}*\n<!-- end -->") == 2
    assert all(one.text_is_true for one in blocks_of(documented))


@pytest.mark.parametrize(
    ("before", "after", "is_old"),
    [
        ("/* One\n * line. */\nint a;\n", "/* One\n * line. */\nint a; // as it was\n", True),
        ("/* One\n * line. */\nint a;\n", "\n// One line.\n/* Another. */\n\nint a;\n", False),
        ("/* One\n * line.\n */\nint a;\n", "/* One line,\n *\n * and **another**.\n */\nint a;\n", False),
        ("*a = 1;\n", "*a = 2;\n", True),
        ("int a;\n", "\n", True),
        ("/* One. */ a = 1;\n", "/* One. */ a = 2;\n", True),
    ],
)
def test_a_comment_does_not_make_it_older(
    documented: GateCheckout, before: str, after: str, *, is_old: bool
) -> None:
    path = documented.root / "core" / "worker_centric" / "send.c"
    path.write_text(before)
    documented.commit()
    commit = documented.git("rev-parse", "HEAD")
    path.write_text(after)
    documented.commit()
    changed = ("core/worker_centric/send.c",) if is_old else ()
    assert age_since(Project(documented.root), commit, ["core"]) == Age(known=True, changed=changed)


def test_a_clone_without_history_leaves_the_age_as_it_is(
    documented: GateCheckout, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (documented.root / "workloads" / "executor.c").write_text("changed\n")
    documented.commit()
    documented.call("document")
    documented.commit()
    clone = tmp_path_factory.mktemp("clone") / "clone"
    documented.git("clone", "--quiet", "--depth", "1", f"file://{documented.root}", str(clone))
    library = Library(Project(clone))
    document = read_document(clone / "docs" / "a.md", "a.md")
    written, found = renew(library, document)
    assert [one.age.known for one in found] == [False, False]
    assert written.text == document.text
    assert document.text.count(OLDER) == 2
    assert all(one.text_is_true and not one.needs_image for one in found)


def test_columns_are_picked_in_the_order_named(documented: GateCheckout) -> None:
    run = documented.only_run()
    wanted = "peak memory (MiB); workers"
    block = f'<!-- table: experiment=table run={run.name} columns="{wanted}" -->\n<!-- end -->\n'
    (documented.root / "docs" / "a.md").write_text(block)
    assert documented.call("document") == 0
    (heads,) = re.findall(r"^\| .*memory.*$", text_of(documented), re.MULTILINE)
    assert [one.strip() for one in heads.split("|")[1:-1]] == ["", "peak memory (MiB)", "workers"]


def test_only_the_documents_named_show_a_kept_run(measured: GateCheckout) -> None:
    other = measured.root / "docs" / "b.md"
    other.write_text(WAITING)
    assert measured.call("document", "--keep", measured.only_run().name, str(other)) == 0
    assert text_of(measured) == WAITING
    assert "typed" not in other.read_text()


def test_of_several_runs_one_is_replaced(measured: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    """Without saying which, only where a block waits."""
    run, document = measured.only_run(), measured.root / "docs" / "a.md"
    old = ["20260101T000000Z-a", "20260102T000000Z-b"]
    for name in old:
        shutil.copytree(run.folder, measured.project.kept_runs / name)
    blocks = "".join(f"<!-- table: experiment=table run={name} -->\n<!-- end -->\n" for name in old)

    def kept_in(text: str, *more: str) -> list[str]:
        document.write_text(text)
        status = measured.call("document", "--keep", run.name, *more)
        return re.findall(r"^<!-- .* run=(\S+)", document.read_text(), re.MULTILINE) if status == 0 else []

    assert kept_in(blocks) == []
    assert "docs/a.md:1: shows table of 2 runs: say with --replace RUN" in capsys.readouterr().err
    assert document.read_text() == blocks
    waiting = "<!-- table, to renew: experiment=table -->\n<!-- end -->\n"
    assert kept_in(blocks + waiting) == [*old, run.name]
    assert kept_in(blocks, "--replace", old[1]) == [old[0], run.name]


def test_what_replaces_a_run_must_be_kept(measured: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    assert measured.call("document", "--replace", "a") == 2
    assert "--replace: says which run is replaced by that of --keep" in capsys.readouterr().err


def test_two_runs_have_no_image_of_one_name(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = documented.only_run()
    shutil.copytree(
        documented.project.kept_runs / run.name, documented.project.kept_runs / "20260101T000000Z-b"
    )
    text = text_of(documented) + "<!-- figure: experiment=lines run=20260101T000000Z-b -->\n<!-- end -->\n"
    (documented.root / "docs" / "a.md").write_text(text)
    assert documented.call("document") == 2
    assert "a figure of the documents is of one run" in capsys.readouterr().err


def test_a_run_with_a_cell_that_was_given_up_is_complete(gate_checkout: GateCheckout) -> None:
    (gate_checkout.root / "README.md").write_text("No block.\n")
    gate_checkout.program("executor", "[ $queue = list ] && exit 9; record")
    assert gate_checkout.call("sweep", "table", "--samples", "5", "--workers", "1") == 4
    keep(gate_checkout)


def test_an_incomplete_run_is_not_kept(measured: GateCheckout, capsys: pytest.CaptureFixture[str]) -> None:
    run = measured.only_run()
    lines = run.samples_file.read_bytes().splitlines(keepends=True)
    run.samples_file.write_bytes(b"".join(lines[:-2]))
    assert measured.call("document", "--keep", run.name) == 2
    told = f"lacks 2 of {len(lines)} samples: ./actorbench sweep --resume {run.name}"
    assert told in capsys.readouterr().err
    assert all_kept_runs(measured.project) == []


def test_what_is_kept_and_not_shown_is_listed(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = documented.only_run()
    (documented.root / "docs" / "a.md").write_text("Nothing.\n")
    assert documented.call("document") == 0
    assert f"kept, and shown nowhere:\n  docs/runs/{run.name}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!-- table: experiment=table run=RUN -->\n", "docs/a.md:1: the block has no '<!-- end -->'"),
        ("<!-- end -->\n", "docs/a.md:1: '<!-- end -->' without a block"),
        (
            "<!-- table: experiment=a run=b -->\n<!-- table: experiment=a run=b -->\n",
            "block of line 1 has no",
        ),
        ("<!-- table experiment=a -->\n<!-- end -->\n", "docs/a.md:1: is no block: it begins as"),
        ("<!-- table: experiment=a -->\n<!-- end -->\n", "'table' needs run=NAME"),
        ("<!-- gates: -->\n<!-- end -->\n", "'gates' needs campaign=NAME"),
        ("<!-- gates: campaign=x -->\n<!-- end -->\n", "no campaign 'x'"),
        ("<!-- counts: campaign=x -->\n<!-- end -->\n", "no campaign 'x'"),
        ("<!-- figure: experiment=a run=b columns=c -->\n<!-- end -->\n", "takes no 'columns' (choices"),
        ("<!-- table: run=b run=c experiment=a -->\n<!-- end -->\n", "takes no field twice"),
        ('<!-- table: experiment="a -->\n<!-- end -->\n', "is no block: No closing quotation"),
        ("<!-- table, to renew: experiment=a run=b -->\n<!-- end -->\n", "to be renewed has no run yet"),
        ("<!-- selection: options=3 -->\n<!-- end -->\n", "docs/selection.csv: cannot be read"),
        ("<!-- table: experiment=table run=../x -->\n<!-- end -->\n", "no run '../x' in docs/runs"),
        (
            "<!-- table: experiment=other run=RUN -->\n<!-- end -->\n",
            "no experiment 'other' (choices: table, l",
        ),
        (
            "<!-- figure: experiment=table run=RUN -->\n<!-- end -->\n",
            "kind 'table': only lines, boxes, grid, best are drawn",
        ),
        (
            "<!-- table: experiment=table run=RUN columns=x -->\n<!-- end -->\n",
            "no column 'x' (choices: workers",
        ),
    ],
)
def test_a_wrong_block_is_one_clear_line(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    run = documented.only_run()
    (documented.root / "docs" / "a.md").write_text(text.replace("RUN", run.name))
    capsys.readouterr()
    assert documented.call("document") == 2
    message = capsys.readouterr().err
    assert told in message
    assert message.count("\n") == 1


def test_a_garbled_kept_run_is_one_clear_line(
    documented: GateCheckout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = documented.only_run()
    (documented.project.kept_runs / run.name / "samples.jsonl.xz").write_bytes(b"no xz")
    assert documented.call("document") == 2
    assert f"docs/runs/{run.name}/samples.jsonl.xz: cannot be read" in capsys.readouterr().err


def test_a_document_is_read_and_written_as_it_is() -> None:
    for document in DOCUMENTS:
        assert document.text == document.path.read_text(encoding="utf-8")
        with pytest.raises(UserError):
            read_document(Path("no such file"), "no such file")


def test_a_simulated_run_is_shown_as_one(measured: GateCheckout) -> None:
    (measured.root / "machine").mkdir()
    (measured.root / "machine" / "descriptions").symlink_to(SOURCE / "machine" / "descriptions")
    measured.program("executor", SIMULATED, config="simulated")
    sweep = ("sweep", "table", "lines", "--samples", "10", "--workers", "1,2")
    assert measured.call(*sweep, "--machine", "opteron") == 0
    run = next(run for run in all_runs(measured.project) if run.name.endswith("-opteron"))
    assert measured.call("document", "--keep", run.name) == 0
    text = text_of(measured)
    assert "](images/lines-opteron.png)" in text
    assert text.count("SIMULATED, not measured: machine opteron") == 2
    assert text.count("Simulated on ") == 2
    assert "Measured on" not in text
