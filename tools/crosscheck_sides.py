# SPDX-License-Identifier: BSD-3-Clause
"""The programs that measure one piece of work: raddle-bench, the Intel MPI Benchmarks (IMB), and a short ping-pong."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, harmonic_mean, median
from typing import NamedTuple, Protocol

from attempts import printed

from raddle.catalogue import catalogue
from raddle.errors import UserError
from raddle.execute.records import Row, parse
from raddle.execute.starter import Starter
from raddle.launchers import launcher_for
from raddle.model import PointSet
from raddle.mpi.find import Mpi
from raddle.native import ensure
from raddle.plan.schedule import Launch

TIME_LIMIT = 60.0
_NAME = "libmpi.so.12"  # which programs of MPICH's ABI load
_PING_PONG = Path(__file__).with_name("ping_pong.c")


@dataclass(frozen=True)
class Work:
    """One piece of work as each side calls it."""

    name: str
    unit: str
    level: str
    benchmark: str
    variant: str
    params: Mapping[str, int]
    imb: tuple[str, ...]
    column: int  # of IMB's table, from the size on
    samples: int  # of the ping-pong, and round trips or windows in each
    batch: int


class Figures(NamedTuple):
    """One launch. The mean is over time; IMB prints nothing else."""

    median: float | None
    mean: float


class Side(Protocol):
    """One of those that measure, on one MPI."""

    name: str

    def measure(self, work: Work, block: int) -> Figures:
        """One launch. Raises UserError."""


class RaddleBench:
    """As `raddle run` starts it."""

    name = "raddle-bench"

    def __init__(self, mpi: Mpi, directory: Path) -> None:
        self._mpi = mpi
        programs = {mpi.name: ensure(mpi) / "raddle-bench", "none": ensure(None) / "raddle-probe"}
        self._starter = Starter(directory, {mpi.name: mpi}, programs)

    def measure(self, work: Work, block: int) -> Figures:
        """The median and the mean of its samples."""
        launch = Launch(
            launch=f"b{block}-{work.benchmark}-{work.variant}",
            block=block,
            seed=block,
            mpi=self._mpi.name,
            profile="clean",
            sets=[
                PointSet(benchmark=work.benchmark, placement="node", variants=[work.variant], params=dict(work.params))
            ],
            sampling=catalogue().modes["default"].sampling,
            level=work.level,
            processes=2,
            env={},
        )
        command = self._starter.command(launch)
        lines = printed(command.argv, command.env, TIME_LIMIT).splitlines()
        records = (parse(line.encode(), launch.launch) for line in lines)
        samples = next((found[0].samples for found in records if found and isinstance(found[0], Row)), None)
        if samples is None:
            raise UserError(f"{work.name}: raddle-bench measured nothing", hint="\n".join(lines[-5:]))
        return figures(samples, work)


class Imb:
    """Intel's wheel ships it; it is linked with MPICH's ABI, and so runs on every MPI that has that."""

    name = "IMB"

    def __init__(self, mpi: Mpi, programs: Path, library: Path, directory: Path) -> None:
        self._mpi, self._programs, self._directory = mpi, programs, directory
        self._library = library.parent
        if library.name != _NAME:  # Debian calls MPICH's otherwise
            self._library = directory / "abi"
            self._library.mkdir()
            (self._library / _NAME).symlink_to(library)

    def measure(self, work: Work, _: int) -> Figures:
        """The mean that it prints for that size."""
        sizes = self._directory / "sizes"
        sizes.write_text(f"{work.params['bytes']}\n")
        program, *options = (word.format(sizes=sizes, bytes=work.params["bytes"]) for word in work.imb)
        libraries = [str(self._library), sysconfig.get_path("data") + "/lib"]
        # A core for each process, as raddle-bench pins its threads.
        env = {"LD_LIBRARY_PATH": os.pathsep.join(libraries), "OMP_NUM_THREADS": "1"}
        env |= {"I_MPI_PIN": "1", "I_MPI_PIN_PROCESSOR_LIST": "allcores", "HYDRA_BINDING": "core"}
        table = _launched(self._mpi, [str(self._programs / program), *options], env)
        for line in table.splitlines():
            words = line.split()
            if len(words) > work.column and words[0] == str(work.params["bytes"]) and words[1].isdigit():
                return Figures(None, float(words[work.column]))
        raise UserError(f"{program} printed no line for {work.params['bytes']} bytes", hint=table[-500:])


class PingPong:
    """ping_pong.c, compiled by the MPI's own compiler. `env`: what its processes get besides."""

    name = "ping_pong.c"

    def __init__(self, mpi: Mpi, directory: Path, env: Mapping[str, str] | None = None) -> None:
        self._mpi, self._program, self._env = mpi, directory / "ping_pong", dict(env or {})
        command = [str(mpi.mpicc), "-std=gnu11", "-O2", "-o", str(self._program), str(_PING_PONG)]
        done = subprocess.run(command, env={**os.environ, **mpi.env()}, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"{mpi.title} does not compile {_PING_PONG.name}", hint=done.stderr[-500:])

    def measure(self, work: Work, _: int) -> Figures:
        """The median and the mean of its samples."""
        words = [work.level, work.params["bytes"], work.samples, work.batch, work.params.get("window", 0)]
        said = _launched(self._mpi, [str(self._program), *map(str, words)], self._env)
        return figures([float(line) for line in said.splitlines()], work)


def sides(mpi: Mpi, imb: Path | None, directory: Path) -> list[Side]:
    """Those that run on this MPI. `imb`: where IMB's programs are; `directory` is for this MPI alone."""
    found: list[Side] = [RaddleBench(mpi, directory), PingPong(mpi, directory)]
    library = _of_mpichs_abi(ensure(mpi) / "raddle-bench")
    if imb is not None and library is not None:
        found.append(Imb(mpi, imb, library, directory))
    return found


def figures(samples: list[float], work: Work) -> Figures:
    """Of one launch; a mean over time is the harmonic one of rates."""
    mean = harmonic_mean(samples) if work.unit == "msg/s" else fmean(samples)
    return Figures(median(samples), mean)


def _launched(mpi: Mpi, words: list[str], env: dict[str, str]) -> str:
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, words, processes=2, env=env, oversubscribe=False)
    return printed(command, launcher.environment(mpi, env), TIME_LIMIT)


def _of_mpichs_abi(program: Path) -> Path | None:
    """The MPI library that a program of it loads; None where it is of another ABI."""
    said = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\blibmpi(?:ch)?\.so\.12 => (\S+)", said)
    return Path(found[1]) if found else None
