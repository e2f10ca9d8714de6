# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are not ours, as processes and as ranks of threads: docs/evidence/programs.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from programs.program import Program, listed

from raddle.trial.summary import Line, Summary, gain_text, saved
from tables.cells import RESULTS, line

KEPT = RESULTS / "programs"
_HEAD = ("program", "MPI", "output", "wall time", "memory per rank", "its own figures")


def tried() -> list[str]:
    """A line for each program that ran, MPI and shape; all numbers are how much better than processes."""
    lines = [line(*_HEAD), "|" + "---|" * len(_HEAD)]
    for program in listed().values():
        for place in _places(program):
            found = saved(place)
            for each in found.lines[1:] if found else ():
                if found and not each.problem:
                    lines.append(_row(program, found, each))
    return lines


def notes() -> list[str]:
    """A sentence about each."""
    lines = [line("program", "language", "comes from", ""), "|---|---|---|---|"]
    for program in listed().values():
        origin = "PyPI" if program.pip else "the MPI's wheel" if not program.apt and not program.source else "Debian"
        lines.append(line(program.title, program.language, origin, program.note))
    return lines


def refused() -> list[str]:
    """Those that do not run, and what they were told."""
    lines = [line("program", "MPI", "what it was told"), "|---|---|---|"]
    for program in listed().values():
        for place in _places(program):
            found = saved(place)
            for each in found.lines[1:] if found else ():
                if found and each.problem:
                    lines.append(line(program.title, found.mpi, each.problem))
            if not found:
                told = json.loads((place / "refused.json").read_text(encoding="utf-8"))
                lines.append(line(program.title, told["mpi"], told["said"]))
    return lines


def _places(program: Program) -> Iterator[Path]:
    """Where what was found is kept, in the order of its MPIs."""
    return (place for mpi in program.mpis if (place := KEPT / f"{program.name}-{mpi}").is_dir())


def _row(program: Program, found: Summary, each: Line) -> str:
    figures = {figure.quantity: figure for figure in each.figures}
    memory = [one.memory_mb_per_rank for one in (each, found.lines[0])]
    beside = f"{memory[0]:.3g} MB, {memory[1]:.3g}" if memory[0] and memory[1] else "-"
    own = [f"`{name}` {gain_text(figures[name])}" for name in figures if name not in ("wall", "cpu")]
    output = _output(program, found, each)
    wall = gain_text(figures["wall"]) if "wall" in figures else ""
    return line(program.title, found.mpi, output, wall, beside, "<br>".join(own))


def _output(program: Program, found: Summary, each: Line) -> str:
    if not program.compared:
        return "not compared: its figures alone"
    if each.same_output:
        return "the same"
    return "varies also as processes" if found.unsteady else "different"
