# SPDX-License-Identifier: BSD-3-Clause
"""The verdict laid out for reading: for each MPI what leads, and what stands behind it."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.report.data import Data
from raddle.verdict import Sentence, Topic

# What a person asks first: what do threads cost, and does a communicator for each thread help.
_LEADING = {
    *((Topic.THREADS, name) for name in ("msgrate", "latency", "message_rate", "concurrent_latency")),
    (Topic.LANES, "msgrate"),
    (Topic.LEVEL, "thread_overhead"),
    (Topic.PARTITIONED, "partitioned_bandwidth"),
    *((Topic.SPARSE, name) for name in ("dsde_algorithms", "dsde_census")),
    (Topic.NOTHING, ""),
}

ONLY_LIMITS = "No MPI was measured: these are the limits of the machine."


@dataclass(frozen=True)
class Finding:
    """All sentences about one MPI; `nothing` stands in for them where there are none."""

    mpi: str
    leading: list[Sentence]
    further: list[Sentence]
    nothing: str = ""


def findings(data: Data) -> list[Finding]:
    """MPI by MPI; where nothing would lead, the first sentence does."""
    found = []
    for mpi in data.mpis:
        own = [sentence for sentence in data.verdict if sentence.mpi == mpi]
        leading = [sentence for sentence in own if (sentence.topic, sentence.benchmark) in _LEADING] or own[:1]
        further = [sentence for sentence in own if sentence not in leading]
        found.append(Finding(data.title(mpi), leading, further, "" if own else ONLY_LIMITS))
    return found
