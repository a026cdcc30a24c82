"""`actorbench init`: writes the files by which a command of the user's own is measured and gated."""

import re
from pathlib import Path

import click

from actorbench.errors import UserError
from actorbench.suite import COMMAND

NAME = re.compile(r"[a-z][a-z0-9-]{0,59}")


@click.command("init")
@click.option("--command", metavar="CMD", help="The command; {workers} in it stands for their number.")
@click.option("--read", metavar="FORMAT", help='How its result is read: "wall", "json /mean ms", ...')
@click.option("--verify", metavar="TEXT", help="What its output holds if the result is right; may be empty.")
@click.option("--build", metavar="CMD", default="", help="What builds a commit in its checkout.")
@click.option("--name", metavar="ID", help="The experiment's name. [default: the program's]")
@click.option("--schemas", is_flag=True, help="Write nothing but the schemas, as this version has them.")
def init(
    command: str | None, read: str | None, verify: str | None, build: str, name: str | None, *, schemas: bool
) -> None:
    """Write an experiment, a gate's cells and a workflow for a command, in the working directory.

    Asks for what no option gives: the command, how its result is read, and what verifies it. No file that is
    there is changed, but for the schemas by which editors check the others.
    """
    from actorbench.own.command import missing, name_of
    from actorbench.own.entries import own_of
    from actorbench.reading.formats import FORMATS
    from actorbench.starting.files import Start, reader_keys, schema_files

    if schemas:
        _write(schema_files(), anew=True)
        return
    if command is None:
        command = click.prompt("The command to be measured ({workers} stands for their number)")
    if read is None:
        known = [
            " ".join([one, *FORMATS[one].needs, *(f"[{key}]" for key in FORMATS[one].takes)])
            for one in FORMATS
        ]
        click.echo(f"Formats: {', '.join(known)}")
        read = click.prompt("How its result is read", default="wall")
    if verify is None:
        verify = click.prompt(
            "A text that its output holds if the result is right", default="", show_default=False
        )
    own = own_of("--command", {"command": command, "read": reader_keys(read)})
    if build:
        own_of("--build", {"command": build, "read": "wall"})
    if problem := missing(own, Path.cwd()):
        raise UserError(f"--command: {problem} in this folder")
    name = name or re.sub(r"[^a-z0-9]+", "-", name_of(own).lower()).strip("-")
    if not NAME.fullmatch(name):
        raise UserError(f"'{name}' is no name of lower-case letters, digits and dashes: --name gives one")
    _write(Start(name, command, read, verify, build).files())
    _write(schema_files(), anew=True)
    click.echo(f"next: {COMMAND} figures {name}; once it is committed: {COMMAND} gate --base HEAD")


def _write(files: dict[Path, str], *, anew: bool = False) -> None:
    for path, text in files.items():
        if path.exists() and not anew:
            click.echo(f"{path}: is there already, and stays as it is")
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror}") from error
        click.echo(f"{path}: written")
