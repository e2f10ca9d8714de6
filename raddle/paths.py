# SPDX-License-Identifier: BSD-3-Clause
"""Paths as people type them, and as results and tables show them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from raddle.errors import UserError

# A path begins where no other one goes on, or behind an option of one letter (-L/home/jane/lib) or the line break of a
# JSON text, and has whole names.
_BEFORE = r"(?:(?<![\w./+~-])|(?<=(?<!\w)-[A-Za-z])|(?<=\\[nrt]))"
_AFTER = r"(?![\w+~-]|\.\w)"


def expanded(text: str) -> Path:
    """The path with the home directory in place of "~"; that of a user who is not there stays as it is."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 (Path's own raises RuntimeError)


def writable(text: str) -> str:
    """The text with "?" for what is no UTF-8: names may be any bytes, and JSON and terminals take only text."""
    return text.encode(errors="replace").decode()


def refuse_bytes(name: str | Path, hint: str) -> None:
    """Raises UserError for a name that results could not tell as it is."""
    if (shown := writable(str(name))) != str(name):
        raise UserError(f"{shown} is not UTF-8 text, so results cannot name it.", hint=hint)


def tilde(text: str) -> str:
    """The text, made writable, with the user's home directory as "~": results are shown to others, who need not know
    its name."""
    text, home = writable(text), writable(str(Path.home()))
    return text if home == "/" else re.sub(_BEFORE + re.escape(home) + _AFTER, "~", text)
