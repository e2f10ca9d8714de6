# SPDX-License-Identifier: BSD-3-Clause
"""The manual of a distribution: made for a source distribution, and for a wheel unless its sources bring one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Manual(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """In a wheel it lies beside the command, where man looks for the pages of what is in bin."""
        if version == "editable":
            return
        root = Path(self.root)
        manual = root / "docs" / "man"
        if (root / ".git").exists() or not manual.exists():
            self._make(manual, root / "tools" / "write_reference.py")
        if not manual.exists():
            return
        build_data["artifacts"].append("/docs/man")  # git ignores it
        if self.target_name == "wheel":
            build_data["shared_data"][str(manual)] = "share/man"

    def _make(self, manual: Path, writer: Path) -> None:
        command = [sys.executable, str(writer), "--manual", str(manual)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:  # an isolated build has no package that the command needs
            self.app.display_warning(f"no manual is made: {done.stderr.strip()}")
