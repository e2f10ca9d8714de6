# SPDX-License-Identifier: BSD-3-Clause
"""Dynamic sparse data exchange: the pages of the suite, in their order."""

from __future__ import annotations

from collections.abc import Callable

from raddle.report.data import Data
from raddle.report.figures import dsde_algorithms, dsde_auto, dsde_census, dsde_endpoints
from raddle.report.figures.model import Figure


def builders() -> list[Callable[[Data], Figure | None]]:
    """What makes each page; nothing where it was not measured."""
    return [dsde_census.build, dsde_algorithms.build, dsde_auto.build, dsde_endpoints.build]
