"""`actorbench document`: writes the tables and figures of the documents from their stored runs."""

from collections import Counter
from pathlib import Path

import click
from rich.console import Console

from actorbench.errors import UserError
from actorbench.project import Project
from actorbench.table import make_console
from actorbench.text import counted


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--keep",
    metavar="RUN",
    help="Keep RUN in docs/runs first, and let each block that shows an experiment of it show this run.",
)
@click.option(
    "--replace", metavar="RUN", help="With --keep: only in blocks that show this RUN, or wait for one."
)
@click.pass_obj
def document(project: Project, files: tuple[Path, ...], keep: str | None, replace: str | None) -> None:
    """Write the blocks of FILES (README.md and docs/*.md) from their runs; say which are missing, or old."""
    from actorbench.documents.keeping import keep_run
    from actorbench.documents.renewing import (
        Library,
        documents_of,
        renew,
        require_one_run_an_image,
        showing,
        unused_runs,
        write,
    )

    if replace is not None and keep is None:
        raise UserError("--replace: says which run is replaced by that of --keep, which is missing")
    console = make_console()
    library = Library(project)
    documents = documents_of(project, files)
    if keep is not None:
        kept = keep_run(project, keep)
        console.print(f"kept: {project.shown(kept.folder)}", soft_wrap=True)
        results = library.results(kept.name, "--keep")
        documents = [showing(one, results, replace) for one in documents]
    renewed = [renew(library, one) for one in documents]
    every = [block for _, found in renewed for block in found]
    require_one_run_an_image(every)
    for one, found in renewed:
        if found:
            state = "written" if write(one, found) else "as it was"
            console.print(f"{one.shown}: {len(found)} from stored runs, {state}", soft_wrap=True)

    waiting = [
        f"{one.shown}:{block.line}: {block.subject or 'no experiment makes it'}"
        for one, _ in renewed
        for block in one.blocks
        if not block.source
    ]
    old = [
        f"{one.where}: {one.block.subject}: {_changes(one.age.changed)}" for one in every if one.age.changed
    ]
    unknown = [f"{one.where}: {one.block.subject}" for one in every if not one.age.known]
    _list(console, "to renew, once a run of the experiment is kept (--keep RUN)", waiting)
    _list(console, "older than the code that they speak of", old)
    _list(console, "of unknown age: git does not hold the commit here", unknown)
    if not files:
        _list(console, "kept, and shown nowhere", unused_runs(project, documents))


def _list(console: Console, heading: str, lines: list[str]) -> None:
    if lines:
        console.print(f"{heading}:")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True)


def _changes(paths: tuple[str, ...]) -> str:
    """Count the changed files by folder."""
    counts = Counter(str(Path(path).parent) for path in paths)
    files = ", ".join(f"{count} in {folder}" for folder, count in sorted(counts.items()))
    return f"{counted(len(paths), 'file')} changed: {files}"
