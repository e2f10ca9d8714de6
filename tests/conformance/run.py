# SPDX-License-Identifier: BSD-3-Clause
"""`make conformance`: runs mpi4py's test suite with every rank a thread's endpoint, and beside it with processes.

On the MPIs installed. Writes docs/evidence/conformance.md.
"""

from __future__ import annotations

import argparse
import signal
import sys
from datetime import datetime, timezone

from raddle import native
from raddle.errors import UserError
from raddle.mpi.find import Mpi, find
from tests.conformance import ledger, page, suite
from tests.conformance.launch import SHAPES, Shape, of_processes, run


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mpi", help="names of MPIs, with commas; default: all that are installed")
    options.add_argument("--shape", help=f"with commas, of {', '.join(SHAPES)}, and numbers of processes; default: all")
    options.add_argument("--page", action="store_true", help="only write the page, of what is in the ledger")
    given = options.parse_args()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # after the job has been ended
    try:
        if not given.page:
            for mpi in find(given.mpi.split(",") if given.mpi else ()):
                measure(mpi, shapes(given.shape))
        page.write()
    except UserError as error:
        sys.exit(f"{error}\n{error.hint}")


def shapes(names: str | None) -> list[Shape]:
    every = [*SHAPES, *sorted({str(one.ranks) for one in SHAPES.values()})]
    chosen = names.split(",") if names else every
    if unknown := sorted(set(chosen) - set(every)):
        raise UserError(f"unknown shape: {', '.join(unknown)}", hint=f"shapes: {', '.join(every)}")
    return [SHAPES.get(name) or of_processes(int(name)) for name in chosen]


def measure(mpi: Mpi, chosen: list[Shape]) -> None:
    place = suite.bring()
    library = native.build(mpi, targets=["raddle"]) / "lib" / "libraddle.so"
    for shape in chosen:
        made = run(mpi, shape, place, suite.modules(place), library if shape.threads else None, _tell)
        ledger.add(mpi, shape, made, datetime.now(timezone.utc).date().isoformat())


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
