# SPDX-License-Identifier: BSD-3-Clause
"""Writes the header that has the compiler refuse a call of the MPI's whose error code is thrown away.

It says of each function that an installed mpi.h declares that its result counts. What nothing depends on is handed to
`regardless` (src/platform/must.hpp).
"""

from __future__ import annotations

from collections.abc import Iterable

from generator.header import Declaration

_EXTENSIONS = ("MPIX_", "PMPIX_")  # which other headers may declare


def header(declared: Iterable[Declaration]) -> str:
    """What is included before every source of the library."""
    known = (one.name for one in declared if one.returns_code and not one.name.startswith(_EXTENSIONS))
    said = "".join(f"[[nodiscard]] decltype({name}) {name};\n" for name in known)
    return (
        "// Made by src/interpose/check_codes.py from the installed mpi.h: every change is lost.\n"
        "#pragma once\n#include <mpi.h>\n\n#ifdef __cplusplus\n#pragma GCC diagnostic push\n"
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n'
        f'extern "C" {{\n{said}}}\n#pragma GCC diagnostic pop\n#endif\n'
    )
