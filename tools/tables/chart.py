# SPDX-License-Identifier: BSD-3-Clause
"""The chart of the README: message rates on two cores, and programs that are not ours. Medians, 95 % intervals.

It is SVG that is written by hand, since nothing in it may change with the version of a library: a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from raddle.judge.points import best, speed
from raddle.model import ResultRow
from raddle.stats.ratio import Ratio
from raddle.trial.summary import gain_text, saved
from tables import endpoints
from tables.cells import RESULTS, run, span

FILE = Path("docs/images/gain.svg")
_MPIS = ("mpich", "openmpi", "intel")
_WAYS = {  # variant, placement: what the chart calls it
    ("thread", "one-process"): "threads, one communicator",
    ("process", "node"): "processes",
    ("tuned", "node"): "processes, tuned",
    ("endpoint-direct", "one-process"): "endpoints",
}
_PROGRAMS = ("hpcc", "hypre")  # one that waits for messages, one that computes
_WIDTH, _LEFT, _RIGHT, _LINE = 600, 210, 96, 21
_STYLE = """
    text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .title { font-weight: 600; }
    .group { fill: #57606a; font-weight: 600; }
    .name { text-anchor: end; }
    .thread { fill: #d55e00; } .process { fill: #0072b2; } .tuned { fill: #00186c; } .endpoint-direct { fill: #3a1fc0; }
    .axis, .whisker { stroke: #57606a; fill: none; }
    .whisker { stroke-width: 2; }
    .halo { stroke: #ffffff; stroke-width: 5; }
    .dot { fill: #3a1fc0; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .group { fill: #9198a1; }
      .thread { fill: #ff8b4a; } .process { fill: #5fb6f2; }
      .tuned { fill: #9cfc9c; } .endpoint-direct { fill: #6a7bff; }
      .axis, .whisker { stroke: #c9d1d9; }
      .halo { stroke: #0d1117; }
      .dot { fill: #6a7bff; }
    }
"""


def svg() -> str:
    """The whole file."""
    y, parts = 22, []
    parts.append(_text(8, y, "Messages of 8 B between two threads or processes, million/s", "title"))
    rates = run(endpoints.SHORT)
    most = 45e6
    for mpi in _MPIS:
        y += 26
        parts.append(_text(8, y, rates.title(mpi), "group"))
        for (variant, placement), name in _WAYS.items():
            row = rates.one(benchmark="msgrate", variant=variant, placement=placement, mpi=mpi)
            if row is None or row.ci95 is None:
                continue
            y += _LINE
            low, high = row.ci95
            label = f"{row.median / 1e6:.1f} [{low / 1e6:.1f}, {high / 1e6:.1f}]"
            parts.append(_bar(y, name, variant, (row.median, low, high), most, label))
    y += 40
    parts.append(_text(8, y, "Time of two programs: processes / threads as ranks", "title"))
    gains = list(_gains())
    low_end, high_end = 0.8, 1.5
    one = _x(1 - low_end, high_end - low_end)
    top = y + 8
    for name, gain, (low, high), label in gains:
        y += _LINE + 3
        at = [_x(value - low_end, high_end - low_end) for value in (gain, low, high)]
        parts.append(_text(_LEFT - 8, y, name, "name"))
        parts.append(_line(at[1], y - 4, at[2], y - 4, "whisker"))
        parts.append(f'  <circle class="dot" cx="{at[0]:.1f}" cy="{y - 4}" r="5"/>')
        parts.append(_text(max(at[2], one) + 8, y, label))
    parts.append(_line(one, top, one, y + 6, "axis"))
    y += 22
    parts.append(_text(one - 4, y, "1x: no gain", "group"))
    height = y + 10
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title">\n'
        "  <!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
        f'  <title id="title">Endpoints against processes and threads</title>\n  <style>{_STYLE}  </style>\n'
        f"{body}\n</svg>\n"
    )


def sentence() -> list[str]:
    """What the chart says, in words."""
    rates = run(endpoints.SHORT)

    def found(variant: str, placement: str) -> list[ResultRow]:
        rows = (rates.one(benchmark="msgrate", variant=variant, placement=placement, mpi=mpi) for mpi in _MPIS)
        return [row for row in rows if row is not None]

    mine = found("endpoint-direct", "one-process")
    rival = best(rates.find(benchmark="msgrate", variant="process", placement="node"))
    threads = {row.mpi: row for row in found("thread", "one-process")}
    to_best = span(_speed(row, rival) for row in mine)
    to_threads = span(_speed(row, threads[row.mpi]) for row in mine)
    return [
        f"Message rate of two endpoints: {to_best} that of the best processes of any MPI there, "
        f"{to_threads} that of two threads on one communicator."
    ]


def _gains() -> Iterator[tuple[str, float, tuple[float, float], str]]:
    """Of each program and MPI the gain in wall time, with its interval."""
    titles = {"hpcc": "HPC Challenge", "hypre": "hypre"}
    for program in _PROGRAMS:
        for mpi in ("mpich", "openmpi"):
            found = saved(RESULTS / "programs" / f"{program}-{mpi}")
            if found is None:
                raise ValueError(f"docs/results/programs has no {program}-{mpi}")
            (wall,) = [figure for figure in found.lines[1].figures if figure.quantity == "wall"]
            if wall.gain is not None and wall.gain_interval is not None:
                yield (
                    f"{titles[program]}, {found.mpi.rpartition(' ')[0]}",
                    wall.gain,
                    wall.gain_interval,
                    gain_text(wall),
                )


def _speed(a: ResultRow, b: ResultRow | None) -> Ratio | None:
    return None if b is None else speed(a, b)


def _x(value: float, most: float) -> float:
    return _LEFT + value / most * (_WIDTH - _LEFT - _RIGHT)


def _bar(y: int, name: str, kind: str, values: tuple[float, float, float], most: float, label: str) -> str:
    middle, low, high = (_x(value, most) for value in values)
    return "\n".join(
        [
            _text(_LEFT - 8, y, name, "name"),
            f'  <rect class="{kind}" x="{_LEFT}" y="{y - 12}" width="{middle - _LEFT:.1f}" height="15"/>',
            _line(low - 1, y - 4, high + 1, y - 4, "halo"),
            _line(low, y - 4, high, y - 4, "whisker"),
            _text(max(middle, high) + 6, y, label),
        ]
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'  <line class="{kind}" x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2}"/>'


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'  <text{named} x="{x:.1f}" y="{y}">{escape(text)}</text>'
