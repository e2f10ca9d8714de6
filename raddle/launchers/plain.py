# SPDX-License-Identifier: BSD-3-Clause
"""An mpiexec of which only the option that the MPI standard itself names is known."""

from __future__ import annotations

from raddle.launchers.base import Mpiexec, register


@register("plain")
class Plain(Mpiexec):
    """Settings travel in the environment; binding is left to it, and `raddle-bench` reads back what it did."""
