# SPDX-License-Identifier: BSD-3-Clause
"""`raddle compare`: what changed between two runs, or differs between two MPIs of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from raddle.errors import UserError
from raddle.plan.request import check_names
from raddle.plan.values import words


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="A results directory: what to compare with.")],
    b: Annotated[Path | None, typer.Argument(metavar="[B]", help="Another one. Not needed with two MPIs.")] = None,
    mpi: Annotated[
        list[str] | None,
        typer.Option("--mpi", metavar="NAMES", help="X,Y: X of A with Y of B, or both of A. X: only that one."),
    ] = None,
    benchmark: Annotated[list[str] | None, typer.Option(metavar="NAMES", help="Only these.")] = None,
    variant: Annotated[list[str] | None, typer.Option(metavar="NAMES", help="Only these.")] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", help="Exit 1 if a point is shown to be worse by more than that."),
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="table, markdown or json.")] = "table",
) -> None:
    """Show ratios B/A with their intervals, turned so that above 1 is better; what changed most comes first.

    Two MPIs of one run were measured in turn, so their ratios are paired. Two runs were not: their intervals are wider,
    and what else changed in between is in the ratio. A difference is claimed only where the interval does not
    contain 1.

    Examples:

    * `raddle compare results/before results/after`
    * `raddle compare results/latest --mpi mpich,openmpi --variant thread`
    * `raddle compare base new --fail-above 5 --format markdown > comment.md`

    Two profiles (raddle profile) are compared by their times and verdicts; each is one run, so there is no interval.

    Exit status: 0 compared, 1 --fail-above found a point, 2 bad request or nothing to judge.
    """
    # Reading results loads what --help need not wait for.
    from raddle.profile.compare import profiles  # noqa: PLC0415

    check_names("--format", [form], ["table", "markdown", "json"])
    if profiles(a, b):
        _of_profiles(a, b or a, form, chosen=any((mpi, benchmark, variant, fail_above is not None)))
        return
    from raddle.compare.document import document  # noqa: PLC0415
    from raddle.compare.markdown import markdown  # noqa: PLC0415
    from raddle.compare.points import compare as compare_sides  # noqa: PLC0415
    from raddle.compare.sides import narrowed, read_sides  # noqa: PLC0415
    from raddle.compare.table import table  # noqa: PLC0415
    from raddle.compare.words import limit_words  # noqa: PLC0415

    if fail_above is not None and not 0 <= fail_above < 100:
        raise UserError(
            f"--fail-above cannot be {fail_above:g}.", hint="Give a percentage from 0 to below 100: 10 is below 0.90x."
        )
    found = compare_sides(*narrowed(read_sides(a, b, words(mpi)), words(benchmark), words(variant)))
    if form == "json":
        typer.echo(document(found, fail_above))
    elif form == "markdown":
        typer.echo(markdown(found, fail_above), nl=False)
    else:
        Console(highlight=False).print(table(found))
    if fail_above is None:
        return
    if not any(point.ratio and point.ratio.interval for point in found.points):
        raise UserError(f"{limit_words(found, fail_above)}.", hint="Measure 6 blocks or more on both sides.")
    failed = any(point.worse_by(fail_above) for point in found.points)
    # Beside a form that goes to a file, a person still reads how it ended.
    Console(stderr=form != "table", highlight=False).print(
        Text(limit_words(found, fail_above), style="bold red" if failed else "bold")
    )
    raise typer.Exit(1 if failed else 0)


def _of_profiles(a: Path, b: Path, form: str, *, chosen: bool) -> None:
    from raddle.profile import compare as of_profiles  # noqa: PLC0415

    if chosen:
        raise UserError("Two profiles are compared as a whole.", hint="Give no option but --format.")
    found = of_profiles.compare(a, b)
    if form == "table":
        Console(highlight=False).print(of_profiles.rendered(found))
    else:
        typer.echo(
            of_profiles.markdown(found) if form == "markdown" else of_profiles.document(found), nl=form == "json"
        )
