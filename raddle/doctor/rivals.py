# SPDX-License-Identifier: BSD-3-Clause
"""`--measure`: two processes of every MPI here, the distribution's among them, do the same small work in turn; who is
far behind the best one?"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path

from raddle.campaign.search import DEFAULTS, launch_of
from raddle.catalogue import catalogue
from raddle.clusters.allocation import here
from raddle.errors import UserError
from raddle.execute.journal import Journal
from raddle.execute.launch import Observer, run
from raddle.execute.signals import Signals
from raddle.execute.starter import Starter
from raddle.inspection.ask import InterruptError
from raddle.inspection.facts import Behind
from raddle.mpi.find import Mpi
from raddle.native import ensure
from raddle.plan.estimate import default_time_limit
from raddle.results.launch_log import FILE, read_launches
from raddle.say import Say
from raddle.stats.order import median
from raddle.stats.ratio import paired_ratio
from raddle.tuning.shapes import WORKS
from raddle.units import format_value

_BLOCKS = 8

Blocks = dict[int, float]


def measure_rivals(mpis: Mapping[str, Mpi], signals: Signals, say: Say) -> dict[str, list[Behind]]:
    """By name of the MPI. One that cannot be built or started is nobody's rival. Raises InterruptError."""
    programs = _programs(mpis, say)
    order = random.Random("rivals")
    left = list(programs)
    with tempfile.TemporaryDirectory(prefix="raddle-doctor-") as place:
        directory = Path(place)
        starter = Starter(directory, mpis, programs, allocation=here())
        with Journal(directory) as journal:
            for block in range(_BLOCKS):
                say(f"measuring {len(left)} MPIs against each other, block {block + 1} of {_BLOCKS}")
                for name in order.sample(left, len(left)):
                    launch = launch_of(name, DEFAULTS, block, order.getrandbits(48), called=name)
                    limit = default_time_limit(launch)
                    outcome = run(launch, starter.command(launch), limit, journal, signals, Observer())
                    if signals.received:
                        raise InterruptError(signals.received)
                    if not outcome.ok:
                        left.remove(name)
        return behind(_measured(directory / FILE), {name: mpis[name].title for name in left})


def _programs(mpis: Mapping[str, Mpi], say: Say) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name, mpi in mpis.items():
        try:
            found[name] = ensure(mpi, besides=(), report=say) / "raddle-bench"
        except UserError as error:
            say(f"{mpi.title} is nobody's rival: {error}")
    return found


def _measured(journal: Path) -> dict[str, dict[str, Blocks]]:
    """Medians by benchmark, MPI and block."""
    found: dict[str, dict[str, Blocks]] = {}
    for launch in read_launches(journal).launches:
        for row in launch.rows:
            found.setdefault(row.benchmark, {}).setdefault(launch.mpi, {})[row.block] = median(row.samples)
    return found


def behind(found: Mapping[str, Mapping[str, Blocks]], titles: Mapping[str, str]) -> dict[str, list[Behind]]:
    """How far each MPI is behind the best other one, for each work in which its interval shows that it is."""
    told: dict[str, list[Behind]] = {name: [] for name in titles}
    for shape, (benchmark, _) in WORKS.items():
        about = catalogue().benchmarks[benchmark]
        blocks = {name: found[benchmark][name] for name in titles if found.get(benchmark, {}).get(name)}
        if len(blocks) < 2:
            continue
        medians = {name: median(list(each.values())) for name, each in blocks.items()}
        choose = min if about.better == "lower" else max
        best = choose(medians, key=lambda name: medians[name])
        for name, own in blocks.items():
            slow, fast = (own, blocks[best]) if about.better == "lower" else (blocks[best], own)
            its = paired_ratio(slow, fast)
            if name == best or its is None or its.interval is None or its.interval[0] <= 1:
                continue
            told[name].append(
                Behind(
                    shape=shape,
                    times=its.estimate,
                    interval=its.interval,
                    best=titles[best],
                    own=format_value(medians[name], about.unit),
                    its=format_value(medians[best], about.unit),
                )
            )
    return told
