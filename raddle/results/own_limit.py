# SPDX-License-Identifier: BSD-3-Clause
"""What the machine's limit for a point was while it was measured, where the probes around the launch did its work.

The variant `physical` does the work of every point, in a launch of its own: a minute earlier or later, when the CPUs
may have been elsewhere. The probes do the same only for what travels in a cache line: their milliseconds of copying
are no measure of a benchmark that copies for longer (half to twice as fast here), and are kept as a fact alone.
"""

from __future__ import annotations

import math

from raddle.model import PHYSICAL, RowLine
from raddle.results.launch_log import Launch
from raddle.results.machine_states import NONE

_LATENCIES = ("latency", "concurrent_latency", "ep_overhead")
_LINE_BYTES = 56  # of a message that travels in one cache line (bench/probe/latency.cpp)


def own_limit(launch: Launch, row: RowLine) -> float | None:
    """In the unit of the row; none where the probes do other work, or where the machine changed in between."""
    probe = launch.probe
    if probe is None or not probe.whole or launch.state == NONE or launch.profile != "clean":
        return None
    one_pair = len(probe.before.cpus) == 1 and row.params.get("threads", 1) == 1
    if not one_pair or row.variant == PHYSICAL or row.params.get("partner") == "self":
        return None
    if row.benchmark in _LATENCIES and row.unit == "us" and int(row.params.get("bytes", 0)) <= _LINE_BYTES:
        return math.sqrt(math.prod(probe.core_to_core_ns)) / 1e3
    return None
