# SPDX-License-Identifier: BSD-3-Clause
"""What is said when an MPI is not there or does not work, and that a working one is asked only once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from raddle.campaign.prepare import find_mpis
from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.find import find
from raddle.mpi.places import prefix_of
from raddle.plan.request import Request
from tests.cli.mpi_fakes import executable


def wrapper(program: str) -> str:
    """The script of an mpicc whose programs are another script. It counts its calls."""
    return f"""\
echo once >> "$(dirname "$0")/calls"
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
{program}
END
chmod +x "$2"
"""


WORKING = wrapper("echo 'MPICH Version:      9.9.9'")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_no_mpi_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="No MPI is installed") as error:
        find()
    assert "raddle mpi install" in error.value.hint


def test_where_nothing_is_installed_it_is_the_one_in_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc", WORKING)
    monkeypatch.setenv("PATH", f"{mpicc.parent}:{os.environ['PATH']}")
    (mpi,) = find()
    assert (mpi.mpicc, mpi.ours) == (mpicc, False)


def test_a_family_that_is_not_installed() -> None:
    with pytest.raises(UserError, match="Open MPI is not installed") as error:
        find(["openmpi"])
    assert "raddle mpi install openmpi" in error.value.hint


def test_a_name_that_means_nothing() -> None:
    with pytest.raises(UserError, match="'mpihc' is neither an MPI family nor a path") as error:
        find(["mpihc"])
    assert "intel, mpich, openmpi" in error.value.hint


def test_a_home_of_nobody() -> None:
    with pytest.raises(UserError, match="'~nosuchuser/mpi' is neither an MPI family nor a path"):
        find(["~nosuchuser/mpi"])
    with pytest.raises(UserError, match="There is no MPI '~nosuchuser/mpi'"):
        find_mpis(Request(mpis=["~nosuchuser/mpi"]), print)


def test_the_abi_has_a_build_of_its_own() -> None:
    bin_ = prefix_of(family("mpich")) / "bin"
    executable(bin_ / "mpicc", WORKING)
    with pytest.raises(UserError, match="No MPI that is installed has a compiler for the MPI-5 ABI"):
        find(["abi"])
    executable(bin_ / "mpicc_abi", WORKING)
    (its,), (native,) = find(["abi"]), find(["mpich"])
    assert (its.abi, native.abi) == (True, False)
    assert (its.mpicc, its.mpiexec) == (bin_ / "mpicc_abi", native.mpiexec)
    assert its.label == f"{native.label}-abi"


def test_a_prefix_without_an_mpicc(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"bin/mpicc does not exist"):
        find([str(tmp_path)])


def test_an_mpicc_that_cannot_be_executed(tmp_path: Path) -> None:
    (tmp_path / "mpicc").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"mpicc is not executable"):
        find([str(tmp_path / "mpicc")])


def test_a_broken_mpicc_shows_the_compilers_last_lines(tmp_path: Path) -> None:
    script = "for i in $(seq 50); do echo line $i >&2; done; echo cannot find -lmpi >&2; exit 1"
    mpicc = executable(tmp_path / "bin" / "mpicc", script)
    with pytest.raises(UserError, match="does not compile an MPI program") as error:
        find([str(mpicc)])
    message = str(error.value)
    assert message.endswith("cannot find -lmpi")
    assert "line 50" in message
    assert "line 1\n" not in message
    assert error.value.hint


def test_a_program_that_does_not_start(tmp_path: Path) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc", wrapper("echo 'libmpi.so: not found' >&2; exit 127"))
    with pytest.raises(UserError, match=r"(?s)does not start:.*libmpi.so: not found"):
        find([str(mpicc)])


def test_an_mpicc_whose_interpreter_is_gone(tmp_path: Path) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc", "")
    mpicc.write_text("#!/no/such/shell\n", encoding="utf-8")
    with pytest.raises(UserError, match="No such file"):
        find([str(mpicc)])


def test_by_path_and_by_prefix_it_is_the_same_and_it_is_asked_once(tmp_path: Path) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc", WORKING)
    (mpi,) = find([str(mpicc), str(tmp_path)])
    assert (mpi.name, mpi.version, mpi.prefix) == ("mpich", "9.9.9", tmp_path)
    assert mpi.mpiexec == tmp_path / "bin" / "mpiexec"
    assert not mpi.ours
    assert find([str(mpicc)]) == [mpi]
    assert (tmp_path / "bin" / "calls").read_text(encoding="utf-8") == "once\n"


@pytest.mark.parametrize("there", ["mpiexec.mpich", "mpiexec"])
def test_an_mpicc_with_a_longer_name_has_a_launcher_of_that_name_or_the_one_there_is(
    there: str, tmp_path: Path
) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc.mpich", WORKING)
    executable(tmp_path / "bin" / there, "")
    assert find([str(mpicc)])[0].mpiexec == tmp_path / "bin" / there


@pytest.mark.parametrize("name", ["mpiicx", "mpiicc", "mpigcc", "cc"])
def test_a_compiler_of_another_name_is_no_launcher(name: str, tmp_path: Path) -> None:
    compiler = executable(tmp_path / "bin" / name, WORKING)
    assert find([str(compiler)])[0].mpiexec == tmp_path / "bin" / "mpiexec"


def test_a_changed_mpicc_is_asked_again(tmp_path: Path) -> None:
    mpicc = executable(tmp_path / "bin" / "mpicc", WORKING)
    find([str(mpicc)])
    executable(mpicc, WORKING.replace("9.9.9", "9.9.10"))
    os.utime(mpicc, ns=(1, 1))
    assert find([str(mpicc)])[0].version == "9.9.10"


def test_two_of_one_version_have_directories_of_their_own(tmp_path: Path) -> None:
    first, second = (executable(tmp_path / name / "bin" / "mpicc", WORKING) for name in ("a", "b"))
    labels = [mpi.label for mpi in find([str(first), str(second)])]
    assert labels[0] != labels[1]
    assert all(label.startswith("mpich-9.9.9-") for label in labels)


def test_by_default_all_that_are_installed() -> None:
    for name in ("openmpi", "mpich"):
        executable(prefix_of(family(name)) / "bin" / "mpicc", WORKING)
    found = find()
    assert [mpi.prefix for mpi in found] == [prefix_of(family("mpich")), prefix_of(family("openmpi"))]
    assert all(mpi.ours for mpi in found)
    assert found[0].label == "mpich-9.9.9"


def test_a_home_that_cannot_be_written_only_forgets(tmp_path: Path, home: Path) -> None:
    home.write_text("a file, so no directory can be made here", encoding="utf-8")
    mpicc = executable(tmp_path / "bin" / "mpicc", WORKING)
    assert find([str(mpicc)]) == find([str(mpicc)])
