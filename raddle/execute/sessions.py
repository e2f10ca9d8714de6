# SPDX-License-Identifier: BSD-3-Clause
"""Directories that launchers make for a session, named by their process id: a killed one cannot remove its own.

One that stays does harm: where PRRTE finds the directory of an earlier process of its own id, it does not start.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from raddle.mpi.family import families

# As PRRTE looks for a place.
_PLACES = ("TMPDIR", "TEMP", "TMP")
_ELSE = "/tmp"


def remove_sessions(pids: Iterable[int], env: Mapping[str, str]) -> list[Path]:
    """Remove those of launchers that ran with `env` and were killed. Returns what was there."""
    place = Path(next((env[name] for name in _PLACES if env.get(name)), _ELSE))
    names = [member.session_directory for member in families().values() if member.session_directory]
    found = [path for pid in pids for name in names if (path := place / name.format(pid=pid)).is_dir()]
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return found
