# SPDX-License-Identifier: BSD-3-Clause
"""The `raddle` command: one verb per module of `raddle.verbs`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

import raddle
from raddle.errors import UserError
from raddle.verbs.check import check
from raddle.verbs.compare import compare
from raddle.verbs.doctor import doctor
from raddle.verbs.exec import CONTEXT, execute
from raddle.verbs.install import install
from raddle.verbs.list import list_all
from raddle.verbs.model import model_app
from raddle.verbs.mpi import mpi_app
from raddle.verbs.profile import profile
from raddle.verbs.report import report
from raddle.verbs.run import run
from raddle.verbs.try_program import try_program

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Measure what threads cost a hybrid MPI program, on the MPI that you have.",
    epilog="Begin with `raddle run --quick`; it ends with a report. Nothing is ever started by --help.",
)
app.command()(run)
app.command("list")(list_all)
app.command()(doctor)
app.command()(report)
app.command()(compare)
app.command()(install)
app.command("exec", context_settings=CONTEXT)(execute)
app.command("try", context_settings=CONTEXT)(try_program)
app.command("profile", context_settings=CONTEXT)(profile)
app.command("check", context_settings=CONTEXT)(check)
app.add_typer(mpi_app, name="mpi")
app.add_typer(model_app, name="model")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"raddle {raddle.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options that come before the verb."""


def main() -> None:
    """Run the command; an error that the user can mend is a message, what to do about it, and status 2."""
    try:
        app()
    except UserError as error:
        console = Console(stderr=True, soft_wrap=True)
        console.print(f"[bold red]Error:[/] {escape(str(error))}", highlight=False)
        if error.hint:
            console.print(escape(error.hint), highlight=False)
        sys.exit(error.exit_code)
