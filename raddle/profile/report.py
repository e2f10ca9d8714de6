# SPDX-License-Identifier: BSD-3-Clause
"""All that a profile's directory gets beside its records, made of them: the summary and the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from raddle.environment import read_environment
from raddle.files import write_whole
from raddle.profile.facts import Facts
from raddle.profile.known import known
from raddle.profile.model import Record
from raddle.profile.page import render
from raddle.profile.store import load
from raddle.profile.summary import Summary, save, summarise
from raddle.profile.view import View

PAGE = "report.html"


def make(directory: Path, records: Sequence[Record] | None = None) -> Summary:
    """Writes `summary.json` and `report.html`. Raises UserError. `records`: those of the directory, if read already."""
    facts = Facts(View.of(load(directory) if records is None else records), known(directory))
    summary = summarise(facts)
    save(summary, directory)
    write_whole(directory / PAGE, render(facts, summary, read_environment(directory)).encode())
    return summary


def read(directory: Path) -> Summary:
    """The summary of a profile, from its records; nothing is written. Raises UserError."""
    return summarise(Facts(View.of(load(directory)), known(directory)))
