# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue: whole in itself, and the same that the programs say they can do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from raddle.catalogue import catalogue, read
from raddle.errors import UserError
from raddle.plan.request import Request
from raddle.plan.teams import TEAMS
from raddle.plan.values import SHARED
from tests.cli.programs import built

pytestmark = pytest.mark.timeout(60)

KNOWN = catalogue()


def test_it_is_whole() -> None:
    for benchmark in KNOWN.benchmarks.values():
        assert set(benchmark.sweeps) == set(KNOWN.modes)
        for sweep in benchmark.sweeps.values():
            assert set(sweep) <= set(benchmark.params)
        assert benchmark.team in TEAMS
        assert set(benchmark.variants) | set(benchmark.on_request) <= set(KNOWN.variants)
        assert set(benchmark.placements) <= set(KNOWN.placements)
        names = {*benchmark.params, "variant", "placement"}
        assert all(rule and set(rule) <= names for rule in benchmark.without)
        assert {*benchmark.headline, *benchmark.one_at_a_time} <= set(benchmark.params)
        for param in benchmark.params.values():
            assert not param.choices or param.default in param.choices
            assert not isinstance(param.default, str) or not param.range
        # All that come without an option of their own, which has its own range, say what they can be.
        assert all(name in SHARED or one.choices or one.range for name, one in benchmark.params.items())
    for variant in KNOWN.variants.values():
        assert set(variant.placements) <= set(KNOWN.placements)
    assert all(suite.benchmarks for suite in KNOWN.suites.values())
    assert KNOWN.suites["basic"].benchmarks == ["msgrate", "latency", "bandwidth"]


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "odd.toml").write_text('summary = "no metric"\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"suite/odd\.toml: .*metric"):
        read(tmp_path)


def test_the_catalogues_own_values_can_be_asked_for() -> None:
    for name, benchmark in KNOWN.benchmarks.items():
        for mode in KNOWN.modes:
            swept = {param: values for param, values in benchmark.sweeps[mode].items() if not isinstance(values, str)}
            defaults = {param: [about.default] for param, about in benchmark.params.items()}
            Request(benchmarks=[name], mode=mode, params={**defaults, **swept}).checked(KNOWN)


def test_quick_is_a_part_of_default_in_sizes() -> None:
    for name, benchmark in KNOWN.benchmarks.items():
        quick, default = (benchmark.sweeps[mode].get("bytes", []) for mode in ("quick", "default"))
        assert set(quick) <= set(default), name


def test_intervals_need_six_blocks() -> None:
    assert all(6 <= mode.blocks <= mode.max_blocks for mode in KNOWN.modes.values())


@pytest.mark.parametrize("program", built() or [pytest.param(None, marks=pytest.mark.skip("nothing is built yet"))])
def test_it_agrees_with_the_programs(program: Path) -> None:
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True, timeout=30).stdout
    registry: dict[str, list[dict[str, Any]]] = json.loads(listed)
    said = {one["name"]: one for one in registry["benchmarks"]}
    probe = program.name == "raddle-probe"
    assert set(said) == {name for name, benchmark in KNOWN.benchmarks.items() if benchmark.limit or not probe}
    for name, one in said.items():
        benchmark = KNOWN.benchmarks[name]
        assert (one["metric"], one["unit"], one["better"]) == (benchmark.metric, benchmark.unit, benchmark.better)
        defaults = {param: about["default"] for param, about in one["params"].items()}
        assert defaults == {param: about.default for param, about in benchmark.params.items()}
        choices = {param: about.get("choices", []) for param, about in one["params"].items()}
        assert choices == {param: about.choices for param, about in benchmark.params.items()}
    variants = {one["name"] for one in registry["variants"]}
    physical = {name for name, variant in KNOWN.variants.items() if variant.level == "none"}
    assert variants == (physical if probe else set(KNOWN.variants) - physical)
