# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/use/endpoint-functions.md: what every function of MPI does on an endpoint, from the data of the wrappers.

.venv/bin/python src/interpose/write_status.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from generator.functions import Behaviour, Table, chosen, said
from generator.standard import Procedure, procedures

ROOT = Path(__file__).parents[2]

_WORDS = {
    Behaviour.ENDPOINT: "supported",
    Behaviour.ALWAYS: "supported",
    Behaviour.NATIVE: "native",
    Behaviour.UNSUPPORTED: "refused",
    Behaviour.GIVES: "makes handles only",
}

_HEAD = """# MPI functions on endpoints

Made by `src/interpose/write_status.py` from the data of the wrappers ([interception.md](../build/interception.md));
a test compares.

* **supported**: does on an endpoint what the standard says; Raddle's own.
* **native**: does so too, by the MPI itself, on the real communicator that an endpoint's handle is.
* **refused**: raises an error of class `MPI_ERR_UNSUPPORTED_OPERATION` that names the function.

Functions that take or make no communicator, group, request, message, window or file are the MPI's own and not listed.
With `_c`, the form for large counts is there as well. An MPI whose `mpi.h` does not declare a function has not got it
here either.

"""


def main() -> None:
    table = (ROOT / "src" / "interpose" / "endpoint_functions.toml").read_text(encoding="utf-8")
    (ROOT / "docs" / "use" / "endpoint-functions.md").write_text(page(procedures(), chosen(table)), encoding="utf-8")


def page(standard: Mapping[str, Procedure], table: Table) -> str:
    """The whole page, in Markdown."""
    rows: list[tuple[str, str, str]] = []
    for name, procedure in sorted(standard.items()):
        small = name.removesuffix("_c")
        behaviour = _behaviour(procedure, table)
        if behaviour is None or (small != name and small in standard):
            continue
        both = f"{name}_c" in standard
        kinds = dict.fromkeys(handle.kind for handle in procedure.handles)
        rows.append((f"`{name}`{', `_c`' if both else ''}", ", ".join(kinds), _WORDS[behaviour]))
    counts = Counter(word for _, _, word in rows)
    totals = ", ".join(f"{counts[word]} {word}" for word in dict.fromkeys(_WORDS.values()) if counts[word])
    lines = [f"| {function} | {kinds} | {word} |" for function, kinds, word in rows]
    return (
        f"{_HEAD}{len(rows)} functions, forms for large counts not counted apart: {totals}.\n\n"
        "| function | its handles | on an endpoint |\n|---|---|---|\n" + "\n".join(lines) + "\n"
    )


def _behaviour(procedure: Procedure, table: Table) -> Behaviour | None:
    """None: it has nothing to do with endpoints."""
    given = said(table, procedure.name)
    if not procedure.handles:
        return None
    if given:
        return given
    taken = any(handle.direction != "out" for handle in procedure.handles)
    return Behaviour.UNSUPPORTED if taken else Behaviour.GIVES


if __name__ == "__main__":
    main()
