# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers that look at calls, for one MPI; CMake runs it (src/check/CMakeLists.txt).

Reads what the C preprocessor made of mpi.h, and writes `checked_*.cpp` and `checked_names.cpp` into a directory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.checked import about
from generator.header import declarations
from generator.profile_wrappers import names, profiled, sources
from generator.standard import procedures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("header", type=Path, help="mpi.h after the C preprocessor")
    options.add_argument("directory", type=Path, help="where to write")
    options.add_argument("--files", type=int, default=2, help="number of checked_*.cpp")
    given = options.parse_args()
    functions = profiled(procedures(), declarations(given.header.read_text(encoding="utf-8")))
    made = sources(functions, given.files, about, "check")
    texts = {f"checked_{number}.cpp": text for number, text in enumerate(made)}
    given.directory.mkdir(parents=True, exist_ok=True)
    for name, text in (texts | {"checked_names.cpp": names(functions)}).items():
        (given.directory / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
