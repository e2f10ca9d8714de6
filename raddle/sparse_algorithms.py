# SPDX-License-Identifier: BSD-3-Clause
"""The algorithms of sparse exchange, as libraddle lists them."""

from __future__ import annotations

import re

from raddle.source_tree import sources

_LIST = sources() / "src" / "platform" / "sparse_algorithms.def"
NAMES = tuple(re.findall(r"^RADDLE_SPARSE_ALGORITHM\((\w+),", _LIST.read_text(encoding="utf-8"), re.MULTILINE))
