# SPDX-License-Identifier: BSD-3-Clause
"""Raddle measures what threads cost a hybrid MPI program, says why, and removes the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from raddle.library.ranks import endpoints
    from raddle.library.sparse import sparse_exchange

__all__ = ["endpoints", "sparse_exchange"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The library's interface, which the command does not use and need not wait for."""
    if name == "endpoints":
        from raddle.library.ranks import endpoints  # noqa: PLC0415

        return endpoints
    if name == "sparse_exchange":
        from raddle.library.sparse import sparse_exchange  # noqa: PLC0415

        return sparse_exchange
    raise AttributeError(f"module 'raddle' has no attribute '{name}'")
