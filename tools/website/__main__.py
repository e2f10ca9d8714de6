# SPDX-License-Identifier: BSD-3-Clause
"""`make docs`: the site, in build/site. A broken link, or a page that the index does not name, is an error.

.venv/bin/python tools/website [DIRECTORY]

The C interface is read by Doxygen, where it is installed; Breathe puts it into the site.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from website import sources  # noqa: E402

DOXYGEN = """
INPUT = {header}
OUTPUT_DIRECTORY = {place}
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
OPTIMIZE_OUTPUT_FOR_C = YES
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = NO
PREDEFINED = RADDLE_FORUM_NAMES
QUIET = YES
WARN_AS_ERROR = NO
"""


def main() -> None:
    site = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "site"
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "pages"
        xml = doxygen(Path(scratch))
        sources.copy(ROOT, place, with_c=xml is not None)
        env = {**os.environ, **({"RADDLE_DOXYGEN": str(xml)} if xml else {})}
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", str(Path(__file__).parent)]
        done = subprocess.run([*command, "-d", f"{scratch}/trees", str(place), str(site)], env=env, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    print(f"The site: {site / 'index.html'}")


def doxygen(scratch: Path) -> Path | None:
    """What it makes of the header; None where it is not installed."""
    if shutil.which("doxygen") is None:
        print("Without Doxygen the site has no page of the C interface. Debian and Ubuntu: apt-get install doxygen")
        return None
    settings = DOXYGEN.format(header=ROOT / "include/raddle/raddle.h", place=scratch)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, stderr=subprocess.DEVNULL)
    return scratch / "xml"


if __name__ == "__main__":
    main()
