# SPDX-License-Identifier: BSD-3-Clause
"""Makes the header that every source of the library is compiled with; CMake runs it (src/CMakeLists.txt).

Reads what the C preprocessor made of mpi.h.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.header import declarations
from generator.nodiscard import header


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("header", type=Path, help="mpi.h after the C preprocessor")
    options.add_argument("made", type=Path, help="the file to write")
    given = options.parse_args()
    text = header(declarations(given.header.read_text(encoding="utf-8")).values())
    given.made.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
