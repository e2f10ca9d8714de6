# SPDX-License-Identifier: BSD-3-Clause
"""What `tuned` runs with on each MPI: from the cache, or searched for now."""

from __future__ import annotations

from collections.abc import Mapping

from raddle.campaign.search import Search
from raddle.environment import allowed_cpus
from raddle.execute.signals import Signals
from raddle.mpi.find import Mpi
from raddle.native import ensure
from raddle.say import Say
from raddle.tuning.candidates import candidates
from raddle.tuning.tuned import Tuned, keep, kept


def known(mpis: Mapping[str, Mpi]) -> dict[str, Tuned]:
    """What was found before, by the name of the MPI; nothing is searched for."""
    found = {name: kept(mpi, candidates(mpi.family.name)) for name, mpi in mpis.items()}
    return {name: each for name, each in found.items() if each is not None}


def tune(mpis: Mapping[str, Mpi], say: Say, *, again: bool = False) -> dict[str, Tuned]:
    """The same, with a search of a minute or so for those of which nothing is known yet, or for all.

    Raises InterruptError, and UserError for an MPI whose program cannot be built or does not start.
    """
    found = {} if again else known(mpis)
    if len(allowed_cpus()) < 2:
        return found  # what is best for two that share a CPU says nothing of two that do not
    for name, mpi in mpis.items():
        tried = candidates(mpi.family.name)
        if name in found or not tried:
            continue
        say(f"Looking for the best settings of {mpi.title} among {len(tried)}, once for this machine ...")
        program = ensure(mpi, besides=(), report=say) / "raddle-bench"
        with Signals() as signals:
            found[name] = Search(mpi, program, tried, signals, lambda _: None).conduct()
        keep(mpi, tried, found[name])
    return found
