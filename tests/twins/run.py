# SPDX-License-Identifier: BSD-3-Clause
"""`make twins`: all programs in all modes on the MPIs installed, and a table of what differs."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from raddle import native
from raddle.errors import UserError
from raddle.mpi.find import Mpi, find
from tests import leftovers
from tests.twins.cells import Row, row
from tests.twins.launch import SECONDS
from tests.twins.program import MODES, programs

RUNS_A_CPU = 2  # beside each other: launchers mostly wait


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mpi", help="names of MPIs, with commas; default: all that are installed")
    options.add_argument("--mode", help=f"with commas, of {', '.join(MODES)}; default: all")
    options.add_argument("--library", type=Path, help="MPI-VERSION/{lib,bin} in it; default: what is built here")
    options.add_argument("--limit", type=float, default=SECONDS, help="seconds for each run")
    options.add_argument("--show", action="store_true", help="what each run wrote")
    options.add_argument("paths", nargs="*", help="parts of the programs' paths, as errors/ ; default: all")
    given = options.parse_args()
    try:
        mpis = find(given.mpi.split(",") if given.mpi else ())
        places = [given.library / mpi.label if given.library else built(mpi) for mpi in mpis]
    except UserError as error:
        sys.exit(f"{error}\n{error.hint}")
    modes = given.mode.split(",") if given.mode else list(MODES)
    if unknown := sorted(set(modes) - set(MODES)):
        sys.exit(f"unknown mode: {', '.join(unknown)}; modes: {', '.join(MODES)}")
    chosen = [one for one in programs() if not given.paths or any(part in one.name for part in given.paths)]
    before, began, rows = leftovers.segments(), time.monotonic(), []
    with ThreadPoolExecutor(RUNS_A_CPU * (os.cpu_count() or 1)) as pool:
        work = [
            pool.submit(row, mpi, one, args, modes, place, given.limit)
            for mpi, place in zip(mpis, places, strict=True)
            for one in chosen
            for args in one.args
        ]
        for future in work:
            rows.append(future.result())
            tell(rows[-1], show=given.show)
    print(table(rows, modes))
    print(f"{sum(one.runs for one in rows)} runs of {len(chosen)} programs in {time.monotonic() - began:.0f} s")
    left = left_behind(before)
    for path in left:
        print(f"left in shared memory: {path}")
    sys.exit(1 if left or any(one.divergent for one in rows) else 0)


def built(mpi: Mpi) -> Path:
    """Where this MPI's libraddle and raddle-ranks are, up to date."""
    return native.build(mpi, targets=["raddle", "raddle-ranks"])


def left_behind(before: set[Path]) -> set[Path]:
    """What Raddle left in shared memory; what an MPI left whose processes were killed is removed."""
    left = leftovers.abandoned(before)
    leftovers.remove(left)
    return {path for path in left if "raddle" in path.name}


def tell(made: Row, *, show: bool) -> None:
    for mode, text in made.found.items():
        if text:
            print(f"{made.mpi} {mode}: {made.title}: {text}", flush=True)
    if show:
        print(f"{made.mpi} {made.title}", *made.shown, sep="\n", flush=True)


def table(rows: Sequence[Row], modes: Sequence[str]) -> str:
    """A line for each program that differs somewhere or fails natively, and the sums."""
    lines = [f"{'':10}{'program':44}" + "".join(f"{mode:>11}" for mode in modes)]
    for one in rows:
        if one.divergent or one.native:
            cells = [("differs" if one.found.get(mode) else "same" if mode in one.found else "-") for mode in modes]
            note = f"   native {one.native}" if one.native else ""
            lines.append(f"{one.mpi:10}{one.title:44}" + "".join(f"{cell:>11}" for cell in cells) + note)
    for name in dict.fromkeys(one.mpi for one in rows):
        of = [one for one in rows if one.mpi == name]
        sums = [
            f"{sum(one.found.get(mode) == '' for one in of)}/{sum(mode in one.found for one in of)}" for mode in modes
        ]
        lines.append(f"{name:10}{'same, of all':44}" + "".join(f"{cell:>11}" for cell in sums))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
