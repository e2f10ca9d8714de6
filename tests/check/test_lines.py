# SPDX-License-Identifier: BSD-3-Clause
"""Lines of the source, where there are a tool and debug information."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from raddle.check.lines import lines


def tool(place: Path, answer: str) -> str:
    path = place / "addr2line"
    path.write_text(f'#!/bin/sh\necho "$@" >{place}/asked\nprintf "{answer}"\n')
    path.chmod(0o755)
    return str(path)


def test_the_call_is_before_the_address_that_it_returns_to(tmp_path: Path) -> None:
    with patch("shutil.which", lambda _: tool(tmp_path, "/a/b.c:12 (discriminator 3)\\\\n/a/b.c:40\\\\n")):
        found = lines([("/bin/x", 0x20), ("/bin/x", 0x10), ("/bin/x", 0x10)])
    assert found.of == {("/bin/x", 0x10): "/a/b.c:12", ("/bin/x", 0x20): "/a/b.c:40"}
    assert found.hint == ""
    assert (tmp_path / "asked").read_text() == "-e /bin/x 0xf 0x1f\n"


@pytest.mark.parametrize("answer", ["??:0\\\\n", "", "??:?\\\\n"])
def test_without_debug_information_it_says_how_to_get_it(tmp_path: Path, answer: str) -> None:
    with patch("shutil.which", lambda _: tool(tmp_path, answer)):
        found = lines([("/bin/x", 0x10)])
    assert found.of == {("/bin/x", 0x10): "/bin/x+0x10"}
    assert found.hint == "Compile with -g for lines of the source in place of offsets: x."


def test_without_a_tool_it_says_what_to_install() -> None:
    with patch("shutil.which", lambda _: None):
        found = lines([("/bin/x", 0x10)])
    assert found.of == {("/bin/x", 0x10): "/bin/x+0x10"}
    assert "binutils or elfutils" in found.hint
