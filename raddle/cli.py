# SPDX-License-Identifier: BSD-3-Clause
"""The `raddle` command: one verb per module of `raddle.verbs`, of which only the one that is called is loaded."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer

import raddle
from raddle.errors import UserError

# Of verbs that are followed by a command: with these it begins to read its own options and not the command's.
_FOLLOWED = {"allow_interspersed_args": False, "ignore_unknown_options": True}

# Verb -> its module in raddle.verbs, its function or group there, settings.
_VERBS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "run": ("run", "run", None),
    "list": ("list", "list_all", None),
    "doctor": ("doctor", "doctor", None),
    "report": ("report", "report", None),
    "compare": ("compare", "compare", None),
    "install": ("install", "install", None),
    "exec": ("exec", "execute", _FOLLOWED),
    "try": ("try_program", "try_program", _FOLLOWED),
    "profile": ("profile", "profile", _FOLLOWED),
    "check": ("check", "check", _FOLLOWED),
    "mpi": ("mpi", "mpi_app", None),
    "model": ("model", "model_app", None),
}
# Of ClickException, by its name: typer has a copy of click in some versions, and in others uses click itself.
_USAGE: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def application(verb: str | None = None) -> typer.Typer:
    """The command with that verb alone, or with all of them: what a verb needs takes longer to load than to do."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode="markdown",
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Measure what threads cost a hybrid MPI program, on the MPI that you have.",
        epilog="Begin with `raddle run --quick`; it ends with a report. Nothing is ever started by --help.",
    )
    app.callback()(_root)
    for name in [verb] if verb in _VERBS else _VERBS:
        module, attribute, settings = _VERBS[name]
        found = getattr(import_module(f"raddle.verbs.{module}"), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name)
        else:
            app.command(name, context_settings=settings)(found)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"raddle {raddle.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options that come before the verb."""


def main() -> None:
    """Run the command; an error that the user can mend is a message, what to do about it, and status 2."""
    try:
        status = application(sys.argv[1] if sys.argv[1:] else None)(prog_name="raddle", standalone_mode=False)
    except UserError as error:
        _tell(str(error), error.hint)
        sys.exit(error.exit_code)
    except _USAGE as error:
        _tell_usage(error)
        sys.exit(2)
    except typer.Abort:  # no answer to a question
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _tell_usage(error: Any) -> None:
    """What was typed is no command: said as every other error is."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # the help has been shown
        return
    words = (
        context.command_path if context else " ".join(["raddle", *(verb for verb in sys.argv[1:2] if verb in _VERBS)])
    )
    text = error.format_message().strip()
    _tell(text if text.endswith((".", "?")) else f"{text}.", f"All options: {words} --help")


def _tell(text: str, hint: str) -> None:
    """Every error looks like this: what is wrong, then what to do about it."""
    from rich.console import Console  # noqa: PLC0415 (takes as long to load as all the rest)
    from rich.markup import escape  # noqa: PLC0415

    console = Console(stderr=True, soft_wrap=True)
    console.print(f"[bold red]Error:[/] {escape(text)}", highlight=False)
    if hint:
        console.print(escape(hint), highlight=False)
