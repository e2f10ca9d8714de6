# SPDX-License-Identifier: BSD-3-Clause
"""Beside measurements of an MPI's own partitioned communication: trials of what such libraries are known to do wrong.

They may crash or hang, which is what they are to find out: each launch is a job of its own with a time limit, and
nothing of it is a failure of the run.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path

from raddle.errors import UserError
from raddle.execute.signals import Signals
from raddle.inspection.ask import SECONDS, Answer, InterruptError, ask
from raddle.inspection.facts import Trial
from raddle.inspection.outcomes import read_trials
from raddle.inspection.start import Starter
from raddle.inspection.trials import PARTITIONED, Group, run_trials
from raddle.mpi.find import Mpi
from raddle.native import build
from raddle.plan.document import Document
from raddle.say import Say

_NATIVE = "psend"


def try_partitioned(document: Document, mpis: Mapping[str, Mpi], directory: Path, say: Say) -> signal.Signals | None:
    """Make the trials of every MPI whose own partitioned communication is in the plan and that has none yet.

    Returns the signal that ended them, if one did.
    """
    trials = read_trials(directory)
    for name in sorted(_measured(document) - trials.mpis.keys()):
        mpi = mpis[name]
        try:
            program = build(mpi, targets=["raddle-inspect"], report=say) / "bin" / "raddle-inspect"
            say(f"Trying what partitioned communication of {mpi.title} does wrong ...")
            trials.mpis[name] = _tried(Starter(mpi, program))
        except InterruptError as error:
            return error.received
        except UserError as error:
            say(f"Not tried: {error}")
            continue
        trials.save(directory)
    return None


def _tried(starter: Starter) -> list[Trial]:
    with Signals() as signals:

        def attempt(names: list[str], group: Group) -> Answer:
            return ask(starter.as_raddle(["try", *names], group.processes), SECONDS, signals)

        return run_trials(attempt, PARTITIONED)


def _measured(document: Document) -> set[str]:
    return {
        launch.mpi for launch in document.launches for each in launch.sets if each.params.get("mechanism") == _NATIVE
    }
