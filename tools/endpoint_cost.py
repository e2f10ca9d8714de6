# SPDX-License-Identifier: BSD-3-Clause
"""Measures what endpoints cost a process (docs/use/endpoints.md): time and memory of 64, and a long exchange of two.

    .venv/bin/python tools/endpoint_cost.py --blocks 12 --out results/endpoint-cost

Writes environment.json, readings.jsonl line by line, and readings.json.
"""

from __future__ import annotations

import msgspec
from blocks import measure, told


class Reading(msgspec.Struct):
    """One launch: of 64 endpoints of one process, and of two threads that exchange 4 MiB by MPI_Sendrecv."""

    creation_first_s: float
    """the first MPIX_Comm_create_endpoints of the process"""
    creation_s: float
    """median over all"""
    bytes_each: float
    """resident memory that an endpoint has brought, once each has sent to each"""
    exchange_over_memcpy: float
    """bytes a second that both move together, over those of one core's memcpy in the same round; median over rounds"""
    limit_over_memcpy: float
    """the same when each copies the other's message by memcpy: the machine's limit"""


def main() -> None:
    for label, launches in measure("raddle-endpoint-cost", Reading, __doc__ or "").items():
        every = [one for (one,) in launches]
        print(f"{label}: 64 endpoints made in {told([one.creation_s * 1e3 for one in every], '.2f')} ms")
        print(f"{label}: the first time in {told([one.creation_first_s * 1e3 for one in every], '.2f')} ms")
        print(f"{label}: memory of each {told([one.bytes_each / 2**20 for one in every], '.3f')} MiB")
        print(f"{label}: exchange / memcpy {told([one.exchange_over_memcpy for one in every], '.2f')}x")
        print(f"{label}: two memcpy / one {told([one.limit_over_memcpy for one in every], '.2f')}x")


if __name__ == "__main__":
    main()
