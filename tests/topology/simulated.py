# SPDX-License-Identifier: BSD-3-Clause
"""What the tests on simulated nodes share."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest

from raddle.topology import netns

REASON = netns.unavailable()
needs_nodes = pytest.mark.skipif(REASON is not None, reason=str(REASON))


def on(node: str, command: Sequence[str], seconds: float = 20) -> str:
    """What a command says on a node."""
    argv = [str(netns.AGENT), node, *command]
    return subprocess.run(argv, capture_output=True, text=True, timeout=seconds, check=True).stdout
