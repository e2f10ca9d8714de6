# SPDX-License-Identifier: BSD-3-Clause
"""The site can be made of the pages: every link leads somewhere, and the index names every page."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from website import sources

from tests.docs.pages import ROOT


def test_the_index_names_every_page() -> None:
    docs = ROOT / "docs"
    words = sources.contents((docs / "README.md").read_text(encoding="utf-8"), with_c=False).split()
    named = [word for word in words if word.endswith(".md")]
    assert len(named) == len(set(named))
    assert {str(page.relative_to(docs)) for page in sources.pages(docs)} - set(named) == {"README.md"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One page, with a file beside docs."""
    (tmp_path / "docs" / "use").mkdir(parents=True)
    (tmp_path / "a.c").write_text("int a;\n", encoding="utf-8")
    return tmp_path


def test_files_are_copied_and_directories_are_words(project: Path, tmp_path: Path) -> None:
    page = project / "docs" / "use" / "page.md"
    text = "[`a`](../../a.c), [all](../../docs/) and [out](https://example.org)\n\n    [code](nowhere.md)\n"
    made = sources.mended(text, page, project, tmp_path / "site")
    assert made.startswith("[`a`](<path:../files/a.c>), all and [out](https://example.org)\n")
    assert made.endswith("    [code](nowhere.md)\n")
    assert (tmp_path / "site" / "files" / "a.c").read_text(encoding="utf-8") == "int a;\n"


def test_a_broken_link_is_an_error(project: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"gone\.md leads nowhere"):
        sources.mended("[b](gone.md)", project / "docs" / "use" / "page.md", project, tmp_path / "site")


@pytest.mark.timeout(300)
def test_it_is_made_without_a_warning(tmp_path: Path) -> None:
    for missing in ("sphinx", "myst_parser", "furo", "breathe"):
        if importlib.util.find_spec(missing) is None:
            assert os.environ.get("CI") != "true" or sys.version_info < (3, 11), f"{missing} is missing: make docs"
            pytest.skip(f"{missing} is missing")
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "website"), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "raddle try" in (tmp_path / "use" / "programs-as-they-are.html").read_text(encoding="utf-8")
    assert (tmp_path / "searchindex.js").exists()
    if shutil.which("doxygen"):
        assert "Raddle_Lanes_create" in (tmp_path / "use" / "c-api.html").read_text(encoding="utf-8")
