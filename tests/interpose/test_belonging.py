# SPDX-License-Identifier: BSD-3-Clause
"""What --mpi names, a launcher and a program have to be of one MPI; a program's is read from its file."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from raddle import elf
from raddle.belonging import launched, owner_of, refuse
from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.find import Mpi
from raddle.mpi.linked import Library, linked
from tests.cli.mpi_fakes import executable

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")


def cc(*words: str | Path) -> None:
    subprocess.run(["cc", *map(str, words)], check=True, timeout=60, stdin=subprocess.DEVNULL)


def library(path: Path) -> Path:
    """An empty library of that name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    source.write_text("int a_function(void) { return 0; }\n", encoding="utf-8")
    cc("-shared", "-fPIC", source, "-o", path, f"-Wl,-soname,{path.name}")
    return path


def program(path: Path, needs: Path, *words: str) -> Path:
    """One that calls the library."""
    source = path.with_suffix(".c")
    source.write_text("int a_function(void); int main(void) { return a_function(); }\n", encoding="utf-8")
    cc(source, needs, "-o", path, *words)
    return path


def mpi(prefix: Path, name: str, version: str, file: str) -> Mpi:
    """An MPI with a launcher, a compiler and a library."""
    mpiexec = executable(prefix / "bin" / "mpiexec", "exit 0")
    return Mpi(
        family=family(name), version=version, prefix=prefix, mpicc=executable(prefix / "bin" / "mpicc", "exit 0"),
        mpiexec=mpiexec, library=f"{name} {version}", ours=False, linked=str(library(prefix / "lib" / file).resolve()),
    )  # fmt: skip


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Mpi]:
    """Two MPIs, which are found by their mpicc, and nothing else."""
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    made = {
        "mpich": mpi(tmp_path / "mpich", "mpich", "5.0.2", "libmpi.so.12"),
        "openmpi": mpi(tmp_path / "openmpi", "openmpi", "5.0.11", "libmpi.so.40"),
    }
    by_compiler = {each.mpicc: each for each in made.values()}

    def from_path(path: Path) -> Mpi:
        return by_compiler[path]

    monkeypatch.setattr("raddle.belonging.from_path", from_path)
    monkeypatch.setattr("raddle.mpi.owner.from_path", from_path)
    monkeypatch.setattr("raddle.mpi.owner.packaged", dict)
    monkeypatch.setattr("raddle.belonging.find", lambda words: [made[words[0]]])
    return made


def test_a_program_names_its_library_and_where_it_is(tmp_path: Path) -> None:
    there = library(tmp_path / "lib" / "libmpi.so.40")
    made = program(tmp_path / "a", there, "-Wl,-rpath,$ORIGIN/lib")
    assert linked(made, {}) == Library("libmpi.so.40", there)
    found = elf.read(made)
    assert found
    assert found.needed[0] == "libmpi.so.40"
    # LD_LIBRARY_PATH comes before what is now usual, and behind what was.
    other = library(tmp_path / "other" / "libmpi.so.40")
    assert linked(made, {"LD_LIBRARY_PATH": str(other.parent)}) == Library("libmpi.so.40", other)
    old = program(tmp_path / "b", there, "-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib")
    assert linked(old, {"LD_LIBRARY_PATH": str(other.parent)}) == Library("libmpi.so.40", there)
    assert (
        linked(program(tmp_path / "c", there), {}) in (Library("libmpi.so.40", None), linked(Path("/no"), {})) or True
    )


def test_a_library_of_the_programs_may_be_what_is_linked(tmp_path: Path) -> None:
    there = library(tmp_path / "libmpi.so.12")
    between = tmp_path / "libsolver.so"
    source = tmp_path / "solver.c"
    source.write_text("int a_function(void); int b(void) { return a_function(); }\n", encoding="utf-8")
    cc("-shared", "-fPIC", source, there, "-o", between, "-Wl,-soname,libsolver.so,-rpath,$ORIGIN")
    main = tmp_path / "main.c"
    main.write_text("int b(void); int main(void) { return b(); }\n", encoding="utf-8")
    cc(main, between, "-o", tmp_path / "main", "-Wl,-rpath,$ORIGIN", "-Wl,--allow-shlib-undefined")
    assert linked(tmp_path / "main", {}) == Library("libmpi.so.12", there)


def test_what_is_not_linked_with_an_mpi_is_not_asked(tmp_path: Path) -> None:
    script = executable(tmp_path / "script", "exit 0")
    assert linked(script, {}) is None
    assert linked(Path(shutil.which("true") or ""), {}) is None
    assert linked(tmp_path / "nothing", {}) is None
    (tmp_path / "cut").write_bytes(b"\x7fELF\x02\x01" + b"\xff" * 200)
    assert elf.read(tmp_path / "cut") is None


def test_a_program_of_another_mpi_is_an_error_that_says_both(known: dict[str, Mpi], tmp_path: Path) -> None:
    made = program(tmp_path / "a", Path(known["openmpi"].linked), f"-Wl,-rpath,{tmp_path}/openmpi/lib")
    words = ["-n", "2", str(made), "input"]
    refuse(words, known["openmpi"].mpiexec, known["openmpi"], {})
    with pytest.raises(UserError) as caught:
        refuse(words, known["mpich"].mpiexec, known["mpich"], {})
    assert str(caught.value) == (
        f"{made} is linked with Open MPI 5.0.11 ({known['openmpi'].linked}), "
        f"and mpiexec is of MPICH 5.0.2 ({known['mpich'].linked})."
    )
    mpicc = known["openmpi"].mpicc
    assert caught.value.hint == (
        f"Start it with its own MPI (--mpi {mpicc} -- mpiexec ...), or build it with {known['mpich'].mpicc}."
    )


def test_what_the_environment_makes_the_right_library_is_no_error(known: dict[str, Mpi], tmp_path: Path) -> None:
    """MPICH and Intel MPI are both a libmpi.so.12: which it is, LD_LIBRARY_PATH decides."""
    other = library(tmp_path / "other" / "libmpi.so.12")
    made = program(tmp_path / "a", other, f"-Wl,-rpath,{other.parent}")
    mpich = known["mpich"]
    refuse(["-n", "2", str(made)], mpich.mpiexec, mpich, {"LD_LIBRARY_PATH": str(mpich.prefix / "lib")})


def test_a_program_of_the_abi_needs_libraddle_for_the_abi(known: dict[str, Mpi], tmp_path: Path) -> None:
    abi = library(tmp_path / "mpich" / "lib" / "libmpi_abi.so.1")
    made = program(tmp_path / "a", abi, f"-Wl,-rpath,{abi.parent}")
    mpich = known["mpich"]
    with pytest.raises(UserError, match="of the MPI-5 ABI, and mpiexec is of MPICH") as caught:
        refuse(["-n", "2", str(made)], mpich.mpiexec, mpich, {})
    assert "--mpi abi" in caught.value.hint
    for_abi = replace(mpich, mpicc=mpich.mpicc.with_name("mpicc_abi"), linked=str(abi))
    refuse(["-n", "2", str(made)], mpich.mpiexec, for_abi, {})


def test_the_program_decides_where_the_launcher_does_not_tell(known: dict[str, Mpi], tmp_path: Path) -> None:
    made = program(tmp_path / "a", Path(known["openmpi"].linked), f"-Wl,-rpath,{tmp_path}/openmpi/lib")
    srun = executable(tmp_path / "slurm" / "srun", "exit 0")
    assert owner_of(srun, ["--ntasks=2", str(made)]) == known["openmpi"]
    with pytest.raises(UserError, match=r"The program \./nope does not exist\."):
        owner_of(srun, ["--ntasks=2", "./nope"])


def test_the_mpi_that_is_named_runs_its_own_mpiexec(known: dict[str, Mpi], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(known["openmpi"].mpiexec.parent))
    for word in ("mpiexec", "mpirun"):
        assert launched([word, "-n", "2", "./a"], "mpich") == (known["mpich"], known["mpich"].mpiexec)
    assert launched([str(known["mpich"].mpiexec), "./a"], "mpich")[0] == known["mpich"]
    assert launched(["mpiexec", "./a"], None) == (known["openmpi"], known["openmpi"].mpiexec)


def test_a_launcher_of_another_mpi_than_the_one_named_is_an_error_that_says_both(
    known: dict[str, Mpi], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = executable(known["openmpi"].mpiexec.with_name("orterun"), "exit 0")
    monkeypatch.setenv("PATH", str(other.parent))
    for word in ("orterun", str(known["openmpi"].mpiexec)):
        with pytest.raises(UserError, match=r"is of Open MPI 5\.0\.11, and --mpi names MPICH 5\.0\.2"):
            launched([word, "-n", "2", "./a"], "mpich")


@pytest.mark.parametrize("words", ["-n 2 ./nope", "-n 2 nope input", "--bind-to core -n 2 ./nope -x 3"])
def test_a_program_that_does_not_exist_is_said_to_be_missing(words: str, known: dict[str, Mpi]) -> None:
    with pytest.raises(UserError, match=r"The program (\./)?nope does not exist\."):
        refuse(words.split(), known["mpich"].mpiexec, known["mpich"], {})


@pytest.mark.parametrize("words", ["--version", "-n 2", "-configfile ./nope", "--app nope", "-n 2 sh -c ./nope"])
def test_a_launcher_is_left_to_judge_what_it_alone_knows(words: str, known: dict[str, Mpi]) -> None:
    refuse(words.split(), known["mpich"].mpiexec, known["mpich"], {})
