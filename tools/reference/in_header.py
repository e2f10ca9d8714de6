# SPDX-License-Identifier: BSD-3-Clause
"""The list of settings in the comment at the top of raddle.h."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from reference.settings import FUNCTIONS, Setting

_BEGIN, _END, _WIDTH = " by tools/write_reference.py.\n", " */\n#ifndef RADDLE_H\n", 120


def with_settings(header: str, settings: Sequence[Setting]) -> str:
    """The header, its list made anew. Raises ValueError if there is no place for it."""
    before, begin, rest = header.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError("raddle.h has no place for the list of settings")
    lines = [" *"]
    for one in settings:
        lines += _wrapped(f"{one.name}  {one.valid}; default: {one.by_default}. {one.sentence()}", hanging=6)
    lines += [" *", " * Info keys. Each overrides for one call the environment variable of the same name:", " *"]
    for hints, functions in FUNCTIONS.items():
        keys = [f"{one.key} ({one.valid_of_key})" for one in settings if one.hints == hints]
        lines += _wrapped(f"{functions}: {', '.join(keys)}", hanging=4)
    return f"{before}{begin}{chr(10).join(lines)}\n{end}{after}"


def _wrapped(text: str, hanging: int) -> list[str]:
    first, rest = " *   ", " *   " + " " * hanging
    return textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
