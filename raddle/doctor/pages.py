# SPDX-License-Identifier: BSD-3-Clause
"""The catalogue as a page to read: `raddle doctor --list`, and the list in docs/use/doctor.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import RenderableType
from rich.markdown import Markdown

from raddle.doctor.catalogue import Finding, Severity

_HEADINGS = {Severity.WRONG: "Wrong", Severity.ADVICE: "Could be better", Severity.OK: "Fine"}


def markdown() -> str:
    """Every finding with its three sentences; what is filled in stands in italics."""
    return "\n".join(_lines()) + "\n"


def styled() -> RenderableType:
    """The same for a terminal, which does not show Markdown, as wide as it is."""
    # What to do on a line of its own: Markdown breaks one where two spaces end it.
    return Markdown(markdown().replace("\n  *Do:*", "  \n  *Do:*"))


def _lines() -> Iterator[str]:
    for severity, heading in _HEADINGS.items():
        yield f"### {heading}"
        yield ""
        for finding in Finding:
            if finding.severity is severity:
                yield f"* **{finding}**: {_readable(finding.seen)} {_readable(finding.matters)}"
                if finding.do != "Nothing.":
                    yield f"  *Do:* {_readable(finding.do)}"
        yield ""


def _readable(sentence: str) -> str:
    return re.sub(r"\{(\w+)\}", r"*\1*", sentence)
