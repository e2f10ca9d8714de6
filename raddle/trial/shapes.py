# SPDX-License-Identifier: BSD-3-Clause
"""Ways to run the same number of ranks: as processes, as threads of one process, and in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from raddle.errors import UserError
from raddle.threads_as_ranks import parts, program

_COUNTS = ("-n", "-np", "--n", "--np", "--ntasks")
_JOINED = re.compile(r"(--?(?:np?|ntasks)=)(\d+)")


@dataclass(frozen=True)
class Shape:
    """So many processes, each with so many threads that are ranks; 0: the processes are the ranks."""

    processes: int
    threads: int = 0
    engine: str = "direct"

    @property
    def name(self) -> str:
        """As a variant of rows is called."""
        if not self.threads:
            return "process"
        return f"ranks-{self.processes}x{self.threads}" + ("" if self.engine == "direct" else f"-{self.engine}")

    @property
    def words(self) -> str:
        """For people."""
        if not self.threads:
            return f"{self.processes} processes"
        engine = "" if self.engine == "direct" else f", {self.engine}"
        return f"{self.processes} x {self.threads} threads{engine}"


@dataclass(frozen=True)
class Command:
    """Of a launcher: its words around the number of processes, the program and its arguments."""

    words: list[str]  # behind the launcher, up to the program
    program: str
    arguments: list[str]
    ranks: int

    def with_processes(self, processes: int, program: str, flags: Sequence[str] = ()) -> list[str]:
        """The words for another number of processes of another form of the program."""
        changed: list[str] = []
        place = 0
        while place < len(self.words):
            word = self.words[place]
            if word in _COUNTS:
                changed += [word, str(processes)]
                place += 2
                continue
            joined = _JOINED.fullmatch(word)
            changed.append(f"{joined[1]}{processes}" if joined else word)
            place += 1
        return [*flags, *changed, program, *self.arguments]


def command(words: Sequence[str]) -> Command:
    """Of the words behind a launcher. Raises UserError."""
    if len(parts(words)) > 1:
        raise UserError("A job of several programs cannot be tried.", hint="Try one of them: no colon.")
    place = program(words)
    if place is None:
        raise UserError(
            f"Which word of '{' '.join(words)}' is the program cannot be told.",
            hint="Give the program's path, as in ./program.",
        )
    before = list(words[:place])
    for number, word in enumerate(before):
        joined = _JOINED.fullmatch(word)
        text = joined[2] if joined else before[number + 1] if word in _COUNTS and number + 1 < len(before) else ""
        if text.isdigit() and int(text) > 0:
            return Command(before, words[place], list(words[place + 1 :]), int(text))
    raise UserError(
        f"How many processes '{' '.join(words)}' starts cannot be told.",
        hint="Say it as -n N (mpiexec) or --ntasks=N (srun).",
    )


def shapes(ranks: int, asked: Sequence[str], engines: Sequence[str]) -> list[Shape]:
    """Processes first; then `asked` (as 2x4), or all ways to divide the ranks evenly. Raises UserError."""
    divided = [(ranks // threads, threads) for threads in range(2, ranks + 1) if ranks % threads == 0] or [(1, 1)]
    if asked:
        divided = [_shape(text, ranks) for text in asked]
    return [Shape(ranks), *(Shape(*pair, engine) for engine in engines for pair in divided)]


def _shape(text: str, ranks: int) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)x(\d+)", text)
    pair = (int(found[1]), int(found[2])) if found else (0, 0)
    if pair[0] * pair[1] != ranks:
        raise UserError(
            f"'{text}' is no way to divide {ranks} ranks.",
            hint=f"Say PROCESSESxTHREADS with a product of {ranks}, as in --shape 1x{ranks}.",
        )
    return pair
