# SPDX-License-Identifier: BSD-3-Clause
"""One made-up profile for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.profile.report import make
from raddle.profile.store import save
from raddle.profile.summary import Summary
from tests.profile_command.realistic import realistic


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of a profile, with all that is made of it."""
    place = tmp_path_factory.mktemp("profile")
    save(realistic(), place)
    make(place)
    return place


@pytest.fixture(scope="session")
def summary(directory: Path) -> Summary:
    return make(directory)


@pytest.fixture(scope="session")
def page(directory: Path, summary: Summary) -> str:
    assert summary.verdict
    return (directory / "report.html").read_text(encoding="utf-8")
