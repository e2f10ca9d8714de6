# SPDX-License-Identifier: BSD-3-Clause
"""Runs `raddle check` on programs that break no rule: what it reports there is an alarm that is false, or a find.

    .venv/bin/python tools/false_alarms.py --out results/false-alarms

Each MPI runs mpi4py's test suite, the examples, and the programs of docs/evidence/programs.md, as two processes. Writes
environment.json, readings.jsonl line by line, and readings.json, of which tools/write_tables.py makes the table of
docs/use/check.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's raddle and tests, whichever are installed

import msgspec  # noqa: E402
from attempts import Key, keep  # noqa: E402
from programs import bring  # noqa: E402
from programs.program import listed  # noqa: E402

from raddle.environment import environment  # noqa: E402
from raddle.errors import UserError  # noqa: E402
from raddle.execute.job import Job  # noqa: E402
from raddle.launchers import launcher_for  # noqa: E402
from raddle.mpi.find import Mpi, find  # noqa: E402
from raddle.native import build  # noqa: E402
from tests.conformance import suite  # noqa: E402

TIME_LIMIT = 900.0
PROCESSES = 2
WORK = ROOT / "build" / "programs"
SUITE = f"mpi4py {suite.VERSION}, its test suite"
EXAMPLES = {
    "halo": ("halo",),
    "halo, endpoints": ("halo", "2"),
    "halo_partitioned": ("halo_partitioned", "2"),
    "halo_partitioned, endpoints": ("halo_partitioned", "2", "2"),
    "particles": ("particles",),
    "particles, endpoints": ("particles", "2"),
    "allreduce_openmp": ("allreduce_openmp", "2"),
    "fft, process": ("fft", "process", "--grid", "16x16x16", "--repeats", "2"),
    **{
        f"fft, {version}": ("fft", version, "--threads", "2", "--grid", "16x16x16", "--repeats", "2")
        for version in ("master", "thread", "endpoint")
    },
    **{
        f"tutorial, {step}": ("tutorial", step, "2", "101")
        for step in ("slow", "lanes", "endpoints", "partitioned", "sparse")
    },
}


class Finding(msgspec.Struct):
    """One of `raddle check`'s."""

    rule: str
    breaks: bool
    text: str


class Checked(msgspec.Struct):
    """What became of a program."""

    status: int
    findings: list[Finding]


@dataclass
class Program:
    """How it is started, in which directory, and with what in its environment."""

    words: Sequence[str]
    directory: Path
    env: Mapping[str, str] = field(default_factory=dict)


def main() -> None:
    options = _options()
    mpis = find([word for word in options.mpi.split(",") if word])
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, 1, {mpi.label: mpi for mpi in mpis}).save(options.out)
    attempts: list[tuple[Key, Callable[[], object]]] = [
        ({"mpi": mpi.title, "program": name}, partial(check, mpi, make))
        for mpi in mpis
        for name, make in programs(mpi)
        if options.program in name
    ]
    lines = keep(options.out / "readings.jsonl", attempts)
    (options.out / "readings.json").write_bytes(msgspec.json.encode(lines) + b"\n")
    for line in lines:
        found = msgspec.convert(line["found"], Checked)
        rules = ", ".join(sorted({one.rule for one in found.findings})) or "nothing"
        print(f"{line['mpi']}, {line['program']}: status {found.status}, {rules}")


def programs(mpi: Mpi) -> Iterator[tuple[str, Callable[[], Program]]]:
    """Each by its name; it is built when it is asked for."""
    if mpi.family.name not in ("mpich-debian", "openmpi-debian"):
        yield SUITE, _suite
        for name, words in EXAMPLES.items():
            yield name, partial(_example, mpi, words)
    for name, program in listed().items():
        if mpi.name in program.mpis:
            yield program.title, partial(_listed, mpi, name)


def _suite() -> Program:
    place = suite.bring()
    # An MPI that starts processes, or opens a port, for a test may end the job.
    env = {"PYTHONPATH": str(place / "package"), "MPI4PY_TEST_SPAWN": "0"}
    return Program([sys.executable, str(place / "test" / "main.py"), "-q", "-e", "test_dynproc"], place, env)


def _example(mpi: Mpi, words: Sequence[str]) -> Program:
    folder = build(mpi, targets=["raddle", words[0]]) / "examples"
    path = next(path for path in folder.rglob(words[0]) if path.is_file())
    return Program([str(path), *words[1:]], folder)


def _listed(mpi: Mpi, name: str) -> Program:
    program = listed()[name]
    source = bring.bring(program, WORK / name)
    place = WORK / name / mpi.name
    place.mkdir(parents=True, exist_ok=True)
    path = bring.build(program, mpi, source, place)
    return Program([str(path), *program.words(source)], source, program.environment(source))


def check(mpi: Mpi, make: Callable[[], Program]) -> Checked:
    """Raises UserError where the program cannot be had, or does not end."""
    try:
        program = make()
    except (OSError, subprocess.CalledProcessError) as error:
        raise UserError(f"it cannot be built: {error}") from error
    launcher = launcher_for(mpi)
    env = {**program.env, **mpi.family.profile_env("shared"), "OMP_WAIT_POLICY": "passive"}
    launch = launcher.command(mpi, list(program.words), processes=PROCESSES, env=env, oversubscribe=True)
    with tempfile.TemporaryDirectory() as out:
        raddle = ["env", "--chdir", str(program.directory)]
        raddle += [sys.executable, "-m", "raddle", "check", "--out", out, "--", *launch]
        environ = {**os.environ, **launcher.environment(mpi, env)}
        environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environ.get("PYTHONPATH")])])
        with Job(raddle, environ) as job:
            try:
                _, err = job.process.communicate(timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired as error:
                raise UserError(f"it did not end within {TIME_LIMIT:g} s") from error
            finally:
                job.stop()
        path = Path(out) / "check.json"
        if not path.exists():
            raise UserError("nothing was checked", hint=err.decode(errors="replace")[-500:])
        return msgspec.json.decode(path.read_bytes(), type=Checked)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--program", default="", help="only those with this in their name")
    parser.add_argument("--out", type=Path, default=Path("results") / "false-alarms")
    return parser.parse_args()


if __name__ == "__main__":
    main()
