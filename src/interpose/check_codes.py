# SPDX-License-Identifier: BSD-3-Clause
"""Makes the header that has the compiler refuse a call of the MPI's whose error code is thrown away.

CMake runs it (cmake/RaddleCodes.cmake); every source of the library is compiled with what it makes. It reads what the C
preprocessor made of mpi.h, and says of each function declared there that its result counts. What nothing depends on is
handed to `regardless` (src/platform/must.hpp).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from generator.header import Declaration, declarations

_EXTENSIONS = ("MPIX_", "PMPIX_")  # which other headers may declare


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("header", type=Path, help="mpi.h after the C preprocessor")
    options.add_argument("made", type=Path, help="the file to write")
    given = options.parse_args()
    text = header(declarations(given.header.read_text(encoding="utf-8")).values())
    given.made.write_text(text, encoding="utf-8")


def header(declared: Iterable[Declaration]) -> str:
    """What is included before every source of the library."""
    known = (one.name for one in declared if one.returns_code and not one.name.startswith(_EXTENSIONS))
    said = "".join(f"[[nodiscard]] decltype({name}) {name};\n" for name in known)
    return (
        "// Made by src/interpose/check_codes.py from the installed mpi.h: every change is lost.\n"
        "#pragma once\n#include <mpi.h>\n\n#ifdef __cplusplus\n#pragma GCC diagnostic push\n"
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n'
        f'extern "C" {{\n// NOLINTBEGIN: declared again, that is what this is for\n{said}// NOLINTEND\n}}\n'
        "#pragma GCC diagnostic pop\n#endif\n"
    )


if __name__ == "__main__":
    main()
