# SPDX-License-Identifier: BSD-3-Clause
"""Ways to run the same number of ranks: as processes, as threads of one process, and in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from raddle.errors import UserError
from raddle.launcher_words import COUNT_HINT, per_node, with_counts
from raddle.model import PROCESS
from raddle.threads_as_ranks import parts, programs, with_paths


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
            return PROCESS
        return f"ranks-{self.processes}x{self.threads}" + ("" if self.engine == "direct" else f"-{self.engine}")

    @property
    def words(self) -> str:
        """For people."""
        if not self.threads:
            return f"{self.processes} processes"
        engine = "" if self.engine == "direct" else f", {self.engine}"
        return f"{self.processes} x {self.threads} threads{engine}"


@dataclass(frozen=True)
class Asked:
    """A launcher's command: its words around the numbers of processes, the program and its arguments."""

    launcher: str
    words: list[str]  # behind the launcher, up to the program
    program: str
    arguments: list[str]
    ranks: int

    def divided(self, threads: int, program: str, flags: Sequence[str] = ()) -> list[str]:
        """The words for so many times fewer processes, of another form of the program. Raises UserError."""

        def change(number: int) -> int:
            if number % threads:
                raise UserError(
                    f"{number} processes cannot be divided into groups of {threads}.",
                    hint="Leave out the number of processes of a node, or ask for other shapes: --shape.",
                )
            return number // threads

        changed, _ = with_counts(self.words, change, per_node(self.launcher), whole=True)
        return [*flags, *changed, program, *self.arguments]


def asked(launcher: str, words: Sequence[str]) -> Asked:
    """What the words behind a launcher ask for. Raises UserError."""
    named = with_paths(words)
    if len(parts(named)) > 1:
        raise UserError("A job of several programs cannot be tried.", hint="Try one of them: no colon.")
    (program,) = programs(named)
    place = named.index(program)
    _, count = with_counts(named[:place], lambda number: number, per_node(launcher), whole=True)
    if not count:
        raise UserError(f"How many processes '{' '.join(words)}' starts cannot be told.", hint=COUNT_HINT)
    return Asked(launcher, named[:place], program, named[place + 1 :], count)


def shapes(ranks: int, wanted: Sequence[str], engines: Sequence[str]) -> list[Shape]:
    """Processes first; then `wanted` (as 2x4), or all ways to divide the ranks evenly. Raises UserError."""
    divided = [(ranks // threads, threads) for threads in range(2, ranks + 1) if ranks % threads == 0] or [(1, 1)]
    if wanted:
        divided = [_shape(text, ranks) for text in wanted]
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
