# SPDX-License-Identifier: BSD-3-Clause
"""The command that measures again what one figure shows: the run's own, with only the figure's benchmarks."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

# Options of `raddle run` that decide what is measured (a test compares them with raddle/verbs/run_options.py). Those
# that say where results go are left out; so is the seed, which `environment.json` knows even when none was typed.
VALUED = (
    *("--mpi", "--variant", "--placement", "--profile", "--bytes", "--threads", "--window", "--param"),
    *("--blocks", "--pin", "--time-limit"),
)
FLAGS = ("--quick", "--publish")


def command(original: Sequence[str], benchmarks: Sequence[str], seed: int | None) -> str:
    """One line for a shell, every word quoted that needs it. The seed makes the order of launches the same."""
    words = ["raddle", "run", *benchmarks, *_measuring(original)]
    return shlex.join(words if seed is None else [*words, "--seed", str(seed)])


def _measuring(original: Sequence[str]) -> Iterator[str]:
    """The options above in either spelling (`--mpi mpich`, `--mpi=mpich`); all else, benchmarks too, is passed over."""
    words = iter(original)
    for word in words:
        name, equals, _ = word.partition("=")
        if name in FLAGS or (name in VALUED and equals):
            yield word
        elif name in VALUED and (value := next(words, None)) is not None:
            yield from (word, value)
