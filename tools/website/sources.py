# SPDX-License-Identifier: BSD-3-Clause
"""What the site is made of: a copy of docs in which every link leads to something that is in the site.

Files outside of docs that pages name are copied beside them; a directory cannot be shown, so a link to one is its text.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"(^```.*?^```|^(?: {4}[^\n]*\n)+)", re.MULTILINE | re.DOTALL)
C_PAGE = "use/c-api.md"
FILES = "files"


def copy(root: Path, place: Path, *, with_c: bool) -> None:
    """Below `place`; with a page of the C interface for Doxygen's output to be put in."""
    docs = root / "docs"
    for page in pages(docs):
        name = page.relative_to(docs)
        text = mended(page.read_text(encoding="utf-8"), page, root, place)
        if name == Path("README.md"):
            name, text = Path("index.md"), text + contents(text, with_c=with_c)
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    shutil.copytree(docs / "images", place / "images")
    if with_c:
        (place / C_PAGE).write_text(
            "# C\n\n```{doxygenfile} raddle.h\n:sections: func define typedef innerclass\n```\n", encoding="utf-8"
        )


def pages(docs: Path) -> list[Path]:
    """All but what kept runs have beside their numbers."""
    kept = docs / "results"
    return [page for page in sorted(docs.rglob("*.md")) if page.parent == kept or not page.is_relative_to(kept)]


def contents(index: str, *, with_c: bool) -> str:
    """What Sphinx calls a toctree, of the links below each heading of the index."""
    text = ""
    for part in index.split("\n## ")[1:]:
        names = [target for _, _, target in _LINK.findall(part) if target.endswith(".md")]
        if with_c and "use/reference.md" in names:
            names.insert(names.index("use/reference.md"), C_PAGE)
        title = part.partition("\n")[0]
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(names) + "\n```\n"
    return text


def mended(text: str, page: Path, root: Path, place: Path) -> str:
    """The page with each link to a file of the project leading to its copy. Raises ValueError for a broken one."""

    def link(found: re.Match[str]) -> str:
        image, words, target = found.groups()
        name, _, anchor = target.partition("#")
        if image or "://" in target or not name:
            return found[0]
        there = (page.parent / name).resolve()
        if not there.exists():
            raise ValueError(f"{page}: {target} leads nowhere")
        if there.is_dir():
            return words
        if there.suffix == ".md" and there.is_relative_to(root / "docs"):
            return found[0]
        copied = place / FILES / there.relative_to(root)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(there, copied)
        up = "../" * (len(page.relative_to(root / "docs").parts) - 1)
        return f"[{words}](<path:{up}{FILES}/{there.relative_to(root)}>)" + (f" ({anchor})" if anchor else "")

    parts = _BLOCK.split(text)
    return "".join(part if at % 2 else _LINK.sub(link, part) for at, part in enumerate(parts))
