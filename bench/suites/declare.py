# SPDX-License-Identifier: BSD-3-Clause
"""Makes declared/NAME.hpp of each benchmark's NAME.toml: what its source says of it in C++. CMake runs it
(cmake/RaddleSuites.cmake)."""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import chain
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


ALGORITHMS = Path(__file__).parents[2] / "src" / "platform" / "sparse_algorithms.def"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directory", type=Path, help="where to write")
    options.add_argument("files", type=Path, nargs="+", metavar="NAME.toml")
    given = options.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    for file in given.files:
        made = header(file.stem, tomllib.loads(file.read_text(encoding="utf-8")))
        path = given.directory / f"{file.stem}.hpp"
        if not path.exists() or path.read_text(encoding="utf-8") != made:  # who includes it need not be compiled
            path.write_text(made, encoding="utf-8")


def header(name: str, about: dict[str, Any]) -> str:
    params = ",\n           ".join(param(one, said) for one, said in about["params"].items())
    words = ",\n          ".join(json.dumps(about[key]) for key in ("summary", "metric", "unit", "better"))
    team = about.get("team", "pairs").replace("-", "_")
    return f"""// Made from {name}.toml.
#pragma once

#include "core/registry.hpp"

namespace raddle::bench::declared {{

inline Declaration {name}() {{
  return {{{json.dumps(name)},
          {words},
          {{{params}}},
          teams::{team}}};
}}

}}  // namespace raddle::bench::declared
"""


def param(name: str, about: dict[str, Any]) -> str:
    choices = ", ".join(json.dumps(word) for word in chain.from_iterable(map(meant, about.get("choices", []))))
    bounds = about.get("range")
    limits = f"ValueRange{{{bounds[0]}, {bounds[1]}}}" if bounds else "{}"
    return f"{{{json.dumps(name)}, {value(about['default'])}, {json.dumps(about['summary'])}, {{{choices}}}, {limits}}}"


def meant(choice: str) -> list[str]:
    """The words that a choice stands for: `sparse-algorithms` is those that libraddle lists."""
    if choice != "sparse-algorithms":
        return [choice]
    return re.findall(r"^RADDLE_SPARSE_ALGORITHM\((\w+),", ALGORITHMS.read_text(encoding="utf-8"), re.MULTILINE)


def value(given: int | float | str) -> str:
    """A Value, whose type is what the file has."""
    if isinstance(given, str):
        return f"std::string({json.dumps(given)})"
    return repr(given) if isinstance(given, float) else f"std::int64_t{{{given}}}"


if __name__ == "__main__":
    main()
