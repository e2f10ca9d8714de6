# SPDX-License-Identifier: BSD-3-Clause
"""What `import raddle` gives to programs, by its own words."""

from __future__ import annotations

import inspect

import raddle


def functions() -> dict[str, list[str]]:
    """The paragraphs of each function's text, by its signature."""
    found = {}
    for name in raddle.__all__:
        function = getattr(raddle, name)
        text = inspect.cleandoc(function.__doc__ or "")
        signature = str(inspect.signature(function)).replace("'", "")
        found[f"raddle.{name}{signature}"] = [" ".join(part.split()) for part in text.split("\n\n")]
    return found
