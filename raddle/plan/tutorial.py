# SPDX-License-Identifier: BSD-3-Clause
"""Which variant a step of the tutorial belongs to: it says what the MPI has to be told for it."""

from __future__ import annotations

from raddle.model import Params

_VARIANTS = {
    "slow": "thread",
    "settings": "thread",
    "lanes": "lane",
    "endpoints": "endpoint-direct",
    "partitioned": "endpoint-direct",
    "sparse": "endpoint-direct",
}


def suits(variant: str, params: Params) -> bool:
    """Whether the step is one of that variant."""
    return _VARIANTS[str(params["step"])] == variant
