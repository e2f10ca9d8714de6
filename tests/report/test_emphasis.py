# SPDX-License-Identifier: BSD-3-Clause
"""What stands out in a sentence: ratios with their intervals, and nothing that only looks like one."""

from __future__ import annotations

import pytest

from raddle.report.emphasis import emphasised


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("faster by 1.09x [0.92, 1.38].", "faster by <b>1.09x [0.92, 1.38]</b>."),
        ("slower by about 0.40x", "slower by <b>about 0.40x</b>"),
        ("on a lattice of 4x4x4x8, 16x16x16 and 4x8", "on a lattice of 4x4x4x8, 16x16x16 and 4x8"),
        ("<b>2x", "&lt;b&gt;<b>2x</b>"),
    ],
)
def test_what_stands_out(sentence: str, shown: str) -> None:
    assert str(emphasised(sentence)) == shown
