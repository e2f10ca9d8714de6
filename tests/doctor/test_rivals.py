# SPDX-License-Identifier: BSD-3-Clause
"""When an MPI is told to be far from the best that there is: another one, or itself as a search found it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis
from raddle.doctor.judge_rivals import gains, rivals
from raddle.doctor.rivals import behind
from tests.doctor.cases import LATENCY_BEHIND, RATE_TUNED, facts

TITLES = {"slow": "Slow MPI 1", "fast": "Fast MPI 2"}


def blocks(value: float) -> dict[int, float]:
    return {block: value * (1 + 0.01 * block) for block in range(8)}


def judged(**known: Any) -> list[Diagnosis]:
    return list(rivals(facts(**known)))


def test_the_slower_one_is_behind_and_both_medians_are_told() -> None:
    found = behind(
        {
            "latency": {"slow": blocks(0.9), "fast": blocks(0.3)},
            "msgrate": {"slow": blocks(2e6), "fast": blocks(8e6)},
            "bandwidth": {"slow": blocks(9e3), "fast": blocks(9e3)},
        },
        TITLES,
    )
    assert found["fast"] == []
    latency, rate = found["slow"]
    assert (latency.shape, latency.best) == ("latency", "Fast MPI 2")
    assert latency.times == pytest.approx(3.0)
    assert rate.shape == "rate"
    assert rate.times == pytest.approx(4.0)
    assert (latency.own, latency.its) != (latency.its, latency.own)


def test_no_difference_and_no_rival_are_nothing() -> None:
    assert behind({"latency": {"slow": blocks(1.0)}}, TITLES) == {"slow": [], "fast": []}
    few = {"latency": {"slow": {0: 9.0, 1: 9.0}, "fast": {0: 1.0, 1: 1.0}}}
    assert behind(few, TITLES) == {"slow": [], "fast": []}, "two blocks have no interval"


def test_a_small_distance_is_no_finding() -> None:
    assert judged() == []
    assert judged(behind=[msgspec.structs.replace(LATENCY_BEHIND, times=1.9)]) == []
    assert judged(tuned={"rate": msgspec.structs.replace(RATE_TUNED, gain=1.4)}) == []


def test_settings_that_were_found_are_advised_with_what_they_cost() -> None:
    (one,) = judged(behind=[LATENCY_BEHIND], tuned={"rate": RATE_TUNED})
    assert one.finding is Finding.FAR_FROM_BEST
    assert "4.00x [3.80, 4.20] the latency of Open MPI 4.1.4 (Debian) at 8 B (0.88 us against 0.22 us)" in one.seen
    assert one.do == "export MPIR_CVAR_NOLOCAL=1 (what a program gives up for it: neighbours)"
    assert one.settings == RATE_TUNED.settings
    assert "with MPIR_CVAR_NOLOCAL=1 it is 4.20x [4.00, 4.40] as fast (message rate of 8 B)" in one.seen


def test_without_any_the_other_mpi_and_the_search_are_named() -> None:
    (one,) = judged(behind=[LATENCY_BEHIND])
    assert one.settings == {}
    assert "Use Open MPI 4.1.4 (Debian)" in one.do
    assert "raddle mpi tune mpich" in one.do
    assert "UCX netmod" in one.do


def test_the_gain_is_the_one_that_was_measured() -> None:
    known = facts(tuned={"rate": RATE_TUNED})
    (gain,) = gains(known, list(rivals(known)))
    assert gain.finding is Finding.FAR_FROM_BEST
    assert "4.20x [4.00, 4.40] (message rate of 8 B of two processes" in gain.words
    assert "1.60 M msg/s without, 6.90 M msg/s with it; 8 blocks" in gain.words
    assert list(gains(known, [])) == []
