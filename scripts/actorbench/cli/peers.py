"""`actorbench peers`: which other actor systems can be measured here; builds them."""

import click

from actorbench.errors import EXIT_BENCHMARK_FAILED, EXIT_OK, UserError
from actorbench.peers.building import build_peer, is_built, why_missing
from actorbench.peers.manifest import all_peers, find_peers
from actorbench.project import Project
from actorbench.table import Column, Table, make_console


@click.command()
@click.argument("names", nargs=-1, metavar="[PEER]...")
@click.option("--build", is_flag=True, help="Build those whose toolchain is at hand.")
@click.option("--packages", is_flag=True, help="Print the Debian packages that all of them need.")
@click.pass_obj
def peers(project: Project, names: tuple[str, ...], *, build: bool, packages: bool) -> int:
    """List the peers (folders of peers/) with their systems: built, not built, or what to install."""
    chosen = find_peers(project, names)
    if packages:
        if build:
            raise UserError("--packages only prints: give it without --build")
        click.echo("\n".join(sorted({package for peer in chosen for package in peer.packages})))
        return EXIT_OK
    console = make_console()
    failed = False
    if build:
        for peer in chosen:
            missing = why_missing(project, peer)
            if missing:
                console.print(f"{peer.folder}: skipped, {missing}", soft_wrap=True)
                continue
            console.print(f"{peer.folder}: building", soft_wrap=True)
            built = build_peer(project, peer)
            if built.problem:
                failed = True
                console.print(built.log.rstrip(), soft_wrap=True)
                console.print(f"{peer.folder}: {built.problem}", soft_wrap=True)
    _table(project, {peer.folder for peer in chosen}).print(console)
    return EXIT_BENCHMARK_FAILED if failed else EXIT_OK


def _table(project: Project, folders: set[str]) -> Table:
    columns = [Column(name, numeric=False) for name in ("system", "title", "state", "workloads", "limits")]
    rows = []
    for peer in all_peers(project):
        if peer.folder not in folders:
            continue
        missing = why_missing(project, peer)
        for system in peer.systems:
            state = "built" if is_built(project, system) else missing or "not built: make peers"
            row = [system.name, system.title, state, ", ".join(system.workloads), "; ".join(system.limits)]
            rows.append(row)
    return Table("Peers", columns, rows, [] if rows else ["none in peers/"])
