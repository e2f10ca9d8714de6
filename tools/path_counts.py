# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of the short paths: what an MPI call on an endpoint costs that moves 8 bytes in a process.

    .venv/bin/python tools/path_counts.py [--mpi mpich] [--functions isend]

Counts are steady where times are not: one thread drives two endpoints (tools/path_counts.c) under callgrind. Of each
path it tells the instructions of one operation, and which layer's they are: what is compiled into a function of MPI
counts as the wrapper's. With --out docs/results/path-counts.json it writes what tools/write_tables.py makes the table
of docs/build/interception.md of.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from attempts import printed

from raddle.errors import UserError
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.native import build

SOURCE = Path(__file__).with_suffix(".c")
INCLUDE = Path(__file__).resolve().parents[1] / "include"
ROUNDS = 3  # the first one fills what the others use again
TIME_LIMIT = 120.0

# Whose a function is, by how its name begins; what is none of these is a library's, such as memcpy.
LAYERS = {
    "wrapper": r"P?MPI_|raddle::endpoints::handles|std::conditional<.*find_in<",
    "arguments": r"(\w+(<.*>)?::type\* )?raddle::interpose::",
    "requests": r"raddle::endpoints::",
    "engine": r"raddle::(direct|engines|platform)::",
}
OTHER = "other"


class Counted(msgspec.Struct):
    """What one operation of a path costs, in instructions."""

    path: str
    layers: dict[str, float]
    functions: dict[str, float]

    @property
    def instructions(self) -> float:
        """All of them."""
        return sum(self.layers.values())


class Counts(msgspec.Struct):
    """What was counted of one MPI."""

    mpi: str
    paths: list[Counted]


def main() -> None:
    options = _options()
    (mpi,) = find([options.mpi])
    counts = count(mpi)
    print(counts.mpi)
    print("\n".join(lines(counts, options.functions)))
    if options.out:
        for path in counts.paths:
            path.functions.clear()
        options.out.write_bytes(msgspec.json.format(msgspec.json.encode(counts)) + b"\n")


def missing() -> str:
    """What to say where there is no callgrind; empty where there is."""
    if shutil.which("valgrind"):
        return ""
    return "valgrind counts the instructions, and is not installed. Debian and Ubuntu: apt-get install valgrind"


def count(mpi: Mpi, library: Path | None = None) -> Counts:
    """Counts on an MPI. Raises UserError where that cannot be done.

    `library` is the directory with a libraddle.so; built if none is given.
    """
    if lacking := missing():
        raise UserError(lacking)
    library = library or build(mpi, targets=["raddle"]) / "lib"
    with tempfile.TemporaryDirectory(prefix="raddle-paths-") as place:
        program = Path(place) / "path_counts"
        env = {**os.environ, **mpi.env()}
        # Each path has to return, or callgrind does not see its end.
        compile_it = [str(mpi.mpicc), "-O2", "-fno-plt", "-fno-optimize-sibling-calls", str(SOURCE), "-o", str(program)]
        link = [f"-I{INCLUDE}", f"-L{library}", f"-Wl,-rpath,{library}", "-lraddle"]
        printed([*compile_it, *link], env, TIME_LIMIT)
        out = Path(place) / "counted"
        counted = _run(mpi, program, out)
        dumps = sorted(out.parent.glob(f"{out.name}.*"), key=lambda path: int(path.suffix[1:]))
        return Counts(mpi.label, _paths(counted, [path.read_text(encoding="utf-8") for path in dumps]))


def lines(counts: Counts, functions: str = "") -> Iterator[str]:
    """For people: a line for each path, and one for each function of the path that was asked for."""
    names = (*LAYERS, OTHER)
    yield f"{'path':30}{'in all':>9}" + "".join(f"{name:>11}" for name in names)
    for path in counts.paths:
        shares = "".join(f"{path.layers.get(name, 0):11.1f}" for name in names)
        yield f"{path.path:30}{path.instructions:9.1f}{shares}"
        if path.path == functions:
            ordered = sorted(path.functions.items(), key=lambda one: -one[1])
            yield from (f"{instructions:39.1f}  {name[-120:]}" for name, instructions in ordered)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="mpich", help="a family or a path")
    parser.add_argument("--functions", default="", metavar="PATH", help="tell this path by functions as well")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the counts as JSON")
    return parser.parse_args()


def _run(mpi: Mpi, program: Path, out: Path) -> str:
    """What the program prints under callgrind, which writes a file beside `out` at the end of each path."""
    paths = sorted(set(re.findall(r"\bpath_\w+(?=\(void\))", SOURCE.read_text(encoding="utf-8"))))
    valgrind = [
        "valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", "--collect-atstart=no",
        "--compress-strings=no", "--compress-pos=no",
        # A pattern may be named for one of the two only.
        "--toggle-collect=path_*", *(f"--dump-after={path}" for path in paths),
    ]  # fmt: skip
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, [*valgrind, str(program), str(ROUNDS)], processes=1, env={}, oversubscribe=False)
    return printed(command, launcher.environment(mpi, {}), TIME_LIMIT)


def _paths(counted: str, dumps: list[str]) -> list[Counted]:
    """A path for each line that the program has printed, of its dumps after the first round."""
    of_path: dict[str, list[Counter[str]]] = {}
    for dump in dumps:
        if found := re.search(r"^desc: Trigger: --dump-after=path_(\w+)$", dump, re.MULTILINE):
            of_path.setdefault(found[1], []).append(_by_function(dump))
    operations = dict(re.findall(r"^(\w+) (\d+)$", counted, re.MULTILINE))
    if not operations or operations.keys() != of_path.keys():
        raise UserError(f"callgrind saw the ends of {sorted(of_path)}, and the program says that it went {counted}")
    return [_path(name, of_path[name], int(operations[name])) for name in operations]


def _path(name: str, all_rounds: list[Counter[str]], operations: int) -> Counted:
    settled = all_rounds[len(all_rounds) // ROUNDS :]
    each = operations / len(all_rounds) * len(settled)
    total: Counter[str] = sum(settled, Counter())
    functions = {function: round(instructions / each, 2) for function, instructions in total.items()}
    layers: dict[str, float] = {}
    for function, instructions in functions.items():
        layer = layer_of(function)
        layers[layer] = round(layers.get(layer, 0) + instructions, 2)
    return Counted(name, layers, functions)


def layer_of(function: str) -> str:
    """The layer that a function belongs to."""
    return next((layer for layer, begin in LAYERS.items() if re.match(begin, function)), OTHER)


def _by_function(dump: str) -> Counter[str]:
    """The instructions that each function has taken itself, without the path itself, which is the program's."""
    counts: Counter[str] = Counter()
    function, of_a_call = "", False
    for line in dump.splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif line.startswith("calls="):
            of_a_call = True  # the next line has what was called cost
        elif cost := re.fullmatch(r"[+*\d]\S* (\d+)", line):
            if not of_a_call and not function.startswith("path_"):
                counts[function] += int(cost[1])
            of_a_call = False
    return counts


def by_path(counts: Counts) -> Mapping[str, float]:
    """The instructions of an operation, by path."""
    return {path.path: path.instructions for path in counts.paths}


if __name__ == "__main__":
    main()
