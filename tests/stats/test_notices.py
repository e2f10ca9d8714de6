# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue is complete, readable, and the only source of names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import raddle
from raddle.notices import Notice, notice_of

PACKAGE = Path(raddle.__file__).parent
# By docs/use/results.md and issue 2.
PROMISED = {
    "oversubscribed", "n-too-small", "not-converged", "still-warming", "autocorrelated", "preempted", "steal",
    "one-cpu", "level-raised", "launch-died", "variant-skipped", "validation-failed", "no-physical", "mpi-missing",
}  # fmt: skip


@pytest.mark.parametrize("notice", Notice)
def test_each_notice_says_what_why_and_what_to_do(notice: Notice) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", str(notice))
    assert notice.name == str(notice).upper().replace("-", "_")
    for sentence in (notice.seen, notice.matters, notice.do):
        assert re.match(r"[A-Zp].*\.$", sentence), sentence
    assert len({notice.seen, notice.matters, notice.do}) == 3


def test_the_promised_ones_are_there() -> None:
    assert set(map(str, Notice)) >= PROMISED


def test_documentation_names_only_known_flags() -> None:
    text = (PACKAGE.parent / "docs" / "use" / "results.md").read_text(encoding="utf-8")
    listed = re.search(r"names from the catalogue of notices .*?: (.*?), \.\.\.", text)
    assert listed
    assert set(re.findall(r"`([a-z-]+)`", listed[1])) <= set(map(str, Notice))


def test_raddle_bench_gives_only_known_flags() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (PACKAGE.parent / "bench").rglob("*.cpp")]
    given = {flag for source in sources for flag in re.findall(r'flags\.\w+\("([^"]+)"\)', source)}
    assert given
    assert given <= set(map(str, Notice))


def test_every_notice_is_used_by_attribute() -> None:
    """A notice nobody gives is dead text."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path.name != "notices.py")
    assert {notice for notice in Notice if f"Notice.{notice.name}" not in source} <= {Notice.UNKNOWN_FLAG}


def test_what_a_run_leaves_out_is_not_always_the_mpis() -> None:
    """The plan leaves out placements for want of root or of a second node, too."""
    assert "could not be measured here" in Notice.VARIANT_SKIPPED.seen


def test_unknown_flags_are_answered() -> None:
    assert notice_of("steal") is Notice.STEAL
    assert notice_of("made-by-raddle-9") is Notice.UNKNOWN_FLAG


def test_a_flag_is_its_name_in_json_and_text() -> None:
    assert f"{Notice.STEAL}" == "steal"
    assert "steal" in {Notice.STEAL}
    assert json.dumps([Notice.STEAL]) == '["steal"]'
