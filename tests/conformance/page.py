# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/evidence/conformance.md from the ledger."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from raddle.files import write_whole
from raddle.wording import listed
from tests.conformance import known, ledger, suite
from tests.conformance.launch import SHAPES, of_processes

_INTERPOSE = Path(__file__).parents[2] / "src/interpose"
sys.path.append(str(_INTERPOSE))
from generator.functions import Behaviour, chosen  # noqa: E402

FILE = ledger.FILE.parents[1] / "evidence" / "conformance.md"

_HEAD = """# Conformance

mpi4py's own test suite ({suite}), run with every rank a thread that has adopted an endpoint
([endpoints.md](../use/endpoints.md), "Threads as ranks"). Made by `make conformance`; the data are in
[conformance.json](../results/conformance.json), with what became of each test.
{when}{since}

A shape `2x2` is two processes with two ranks each, `1+3` one process with one rank and one with three. Of all ranks of
a test the worst counts:

* **pass**, and of these those that **communicate**: their ranks moved data in so many calls on endpoints. None of the
  calls of any test that move data went past Raddle, unless a column says so.
* **refused**: an error of class `MPI_ERR_UNSUPPORTED_OPERATION` that names the function, as it is meant to be.
  So is what a module skips that was refused something as it was loaded.
* **skipped** by mpi4py itself.
* **FAIL**: all else, so it is Raddle's until shown otherwise. A test that hangs is ended after {patience} s for each
  rank of a process, and counts here; a job that it has left unusable is started anew for the rest.
* **MPI's own**, not among these: what the MPI fails as well with as many processes for ranks, without Raddle.
* **erroneous**, not among these either: failed tests that break MPI's rules, so that nothing follows; below is which.

To itself each rank is a process: its thread is called `MainThread`, and it has test modules of its own, and mpi4py's
`pkl5`, which frees the datatypes of all who are sending. Where a test uses what a process has once, and
sends nothing to another rank, the ranks of a process run it one after the other:

{turns}

A module that asks for what is refused as it is loaded counts as one test; so with processes there are more.

Not run: the modules {modules}, which test Python's
side of mpi4py and change what a process has once.
With processes, tests that start processes are left out (`MPI4PY_TEST_SPAWN=0`).

"""


def write() -> None:
    """The whole page."""
    write_whole(FILE, text(ledger.load()).encode())


def text(data: Mapping[str, Any]) -> str:
    """In Markdown."""
    modules = ", ".join(f"`{name}`" for name in suite.NOT_OF_THE_MPI)
    turns = "\n".join(f"* `{one.tests}` {one.why}" for one in known.one_at_a_time())
    parts = [
        _HEAD.format(
            suite=data["suite"], modules=modules, patience=25, turns=turns, when=_when(data), since=_since(data)
        )
    ]
    parts += [
        "## Totals\n\n",
        *_totals(data),
        "\n## Refused, by function\n\n",
        *_refused(data),
        f"\n## {_heading(data)}\n\n",
    ]
    return "".join([*parts, *_failures(data)])


def _heading(data: Mapping[str, Any]) -> str:
    """What the tests of the last table are called. As long as the totals count none as Raddle's, it does not say so."""
    failed = (
        run["totals"].get("fail", 0) - len(_own_failures(data, runs, shape) or ())
        for _, runs, shape, run in _runs(data)
    )
    return "Failed" if any(failed) else "Failed, but not by Raddle"


def _when(data: Mapping[str, Any]) -> str:
    """Of all runs in the ledger, which may be of several days and commits."""
    runs = [run for each in data["runs"].values() for run in each.values() if isinstance(run, dict)]
    dates = sorted({run["date"] for run in runs})
    commits = sorted({run["commit"][:12] + run["commit"][40:] for run in runs if run.get("commit")})
    if not commits:
        return f"Run on {listed(dates)}, at a commit that was not kept."
    lost = [] if all(run.get("commit") for run in runs) else ["one that was not kept"]
    return f"Run on {listed(dates)}, at commit {listed([*commits, *lost])}."


def _since(data: Mapping[str, Any]) -> str:
    """What the ledger says to be refused and is not any more: it is older than that."""
    behaviours = chosen((_INTERPOSE / "endpoint_functions.toml").read_text(encoding="utf-8")).behaviours
    refused = {name for _, _, _, run in _runs(data) for name in run["refused"]}
    older = sorted(name for name in refused if behaviours.get(name) in (Behaviour.ENDPOINT, Behaviour.ALWAYS))
    if not older:
        return ""
    names, one = listed([f"`{name}`" for name in older]), len(older) == 1
    works, tests = ("works", "its tests") if one else ("work", "their tests")
    return f"\n{names} {works} on endpoints since then; {tests} stand here as refused until the suite is run again."


def _runs(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str, Mapping[str, Any]]]:
    for name, runs in sorted(data["runs"].items()):
        for shape in SHAPES:
            if shape in runs:
                yield name, runs, shape, runs[shape]


def _totals(data: Mapping[str, Any]) -> Iterator[str]:
    yield "| MPI | shape | tests | pass | communicate | calls on endpoints | past "
    yield "| refused | skipped | FAIL | MPI's own | erroneous |\n"
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    for _, runs, shape, run in _runs(data):
        counts = run["totals"]
        own = _own_failures(data, runs, shape)
        cells = (
            *(f"{runs['title']} {runs['version']}", shape, sum(counts.values()), counts.get("pass", 0)),
            *(run["passes that communicate"], run["calls on endpoints"], run["calls elsewhere"]),
            *(counts.get("refused", 0), counts.get("skip", 0), counts.get("fail", 0) - len(own or ())),
            *("not run" if own is None else len(own), counts.get("erroneous", 0)),
        )
        yield f"| {' | '.join(map(str, cells))} |\n"
    left = [
        f"{runs['title']} {shape}"
        for _, runs in sorted(data["runs"].items())
        for shape in (*SHAPES, *dict.fromkeys(of_processes(one.ranks).name for one in SHAPES.values()))
        if shape not in runs
    ]
    if left:
        yield f"\nNot run yet: {', '.join(left)}.\n"
    yield "\nThe same suite with processes, without Raddle:\n\n| MPI | processes | tests | pass | skipped | FAIL |\n"
    yield "|---|---|---|---|---|---|\n"
    for _, runs in sorted(data["runs"].items()):
        for ranks in sorted({shape.ranks for shape in SHAPES.values()}):
            if run := runs.get(of_processes(ranks).name):
                counts = run["totals"]
                listed = (sum(counts.values()), *(counts.get(name, 0) for name in ("pass", "skip", "fail")))
                yield f"| {runs['title']} {runs['version']} | {ranks} | {' | '.join(map(str, listed))} |\n"


def _own_failures(data: Mapping[str, Any], runs: Mapping[str, Any], shape: str) -> set[str] | None:
    """The failures of a shape that are the MPI's; None: not known."""
    base = runs.get(of_processes(SHAPES[shape].ranks).name)
    if base is None:
        return None
    failed = {name for name, letter in zip(data["tests"], base["outcomes"], strict=False) if letter == "F"}
    ours = zip(data["tests"], runs[shape]["outcomes"], strict=False)
    return failed & {name for name, letter in ours if letter == "F"}


def _refused(data: Mapping[str, Any]) -> Iterator[str]:
    shown = list(_runs(data))
    functions = Counter[str]()
    for _, _, _, run in shown:
        functions.update(run["refused"])
    yield f"| function | {' | '.join(f'{name} {shape}' for name, _, shape, _ in shown)} |\n"
    yield f"|---|{'---|' * len(shown)}\n"
    for function in sorted(functions):
        counts = (str(run["refused"].get(function, 0)) for _, _, _, run in shown)
        yield f"| `{function}` | {' | '.join(counts)} |\n"


def _failures(data: Mapping[str, Any]) -> Iterator[str]:
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, runs, shape, run in _runs(data):
        own = _own_failures(data, runs, shape) or set()
        for test, reason in run["failures"].items():
            found[test][reason].append(f"{name} {shape}{' (the MPI too)' if test in own else ''}")
    if not found:
        yield "None.\n"
        return
    yield "| test | where | what it says | why |\n|---|---|---|---|\n"
    for test, reasons in sorted(found.items()):
        first, *_ = reasons
        where = ", ".join(one for listed in reasons.values() for one in listed)
        cell = first.replace("|", "\\|").replace("\n", " ")
        yield f"| `{test}` | {where} | {cell[:300]} | {known.explanation(test)} |\n"
