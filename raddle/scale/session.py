# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle model dsde` does once its options are understood."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console

from raddle.errors import UserError
from raddle.files import write_whole
from raddle.scale import table
from raddle.scale.compare import overlap
from raddle.scale.fit import Fit, fits
from raddle.scale.parameters import LogGP, machine, parse, shown, written
from raddle.scale.prediction import Prediction, predict, sizes
from raddle.scale.simulate import Simulated, simulate
from raddle.scale.workload import Workload


@dataclass(frozen=True, kw_only=True)
class Question:
    """The options, checked one by one."""

    ranks: str
    work: Workload
    per_node: int
    cores: int
    parameters: str | None
    fitted: Path | None
    mpi: str | None
    save: Path | None
    simulate: bool
    iterations: int
    measured: Path | None


def answer(question: Question, as_json: bool, console: Console) -> None:
    """Raises UserError."""
    wanted = sizes(question.ranks)
    found, fitted = _parameters(question)
    if question.save:
        write_whole(question.save, written(found).encode(), hint="Choose another --save.")
    prediction = predict(machine(found, question.per_node, question.cores), question.work, wanted)
    simulated = simulate(prediction, question.iterations, _tell) if question.simulate else []
    compared = overlap(prediction, simulated, question.measured, question.mpi)
    if as_json:
        text = _document(prediction, found, fitted, simulated, compared)
        typer.echo(msgspec.json.format(msgspec.json.encode(text), indent=2).decode())
        return
    for line in table.fit_words(fitted) or [f"Given: {shown(one)}" for one in found.values()]:
        console.print(line)
    for one in table.costs(prediction):
        console.print()
        console.print(one)
    console.print(f"\n{table.fastest(prediction)}")
    if prediction.machine.crowd(max(wanted)) > 1:
        console.print(
            "More ranks than cores: the time of switching between them, most of it then, is not in the model."
        )
    if compared:
        console.print()
        console.print(table.side_by_side(compared, _columns(simulated, question)))


def _columns(simulated: list[Simulated], question: Question) -> list[str]:
    return ["model", *(["simulation"] if simulated else []), *(["measurement"] if question.measured else [])]


def _parameters(question: Question) -> tuple[dict[str, LogGP], dict[str, Fit]]:
    if question.parameters:
        return parse(question.parameters), {}
    fitted = fits(question.fitted, question.mpi) if question.fitted else _measured_now(question.mpi)
    found = {way: fit.parameters for way, fit in fitted.items()}
    # What is known only of one way is taken for both, and printed under the name of the one that was measured.
    return {"between": next(iter(found.values())), **found}, fitted


def _measured_now(mpi: str | None) -> dict[str, Fit]:
    """Half a minute of latencies and rates of two processes here."""
    from raddle.campaign.session import Choices, start_run  # noqa: PLC0415
    from raddle.catalogue import catalogue  # noqa: PLC0415
    from raddle.plan.request import Request  # noqa: PLC0415

    if mpi is None:
        raise UserError(
            "Nothing is known of the machine.",
            hint="Give --parameters or --from, or say --mpi NAME to measure it here.",
        )
    request = Request(
        benchmarks=["latency", "msgrate"],
        mode="quick",
        mpis=[mpi],
        variants=["process"],
        placements=["node"],
        params={"bytes": [8, 256, 1024, 4096, 16384, 65536], "threads": [1]},
    ).checked(catalogue())
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "run"
        if start_run(request, Choices(), out, Console(quiet=True)):
            raise UserError("Measuring failed.", hint="To see more: raddle run latency msgrate")
        return fits(out, None)


def _document(
    prediction: Prediction,
    found: Mapping[str, LogGP],
    fitted: Mapping[str, Fit],
    simulated: list[Simulated],
    compared: list[dict[str, Any]],
) -> dict[str, Any]:
    points = [
        {
            "ranks": work.ranks,
            "algorithm": name,
            "seconds": cost.seconds,
            "messages_per_rank": cost.messages,
            "memory_per_rank_bytes": cost.memory,
        }
        for work, costs in zip(prediction.works, prediction.costs, strict=True)
        for name, cost in costs.items()
    ]
    return {
        "schema": 1,
        "parameters": dict(found),
        "machine": prediction.machine,
        "fits": {way: {**msgspec.to_builtins(fit), "error": fit.typical_error} for way, fit in fitted.items()},
        "work": prediction.works[0],
        "predictions": points,
        "fastest": prediction.fastest,
        "simulated": simulated,
        "compared": compared,
    }


def _tell(text: str) -> None:
    typer.echo(text, err=True)
