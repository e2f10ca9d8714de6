# SPDX-License-Identifier: BSD-3-Clause
"""`pip install` of an unpacked source distribution: the command works, and builds, when that has gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest

from raddle import native
from raddle.mpi.places import home, installed

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not installed(), reason="needs an MPI")


class Installed:
    """The command in an environment of its own, with a cache directory of its own that has the MPIs."""

    def __init__(self, root: Path) -> None:
        self.bin, self.cache, self.place = root / "env" / "bin", root / "cache", root / "elsewhere"

    def __call__(self, *arguments: str, seconds: int = 100) -> str:
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        done = subprocess.run(
            [str(self.bin / arguments[0]), *arguments[1:]],
            cwd=self.place,
            env={**env, "RADDLE_HOME": str(self.cache), "COLUMNS": "120"},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def raddle(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    root = tmp_path_factory.mktemp("installed")
    one = Installed(root)
    one.cache.mkdir()
    one.place.mkdir()
    (one.cache / "mpi").symlink_to(home() / "mpi")
    venv.create(one.bin.parent, symlinks=True)
    # What Raddle depends on is the tests' own; an editable Raddle is not seen this way.
    theirs = Path(sysconfig.get_path("purelib", vars={"base": str(one.bin.parent)}))
    (theirs / "tests.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(root)],
        cwd=ROOT, check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    (archive,) = root.glob("raddle-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(root, filter="data") if sys.version_info >= (3, 12) else opened.extractall(root)
    source = root / archive.name.removesuffix(".tar.gz")
    one("python", "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", str(source))
    shutil.rmtree(source)
    return one


def test_it_is_the_one_installed(raddle: Installed) -> None:
    where = raddle("python", "-c", "import raddle.source_tree as tree; print(tree.sources())").strip()
    assert Path(where).is_relative_to(raddle.bin.parent)
    assert "msgrate" in raddle("raddle", "list")


def test_its_manual_is_there(raddle: Installed) -> None:
    """Beside the command, and in the sources, for those who install the library from here. The pages that texts name
    are where `raddle list` says."""
    env = raddle.bin.parent
    (docs,) = env.glob("lib/python3*/site-packages/raddle/source/docs")
    assert (docs / "use" / "endpoints.md").is_file()
    assert not (docs / "results").exists()
    assert f"in {docs}." in raddle("raddle", "list").replace("\n", "")
    for manual in (env / "share" / "man", docs / "man"):
        assert (manual / "man1" / "raddle-run.1").is_file()
        assert (manual / "man3" / "raddle_lanes.3").is_file()


def test_its_sources_build_for_an_mpi(raddle: Installed) -> None:
    """The least that has headers of all kinds; every source that is named must be there to configure."""
    code = (
        "from raddle import native; from raddle.mpi.find import find; "
        f"print(native.configure(find(['{installed()[0].name}'])[0]))"
    )
    directory = Path(raddle("python", "-c", code).splitlines()[-1])
    subprocess.run([native.tool("cmake"), "--build", directory, "-t", "raddle_native"], check=True, capture_output=True)
    assert directory.is_relative_to(raddle.cache / "build")


@pytest.mark.long
@pytest.mark.timeout(2400)
def test_it_measures_and_installs(raddle: Installed, tmp_path: Path) -> None:
    mpi = installed()[0].name
    raddle("raddle", "install", str(tmp_path / "prefix"), "--mpi", mpi, seconds=1800)
    assert (tmp_path / "prefix" / "lib" / "libraddle.so").exists()
    options = ("--mpi", mpi, "--quick", "--variant", "process,lane", "--out", str(tmp_path / "out"))
    raddle("raddle", "run", "latency", *options, seconds=500)
    assert (tmp_path / "out" / "report.html").stat().st_size > 0
