# SPDX-License-Identifier: BSD-3-Clause
"""CITATION.cff names what there is."""

from __future__ import annotations

from pathlib import Path

from raddle import __version__

ROOT = Path(__file__).parents[2]


def test_the_version_is_that_of_the_package() -> None:
    keys = dict(
        line.split(": ", 1) for line in (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines() if ": " in line
    )
    assert keys["version"] == __version__
    assert keys["license"] == "BSD-3-Clause"
