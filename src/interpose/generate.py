# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of MPI functions for one MPI; CMake runs it (src/interpose/CMakeLists.txt).

Reads what the C preprocessor made of mpi.h, and writes into a directory: `wrappers_*.cpp` and `names.cpp`, the layer;
`collectives.hpp` and `collectives.cpp`, the forms of collectives on endpoints; `refusals.cpp`, its test;
`functions.json`, what was made.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from generator import collectives
from generator.functions import Function, chosen, functions
from generator.header import declarations
from generator.refusals import missing_results, refusals
from generator.standard import Procedure, procedures
from generator.wrappers import names, sources


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("header", type=Path, help="mpi.h after the C preprocessor")
    options.add_argument("table", type=Path, help="endpoint_functions.toml")
    options.add_argument("directory", type=Path, help="where to write")
    options.add_argument("--files", type=int, default=4, help="number of wrappers_*.cpp")
    given = options.parse_args()
    standard = procedures()
    table = chosen(given.table.read_text(encoding="utf-8"))
    header = given.header.read_text(encoding="utf-8")
    made = functions(standard, declarations(header), table)
    wrappers = sources(made, given.files, standard_abi="struct MPI_ABI_Comm" in header)
    texts = {f"wrappers_{number}.cpp": text for number, text in enumerate(wrappers)}
    texts |= {
        "names.cpp": names(made),
        "collectives.hpp": collectives.header(standard, table),
        "collectives.cpp": collectives.source(standard, table),
        "refusals.cpp": refusals(made) + missing_results(made),
        "functions.json": summary(standard, made),
    }
    given.directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (given.directory / name).write_text(text, encoding="utf-8")


def summary(standard: Mapping[str, Procedure], made: Sequence[Function]) -> str:
    """Each function that concerns endpoints, with what its wrapper does; null where this MPI does not have it."""
    listed = {
        function.name: {
            "kinds": sorted({handle.kind for handle in function.handles}),
            "behaviour": function.behaviour.value,
            "standard": function.name in standard,
        }
        for function in made
    }
    absent = {name: None for name, known in standard.items() if known.handles and name not in listed}
    return json.dumps({**listed, **absent}, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
