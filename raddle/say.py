# SPDX-License-Identifier: BSD-3-Clause
"""How long work tells what it is at: whoever starts it says where the words go."""

from __future__ import annotations

from collections.abc import Callable

Say = Callable[[str], None]
