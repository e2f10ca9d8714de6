# SPDX-License-Identifier: BSD-3-Clause
"""Raddle measures what threads cost a hybrid MPI program, says why, and removes the cost."""

from raddle.library.ranks import endpoints
from raddle.library.sparse import sparse_exchange

__all__ = ["endpoints", "sparse_exchange"]
__version__ = "0.1.0"
