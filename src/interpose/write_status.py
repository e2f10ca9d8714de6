# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/endpoint-functions.md: what every function of MPI does on an endpoint.

.venv/bin/python src/interpose/write_status.py
"""

from __future__ import annotations

from pathlib import Path

from generator.functions import chosen
from generator.standard import procedures
from generator.status import page

ROOT = Path(__file__).parents[2]


def main() -> None:
    table = (ROOT / "src" / "interpose" / "endpoint_functions.toml").read_text(encoding="utf-8")
    (ROOT / "docs" / "endpoint-functions.md").write_text(page(procedures(), chosen(table)), encoding="utf-8")


if __name__ == "__main__":
    main()
