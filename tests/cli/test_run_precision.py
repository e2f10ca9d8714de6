# SPDX-License-Identifier: BSD-3-Clause
"""When publishing has measured enough."""

from __future__ import annotations

import pytest

from raddle.campaign.precision import is_narrow
from raddle.stats.ratio import Ratio

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    ("ratio", "narrow"),
    [
        (None, False),
        (Ratio(1.0, None, None, 5), False),
        (Ratio(1.0, 0.99, 1.01, 9), True),
        (Ratio(1.0, 0.97, 1.02, 9), False),
        (Ratio(0.1, 0.099, 0.101, 9), True),
        (Ratio(0.1, 0.09, 0.11, 9), False),
        (Ratio(50.0, 49.5, 50.5, 9), True),
    ],
)
def test_an_interval_is_judged_by_its_own_ratio(ratio: Ratio | None, narrow: bool) -> None:
    assert is_narrow(ratio, 0.02) is narrow
