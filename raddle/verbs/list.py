# SPDX-License-Identifier: BSD-3-Clause
"""`raddle list`: what can be run here."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from raddle.catalogue import Catalogue, catalogue, thread_counts
from raddle.environment import allowed_cpus
from raddle.errors import UserError
from raddle.mpi.family import families
from raddle.mpi.find import find
from raddle.mpi.places import is_installed
from raddle.units import format_bytes


def list_all(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Show benchmarks with their parameters, variants, placements, modes, and the MPIs that are installed."""
    known = catalogue()
    mpis = _mpis()
    if as_json:
        document = {**msgspec.to_builtins(known), "mpis": mpis}
        typer.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    console = Console()
    parts = (_benchmarks, _parameters, _variants, _placements, _profiles, _modes)
    for table in (*(part(known) for part in parts), _mpi_table(mpis)):
        console.print(table, highlight=False)
        console.print()


def _mpis() -> list[dict[str, Any]]:
    """Name, title, version (None when it is not there) and problem of each MPI that Raddle knows."""
    entries: list[dict[str, Any]] = []
    for name, family in families().items():
        version, problem = None, "" if is_installed(family) else f"not installed: raddle mpi install {name}"
        if not problem:
            try:
                version = find([name])[0].version
            except UserError as error:
                problem = str(error)
        entries.append({"name": name, "title": family.title, "version": version, "problem": problem})
    return entries


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _benchmarks(known: Catalogue) -> Table:
    table = _table("Benchmarks", "name", "measures", "what it does")
    for name, one in known.benchmarks.items():
        table.add_row(name, f"{one.metric} in {one.unit}", one.summary)
    return table


def _parameters(known: Catalogue) -> Table:
    table = _table("Parameters (--bytes, --threads, --window)", "benchmark", "name", "by default", "with --quick", "")
    for name, one in known.benchmarks.items():
        for number, (param, about) in enumerate(one.params.items()):
            modes = ("default", "quick")
            by_default, quick = (_values(param, one.sweeps[mode].get(param, [about.default])) for mode in modes)
            table.add_row("" if number else name, param, by_default, quick, about.summary)
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


def _values(param: str, values: list[int] | str) -> str:
    numbers = thread_counts(len(allowed_cpus())) if isinstance(values, str) else values
    return ", ".join(format_bytes(number) if param == "bytes" else str(number) for number in numbers)
