# SPDX-License-Identifier: BSD-3-Clause
"""What a rank has of a process's: the table is what the starter does, and what a program uses is told by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from raddle.process_state import Wishes, explained, parse, state

RANKS = Path(__file__).parents[2] / "src" / "ranks"
# The kernel does this: it only reads what is a rank's own.
BY_THE_KERNEL = {"getcwd"}


def exported() -> set[str]:
    return set(re.findall(r"^  (\w+);", (RANKS / "exported.list").read_text(encoding="utf-8"), re.MULTILINE))


def variables() -> set[str]:
    return set(re.findall(r'\{"(\w+)", \d+\}', (RANKS / "bind.cpp").read_text(encoding="utf-8")))


def called_by_copies() -> set[str]:
    return set(re.findall(r'\{"(\w+)", address_of', (RANKS / "own" / "plugins.cpp").read_text(encoding="utf-8")))


def test_the_table_names_what_the_starter_has_of_its_own() -> None:
    private = {name for kept in state().private for name in kept.symbols}
    assert private == exported() | variables() | called_by_copies() | BY_THE_KERNEL


def test_no_name_is_private_and_shared() -> None:
    names = [name for kept in (*state().private, *state().shared) for name in kept.symbols]
    assert len(names) == len(set(names))
    assert all(kept.advice for kept in state().shared)


def test_what_a_program_uses_is_told_with_the_file_that_does() -> None:
    found = parse(
        [
            "private ./a.so",
            "private /opt/lib/libfoo.so.1",
            "shared /opt/mpi/lib/libmpi.so.12\tthe MPI's",
            "takes rand\t./a.so",
            "takes signal\t/opt/lib/libfoo.so.1",
            "takes getpid\t/usr/lib/libstdc++.so.6",
        ]
    )
    assert [used.warning() for used in found.used()] == [
        "handlers and masks of signals (signal in libfoo.so.1): the last rank that sets a handler sets it for all"
    ]
    assert [kept.what for kept in found.own()] == ["random numbers"]
    text = "\n".join(explained("./a.so", found))
    assert "  /opt/mpi/lib/libmpi.so.12 (the MPI's)" in text
    assert "cannot be loaded" not in text


def test_a_library_that_moves_threads_between_ranks_is_told() -> None:
    found = parse(["private ./a.so", "shared /usr/lib/llvm/libomp.so.5\tthe compiler's"])
    assert [used.warning() for used in found.used()] == [
        "threads of OpenMP (libomp.so.5): they go from rank to rank, so that only the thread that is the rank may call "
        "MPI; GCC's OpenMP keeps them apart"
    ]


def test_why_a_program_cannot_be_loaded_is_told() -> None:
    found = parse(["private ./a", "problem ./a has a fixed address. Build it with -fPIC -shared."])
    assert explained("./a", found)[-1] == "It cannot be loaded: ./a has a fixed address. Build it with -fPIC -shared."


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (Wishes(), []),
        (Wishes(["foo", "libbar*"], ["c"]), ["--private", "foo", "--private", "libbar*", "--shared", "c"]),
    ],
)
def test_wishes_are_options_of_the_starter(wishes: Wishes, words: list[str]) -> None:
    assert wishes.words() == words
