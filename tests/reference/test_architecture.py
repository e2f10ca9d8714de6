# SPDX-License-Identifier: BSD-3-Clause
"""What the pages on the structure say is so: what they name is there, and the layers use what they say, no more."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILD = DOCS / "build"
PAGES = ["architecture.md", "extending.md"]
ADDED = {  # by the reader
    "bench/suites/basic/probed_latency.cpp",
    "bench/suites/basic/probed_latency.toml",
    "src/sparse/algorithms/linear.cpp",
}
PICTURE = DOCS / "images/message.svg"
_TOP = "src|raddle|bench|include|tests|tools|docs|examples|cmake"


def named(text: str) -> list[str]:
    """The paths in code type."""
    return re.findall(rf"`((?:{_TOP})/[\w./-]*)`", text)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    found = named((BUILD / page).read_text(encoding="utf-8"))
    assert len(found) > 10
    assert {name for name in found if not (ROOT / name).exists()} <= ADDED


def test_what_the_picture_names_is_there() -> None:
    folder, files = ROOT, 0
    for text in ElementTree.parse(PICTURE).iter("{http://www.w3.org/2000/svg}text"):
        said = text.text or ""
        if text.get("class") == "path":
            for name in said.split(", "):
                folder = ROOT / name
                assert folder.exists(), name
        else:
            for name in re.findall(r"\b\w+\.[ch]pp\b", said):
                files += 1
                assert (folder / name).exists(), f"{folder}/{name}"
            for name in re.findall(r"\bsrc/[\w/]+", said):
                assert (ROOT / name).exists(), name
    assert files > 5


def layers() -> dict[str, set[str]]:
    """What each folder may use, by the page."""
    text = (BUILD / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(src/[\w/]+)` \|.*\| ([^|]*)\|$", text, re.MULTILINE)
    return {folder: set(re.findall(r"`([^`]+)`", uses)) for folder, uses in rows}


def test_layers_use_what_the_page_says() -> None:
    told = layers()
    found: dict[str, set[str]] = {folder: set() for folder in told}

    def layer_of(path: str) -> str:
        return max((folder for folder in told if path.startswith(f"{folder}/")), key=len, default="")

    for source in (ROOT / "src").rglob("*.[ch]pp"):
        mine = layer_of(str(source.relative_to(ROOT)))
        assert mine or source.parent == ROOT / "src", f"{source} is in no layer of the page"
        for included in re.findall(r'^#include "([^"]+)"', source.read_text(encoding="utf-8"), re.MULTILINE):
            other = layer_of(f"src/{included}")
            if mine and other and other != mine:
                found[mine].add(other)
    assert found == told


def rows_of_the_command() -> dict[str, int]:
    """In which row of the page each folder and module of the command stands, from the top."""
    text = (BUILD / "architecture.md").read_text(encoding="utf-8").partition("\n## The command\n")[2]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    return {name: at for at, row in enumerate(rows) for name in re.findall(r"`(\w+)`", row)}


def imported(source: Path) -> set[str]:
    """What a source of the command imports of it, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "raddle":
            found |= {alias.name for alias in node.names if not alias.name.startswith("__")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("raddle."):
            found.add(str(node.module).split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("raddle.")}
    return found


def test_the_command_imports_one_way() -> None:
    rows = rows_of_the_command()
    command = ROOT / "raddle"
    parts = {path.stem for path in command.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    assert parts - {"__init__", "__main__"} == rows.keys()
    for part in rows:
        folder = command / part
        for source in folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]:
            wrong = {other for other in imported(source) - {part} if rows[other] <= rows[part]}
            assert not wrong, f"{source.relative_to(ROOT)} uses {wrong}"


def test_the_interface_for_python_uses_nothing_of_the_command() -> None:
    sources = list((ROOT / "raddle/library").glob("*.py"))
    assert len(sources) > 2
    assert set().union(*map(imported, sources)) == {"library", "errors"}
