# SPDX-License-Identifier: BSD-3-Clause
"""The page of a profile: whole, safe, and drawn as what was planted; in a browser where there is one."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from raddle.profile.drawings import COUNT, HEIGHT, inside, outline, tracks
from raddle.profile.facts import Facts
from raddle.profile.matrices import MOST, locks, processes
from raddle.profile.page import ENTRIES, render, sizes
from raddle.profile.summary import Summary, summarise
from tests.profile_command.planted import Plant
from tests.report.browser import NAMES, Browser, browser, find

VOID = {"meta", "link", "br", "input", "path"}


class Tree(HTMLParser):
    """What is open, which ids and links there are, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: set[str] = set()
        self.tags: Counter[str] = Counter()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        known = dict(attrs)
        self.ids.update(filter(None, [known.get("id")]))
        self.links |= {str(link) for name, link in attrs if name in ("href", "src")}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(facts: Facts) -> str:
    return render(facts, summarise(facts))


def test_it_is_whole_and_needs_no_other_file(page: str) -> None:
    tree = Tree(page)
    assert tree.open == []
    assert all(number == 1 for number in tree.ids.values())
    assert {link for link in tree.links if not link.startswith(("#", "data:"))} == set()
    assert {link[1:] for link in tree.links if link.startswith("#")} <= set(tree.ids)
    assert {each.anchor for each in ENTRIES} <= set(tree.ids)


def test_it_says_what_the_summary_says(page: str, summary: Summary) -> None:
    text = " ".join(Tree(page).text.split())
    for said in summary.verdict:
        assert " ".join(said.text.split()) in text
    for offered in summary.remedies:
        assert offered.do in text
        assert offered.bounded in text
    for name in ("MPI_Waitall", "MPI_COMM_WORLD", "worker 3", "50.0 ns a call", "late-sender"):
        assert name in text


def test_hostile_names_stay_text() -> None:
    bad = '<script>alert(1)</script>"&\x00'
    plant = Plant().call("MPI_Isend", 4.0, lock=1.0).sent(100, 10, 1).wait(1.0, 1, function=bad)
    plant.call(bad, 1.0)
    plant.program, plant.process, plant.thread = {"command": [bad]}, {"host": bad}, {"name": bad}
    text = rendered(plant.facts())
    assert "<script>alert" not in text
    assert "\x00" not in text
    assert Tree(text).tags["script"] == 1


@pytest.mark.parametrize("plant", [Plant(1, 1, seconds=0.0), Plant(1, 1), Plant(1, 0), Plant(2, 2)])
def test_a_profile_of_almost_nothing_has_a_page(plant: Plant) -> None:
    assert Tree(rendered(plant.facts())).open == []


def test_outlines_are_steps() -> None:
    assert outline([0.0, 0.0]) == ""
    assert outline([0.5, 0.5, 1.0, 2.0]) == f"M0 100H0V50H2V0H4V{HEIGHT:g}Z"


def test_a_thread_is_drawn_as_it_was() -> None:
    """Half of the time inside at first, then all of it: half of that waiting for locks."""
    plant = Plant(1, 2).call("MPI_Isend", 7.5, lock=3.75)
    plant.thread = {"bin": 5.0, "bins_mpi": [2.5, 5.0], "bins_lock": [1.25, 2.5]}
    track = tracks(plant.facts())[0]
    assert track.mpi == f"M0 100H0V50H{COUNT // 2}V0H{COUNT}V100Z"
    assert track.locks == f"M0 100H0V75H{COUNT // 2}V50H{COUNT}V100Z"
    assert track.words == "in the MPI 75 %, waiting for locks 38 % of the time"


def test_how_many_were_inside_is_drawn_as_it_was() -> None:
    (found,) = inside(Plant(1, 2).call("MPI_Send", 2.0).inside(5.0, 4.0, 1.0).facts())
    assert [round(piece.percent) for piece in found.pieces] == [50, 40, 10]
    assert found.most == 2


def test_who_waited_for_whom() -> None:
    plant = Plant(3, 1).call("MPI_Recv", 5.0).wait(3.0, 2).wait(1.0, -1, kind="imbalance").wait(1.5, 0, process=2)
    found = processes(plant.facts().view)
    assert found
    assert (found.rows, found.columns) == (["process 0", "process 2"], ["0", "2", "several"])
    assert [[cell.seconds for cell in row] for row in found.cells] == [[0.0, 3.0, 1.0], [1.5, 0.0, 0.0]]
    assert found.cells[0][1].strength == 100
    assert processes(Plant().facts().view) is None


def test_who_held_the_lock() -> None:
    plant = Plant(2, 2).held(0, 1, 2.0).held(1, -1, 1.0).held(0, 1, 5.0, process=1)
    first, second = locks(plant.facts().view)
    assert (first.title, first.columns, second.title) == ("Process 0", ["1", "?"], "Process 1")


def test_of_very_many_the_longest_are_shown() -> None:
    plant = Plant(1, 1)
    for waiter in range(40):
        plant.held(waiter, 100, 0.1 + waiter)
    (found,) = locks(plant.facts().view)
    assert found.rows == [f"thread {number}" for number in range(40 - MOST, 40)]
    assert found.left_out == 40 - MOST


def test_sizes_have_words() -> None:
    assert [each.label for each in sizes([1] * 12)] == [
        "0 B", "1 B", "2 to 3 B", "4 to 7 B", "8 to 15 B", "16 to 31 B", "32 to 63 B", "64 to 127 B", "128 to 255 B",
        "256 to 511 B", "from 512 B", "from 1 KiB",
    ]  # fmt: skip
    assert sizes([]) == []


def test_colours_are_those_of_the_theme(page: str) -> None:
    own = re.findall(r"--p-[a-z]+:[^;]*#", page)
    assert own == []


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    executable = find()
    if executable is None:
        assert os.environ.get("CI") != "true", f"no browser (looked for {', '.join(NAMES)})"
        pytest.skip("no browser")
    with browser(executable, tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_shows(shown: Browser, directory: Path, page: str, width: int, dark: bool) -> None:
    assert page
    shown.requests.clear()
    shown.complaints.clear()
    shown.open(directory / "report.html", width=width, dark=dark)
    assert shown.complaints == []
    assert [each for each in shown.requests if not each.startswith(("file:", "data:"))] == []
    assert shown.evaluate("document.querySelectorAll('.page.current').length") == 1
    for entry in ENTRIES:
        shown.evaluate(f"location.hash = '{entry.anchor}'")
        shown.settle()
        assert shown.evaluate("document.querySelector('.page.current').id") == entry.anchor
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    shown.evaluate("document.documentElement.classList.remove('paged')")
    bars = shown.evaluate("[...document.querySelectorAll('.tracks svg')].map((e) => e.getBoundingClientRect().width)")
    assert len(bars) == 16 + 4
    assert min(bars) > 200
    colours = shown.evaluate(
        "[...document.querySelectorAll('.stack.large span')].map((e) => getComputedStyle(e).backgroundColor)"
    )
    assert len(set(colours)) == len(colours) == 5
