# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of a library that is preloaded in front of all others, for one MPI; CMake runs it
(cmake/RaddlePreloaded.cmake).

Reads what the C preprocessor made of mpi.h, and writes `LIBRARY_*.cpp` and `LIBRARY_names.cpp` into a directory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from generator import checked, profile_wrappers, profiled
from generator.header import declarations
from generator.standard import procedures

_SAYS = {"profile": profiled.about, "check": checked.about}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("library", choices=sorted(_SAYS), help="what its wrappers say of a call")
    options.add_argument("header", type=Path, help="mpi.h after the C preprocessor")
    options.add_argument("directory", type=Path, help="where to write")
    options.add_argument("--files", type=int, default=2, help="number of LIBRARY_*.cpp")
    given = options.parse_args()
    functions = profile_wrappers.profiled(procedures(), declarations(given.header.read_text(encoding="utf-8")))
    made = profile_wrappers.sources(functions, given.files, _SAYS[given.library], given.library)
    texts = {f"{given.library}_{number}.cpp": text for number, text in enumerate(made)}
    given.directory.mkdir(parents=True, exist_ok=True)
    for name, text in (texts | {f"{given.library}_names.cpp": profile_wrappers.names(functions)}).items():
        (given.directory / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
