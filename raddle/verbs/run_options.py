# SPDX-License-Identifier: BSD-3-Clause
"""The options of `raddle run`, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

_WHAT, _HOW, _WHERE = "What to measure", "How much and how", "Where results go"


def _option(panel: str, *names: str, **settings: Any) -> Any:
    return typer.Option(*names, rich_help_panel=panel, **settings)


Benchmarks = Annotated[
    list[str] | None,
    typer.Argument(metavar="BENCHMARK", help="Benchmarks or suites: see `raddle list`. Default: the suite basic."),
]
Mpis = Annotated[
    list[str] | None,
    _option(
        _WHAT,
        "--mpi",
        metavar="NAMES",
        help="mpich, openmpi, intel; a distribution's: mpich-debian, openmpi-ubuntu; or the path of your own mpicc "
        "or its prefix. Default: all that are installed, of the distribution's only processes.",
    ),
]
Variants = Annotated[
    list[str] | None,
    _option(
        _WHAT,
        "--variant",
        metavar="NAMES",
        help="Only these: process, tuned, master, thread, lane, threadcomm, endpoint-direct, endpoint-proxy, physical.",
    ),
]
Placements = Annotated[
    list[str] | None,
    _option(_WHAT, "--placement", metavar="NAMES", help="Only these: node, one-process, no-shm, netns, nodes."),
]
Profile = Annotated[
    str | None,
    _option(
        _WHAT, "--profile", metavar="NAME", help="Only what leaves each thread a CPU (clean), or the rest (shared)."
    ),
]
Bytes = Annotated[list[str] | None, _option(_WHAT, "--bytes", metavar="SIZES", help="Message sizes: 8,64K,4M.")]
Threads = Annotated[
    list[str] | None, _option(_WHAT, "--threads", metavar="COUNTS", help="Concurrent pairs: threads on each side.")
]
Window = Annotated[
    list[str] | None, _option(_WHAT, "--window", metavar="COUNTS", help="Messages in flight in each pair.")
]
Param = Annotated[
    list[str] | None,
    _option(_WHAT, "--param", metavar="NAME=VALUES", help="Another parameter of a benchmark: mode=published,windowed."),
]
Quick = Annotated[
    bool,
    _option(
        _HOW,
        "--quick",
        help="A first look: few sizes, 6 blocks. On 2 cores the suite basic takes under 3 minutes, others up to 6.",
    ),
]
Publish = Annotated[
    bool,
    _option(_HOW, "--publish", help="All sizes, 15 to 40 blocks, until every headline ratio is known to 2 %. Hours."),
]
Blocks = Annotated[
    int | None,
    _option(
        _HOW,
        "--blocks",
        min=1,
        metavar="N",
        help="Repeat everything N times. An interval needs 6. Default: 9, with --quick 6.",
    ),
]
Seed = Annotated[
    int | None, _option(_HOW, "--seed", min=0, max=2**32 - 1, metavar="N", help="Repeat the order of another run.")
]
Pin = Annotated[str, _option(_HOW, "--pin", metavar="HOW", help="Bind threads to CPUs: compact, spread, none.")]
TimeLimit = Annotated[
    float | None,
    _option(
        _HOW,
        "--time-limit",
        min=1.0,
        metavar="SECONDS",
        help="End a launch that takes longer. Default: 60 s and ten times its plan.",
    ),
]
Out = Annotated[
    Path | None, _option(_WHERE, "--out", metavar="DIR", help="A new or empty directory. Default: results/TIME.")
]
Resume = Annotated[Path | None, _option(_WHERE, "--resume", metavar="DIR", help="Go on with a run that was cut off.")]
DryRun = Annotated[bool, _option(_WHERE, "--dry-run", help="Say what would be launched and how long it takes; stop.")]
