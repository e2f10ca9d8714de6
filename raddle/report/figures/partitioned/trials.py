# SPDX-License-Identifier: BSD-3-Clause
"""What trials found out about the MPIs' own partitioned communication, in the words of the doctor."""

from __future__ import annotations

from raddle.doctor.judge_trials import trials
from raddle.inspection.facts import Facts
from raddle.report.data import Data
from raddle.report.figures.model import Front, Table
from raddle.report.figures.suite import Rows

_CAPTION = (
    "What partitioned communication of the MPIs themselves is known to do wrong, tried in launches of its own that may "
    "crash or hang (raddle doctor)"
)


def trials_front(data: Data, rows: Rows) -> list[Front]:
    """Every finding of every MPI that was tried; none where nobody tried."""
    body = [
        [data.title(mpi), one.severity.value, one.seen, one.do]
        for mpi in data.mpis
        for one in trials(
            Facts(name=mpi, title=data.title(mpi), version="", library="", trials=data.trials.get(mpi, []))
        )
    ]
    return [Front(_CAPTION, Table(["MPI", "severity", "seen", "what to do"], body, labels=4))] if body else []
