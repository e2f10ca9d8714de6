# SPDX-License-Identifier: BSD-3-Clause
"""`raddle list`: what can be run here."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from raddle.catalogue import Benchmark, Catalogue, catalogue, thread_counts
from raddle.environment import allowed_cpus
from raddle.errors import UserError
from raddle.model import Value
from raddle.mpi.distribution import packaged
from raddle.mpi.family import families
from raddle.mpi.find import find
from raddle.mpi.places import is_installed
from raddle.plan.request import check_names
from raddle.plan.values import SHARED
from raddle.source_tree import sources
from raddle.units import format_bytes


def list_all(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="BENCHMARK", help="Benchmarks or suites whose parameters to show.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """Show what can be measured: suites, benchmarks, variants, placements, modes, and the MPIs that are installed.

    With names of benchmarks or suites, show their parameters.
    """
    known = catalogue()
    check_names("benchmark", names or [], [*known.benchmarks, *known.suites])
    console = Console()
    if as_json:
        document = {**msgspec.to_builtins(known), "mpis": _mpis()}
        typer.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    if names:
        for name in known.spelt_out(names):
            console.print(_parameters(name, known.benchmarks[name], console.width), highlight=False)
            console.print()
        return
    parts = (_suites, _benchmarks, _variants, _placements, _profiles, _modes)
    for table in (*(part(known) for part in parts), _mpi_table(_mpis())):
        console.print(table, highlight=False)
        console.print()
    console.print("raddle list BENCHMARK shows its parameters.", highlight=False)
    console.print(f"Pages that texts name (docs/...) are in {sources() / 'docs'}.", highlight=False, soft_wrap=True)


def _mpis() -> list[dict[str, Any]]:
    """Name, title, version (None when it is not there) and problem of each MPI that Raddle knows."""
    entries: list[dict[str, Any]] = []
    known = {
        name: (family.title, "" if is_installed(family) else f"raddle mpi install {name}")
        for name, family in families().items()
    }
    known |= {name: (one.full_title, "" if one.mpicc else one.how) for name, one in packaged().items()}
    for name, (title, how) in known.items():
        version, problem = None, f"not installed: {how}" if how else ""
        if not problem:
            try:
                version = find([name])[0].version
            except UserError as error:
                problem = str(error)
        entries.append({"name": name, "title": title, "version": version, "problem": problem})
    return entries


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _suites(known: Catalogue) -> Table:
    table = _table("Suites", "name", "what it is")
    for name, suite in known.suites.items():
        table.add_row(name, suite.summary)
    return table


def _benchmarks(known: Catalogue) -> Table:
    table = _table("Benchmarks", "name", "measures", "what it does")
    for name, one in known.benchmarks.items():
        table.add_row(name, f"{one.metric} in {one.unit}", one.summary)
    return table


def _parameters(name: str, one: Benchmark, width: int) -> Table:
    """The parameters of a benchmark, with their values in the modes."""
    table = _table(f"{name}: {one.summary}", "parameter", "by default", "with --quick", "")
    for column in table.columns[1:3]:
        column.no_wrap = True  # Rich breaks lines at every kind of space
    for param, about in one.params.items():
        by_default, quick = (
            _in_lines(_values(param, one.sweeps[mode].get(param, [about.default])), max(12, width // 5))
            for mode in ("default", "quick")
        )
        option = f"--{param}" if param in SHARED else f"--param {param}="
        table.add_row(option, by_default, quick, about.summary)
    return table


def _variants(known: Catalogue) -> Table:
    table = _table("Variants (--variant)", "name", "placements", "what it is")
    for name, variant in known.variants.items():
        table.add_row(name, ", ".join(variant.placements), variant.summary)
    return table


def _placements(known: Catalogue) -> Table:
    table = _table("Placements (--placement)", "name", "what it is")
    for name, placement in known.placements.items():
        table.add_row(name, placement.summary)
    return table


def _profiles(known: Catalogue) -> Table:
    table = _table("Profiles (--profile), decided by the CPUs that may be used", "name", "what it is")
    for name, profile in known.profiles.items():
        table.add_row(name, profile.summary)
    return table


def _modes(known: Catalogue) -> Table:
    table = _table("Modes", "name", "what it is")
    for name, mode in known.modes.items():
        table.add_row("(none)" if name == "default" else f"--{name}", mode.summary)
    return table


def _mpi_table(mpis: list[dict[str, Any]]) -> Table:
    table = _table("MPIs (--mpi)", "name", "MPI", "version")
    for one in mpis:
        table.add_row(one["name"], one["title"], one["version"] or one["problem"])
    return table


def _in_lines(values: Sequence[str], width: int) -> str:
    """All of them, a number and its unit on one line."""
    joined = ", ".join(value.replace(" ", "\u00a0") for value in values)
    return fill(joined, width, break_long_words=False, break_on_hyphens=False).replace("\u00a0", " ")


def _values(param: str, values: list[Value] | str) -> list[str]:
    each = thread_counts(len(allowed_cpus())) if isinstance(values, str) else values
    return [
        format_bytes(value) if param.endswith("bytes") and not isinstance(value, str) else str(value) for value in each
    ]
