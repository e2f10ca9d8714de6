# SPDX-License-Identifier: BSD-3-Clause
"""A run in which every string that can come from outside tries to be more than a string."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from raddle.judge.incidents import Incident
from raddle.notices import Notice
from raddle.report.figures import figures
from raddle.report.html import render
from tests.report.suite import suite_data
from tests.report.synthetic import Recipe, write_run

EVIL = (
    "</style></script><script>pwned=1</script><img src=x onerror=pwned=1>\"'&$x_1$ [bold]\x1b[31m"
    "{{7*7}}]]><!-- javascript:pwned=1 https://evil.example/"
)


def hostile_run(directory: Path) -> Path:
    """A small run, spoiled."""
    write_run(directory, Recipe(blocks=6, samples=6, sizes=[8, 4096], mpis=["mpich", "intel"]))
    _rewrite(directory / "environment.json", _environment)
    lines = (directory / "launches.jsonl").read_text().splitlines()
    spoiled = [json.dumps(_line(json.loads(line))) for line in lines]
    (directory / "launches.jsonl").write_text("\n".join(spoiled) + "\n")
    return directory


def hostile_suite_page() -> str:
    """The page of the Thakur-Gropp suite, with every word that its rows may carry spoiled."""
    for row in (data := suite_data()).rows:
        row.extra["path"] = EVIL
        for name, value in row.params.items():
            if isinstance(value, str) and name != "placement":
                row.params[name] = f"{value}{EVIL}"
    hang = Incident(Notice.BENCH_ERROR, f"liveness {EVIL}", "mpich", "liveness", EVIL)
    spoiled = replace(data, incidents=[hang])
    return render(spoiled, figures(spoiled))


def _rewrite(path: Path, change: Any) -> None:
    path.write_text(json.dumps(change(json.loads(path.read_text()))))


def _environment(found: dict[str, Any]) -> dict[str, Any]:
    for key in ("created", "commit", "compiler", "python", "raddle"):
        found[key] = EVIL
    for key in ("cpu", "kernel", "os", "governor"):
        found["host"][key] = EVIL
    for mpi in found["mpis"]:
        for key in ("title", "version", "library_version", "prefix_kind"):
            mpi[key] = f"{mpi['name']} {EVIL}\n{EVIL}"
    found["command"] = ["raddle", "run", "--mpi", EVIL, EVIL]
    found["settings"] = {EVIL: EVIL}
    found["notices"] = [{"name": EVIL, "detail": EVIL}]
    return found


def _line(line: dict[str, Any]) -> dict[str, Any]:
    """Names that make a point differ between MPIs stay different; `intel` gets a hostile name itself."""
    match line["type"]:
        case "start":
            line["env"] = {EVIL: EVIL}
        case "launch":
            line["library_version"] = EVIL
            line["level_provided"] = EVIL
            line["cvars"] = {EVIL: line["launch"] + EVIL}
            line["ranks"][0]["host"] = EVIL
            if line["mpi"] == "intel":
                line["mpi"] = EVIL
        case "row":
            line["flags"].append(EVIL)
            line["params"][EVIL] = EVIL
            if line["variant"] == "lane":
                line["variant"] = EVIL
            if line["variant"] == "threadcomm":
                line["params"]["placement"] = EVIL
            if line["benchmark"] == "bandwidth":
                line["benchmark"] = line["metric"] = line["unit"] = EVIL
        case "exit":
            line["log"] = [EVIL]
    return line
