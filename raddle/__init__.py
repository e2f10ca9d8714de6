# SPDX-License-Identifier: BSD-3-Clause
"""Raddle measures what threads cost a hybrid MPI program, says why, and removes the cost."""

from raddle.ranks import endpoints

__all__ = ["endpoints"]
__version__ = "0.1.0"
