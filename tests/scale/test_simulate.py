# SPDX-License-Identifier: BSD-3-Clause
"""The library's own algorithms on simulated ranks."""

from __future__ import annotations

import pytest

from raddle.scale.algorithms import ALGORITHMS
from raddle.scale.parameters import machine, parse
from raddle.scale.prediction import predict
from raddle.scale.simulate import missing, simulate
from raddle.scale.workload import Workload


@pytest.mark.timeout(600)
@pytest.mark.skipif(bool(missing()), reason=f"needs {missing()}: apt-get install libsimgrid-dev")
def test_every_algorithm_runs_on_64_ranks_of_8_nodes() -> None:
    """The driver compares all that arrives with what was sent; times are within a factor of ten of the model's."""
    prediction = predict(
        machine(parse("L=1.2us,o=0.35us,g=0.1us,G=0.05ns/B"), 8),
        Workload(ranks=64, payload=1024, neighbours=6),
        [64],
    )
    found = simulate(prediction, 2, lambda _: None)
    assert {one.algorithm for one in found} == set(ALGORITHMS)
    for one in found:
        assert one.seconds is not None, f"{one.algorithm}: {one.problem}"
        assert 0.1 < one.seconds / prediction.costs[0][one.algorithm].seconds < 10, one.algorithm
