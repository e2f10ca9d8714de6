# SPDX-License-Identifier: BSD-3-Clause
"""What a library says at its start when it is asked to, by the patterns of its family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from raddle.mpi.doctor_data import DoctorData


def contexts(data: DoctorData, chatter: Sequence[str]) -> int | None:
    """How many communication contexts a process opened; None when this library does not tell."""
    if not data.contexts:
        return None
    found = [int(match[1]) for line in chatter if (match := re.search(data.contexts, line))]
    return max(found) if found else data.contexts_unsaid or None


def transport(data: DoctorData, chatter: Sequence[str]) -> str:
    """The ways that messages take, each once; "" when it is not told."""
    ways = [way for line in chatter if data.transport for way in _groups(data.transport, line)]
    return ", ".join(dict.fromkeys(ways))


def no_network(data: DoctorData, chatter: Sequence[str]) -> str:
    """The library for networks that could not be loaded; "" when nothing is missing."""
    names = [name for line in chatter if data.no_network for name in _groups(data.no_network, line)]
    return names[0] if names else ""


def refuses_root(data: DoctorData, chatter: Sequence[str]) -> bool:
    """Whether the launcher says that it does not work for root."""
    return bool(data.root_refused) and any(re.search(data.root_refused, line) for line in chatter)


def _groups(pattern: str, line: str) -> list[str]:
    match = re.search(pattern, line)
    return [group for group in match.groups() if group] if match else []
