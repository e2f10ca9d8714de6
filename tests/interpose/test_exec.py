# SPDX-License-Identifier: BSD-3-Clause
"""`raddle exec`: which command comes of which, for which MPI, and what it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from raddle.belonging import compiler_of, found_launcher, owner_of
from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.find import Mpi
from raddle.threads_as_ranks import as_ranks, with_paths
from raddle.unbound import for_threads, unbound
from raddle.under_raddle import Engine, preloading, proxies
from raddle.verbs.exec import execute
from raddle.with_proxies import with_proxies

LIBRARY = Path("/build/lib/libraddle.so")


def an_mpi(name: str, prefix: Path = Path("/opt/mpi")) -> Mpi:
    return Mpi(
        family=family(name), version="1", prefix=prefix, mpicc=prefix / "bin" / "mpicc",
        mpiexec=prefix / "bin" / "mpiexec", library="", ours=False,
    )  # fmt: skip


def an_executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def nothing_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)


@pytest.mark.parametrize(
    ("name", "launcher", "words", "expected"),
    [
        ("mpich", "mpiexec", "-n 2 ./a : -n 1 ./b", "-genv LD_PRELOAD {} -n 2 ./a : -n 1 ./b"),
        ("intel", "mpirun", "-n 2 ./a", "-genv LD_PRELOAD {} -n 2 ./a"),
        ("openmpi", "mpirun", "-n 2 ./a", "-x LD_PRELOAD={} -n 2 ./a"),
        ("openmpi", "mpiexec", "-n 1 ./a : -n 1 ./b", "-x LD_PRELOAD={0} -n 1 ./a : -x LD_PRELOAD={0} -n 1 ./b"),
        ("other", "srun", "-n 2 ./a", "--export=ALL,LD_PRELOAD={} -n 2 ./a"),
    ],
)
def test_only_the_processes_of_the_program_are_given_the_library(
    name: str, launcher: str, words: str, expected: str
) -> None:
    assert preloading(words.split(), launcher, an_mpi(name), LIBRARY) == expected.format(LIBRARY).split()


def test_what_the_user_preloads_stays_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/tools/libtool.so")
    made = preloading(["-n", "2", "./a"], "mpiexec", an_mpi("mpich"), LIBRARY)
    assert made[:3] == ["-genv", "LD_PRELOAD", f"/tools/libtool.so:{LIBRARY}"]


@pytest.mark.parametrize(
    ("name", "launcher", "words", "problem"),
    [
        ("mpich", "mpiexec", ["-genv", "LD_PRELOAD", "x.so", "./a"], "sets LD_PRELOAD itself"),
        ("openmpi", "mpiexec", ["-x", "LD_PRELOAD=x.so", "./a"], "sets LD_PRELOAD itself"),
        ("mpich", "mpiexec", ["env", "LD_PRELOAD=x.so", "./a"], "sets LD_PRELOAD itself"),
        ("mpich", "srun", ["--export=NONE", "./a"], "an --export of its own"),
        ("other", "mpiexec", ["-n", "2", "./a"], "does not know how the mpiexec of /opt/mpi"),
    ],
)
def test_what_it_cannot_do_it_refuses(name: str, launcher: str, words: list[str], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        preloading(words, launcher, an_mpi(name), LIBRARY)


@pytest.mark.parametrize(
    ("option", "endpoints", "oversubscribe"), [("endpoints", 4, False), ("oversubscribe", None, True)]
)
def test_what_is_of_proxies_alone_is_not_ignored(option: str, endpoints: int | None, oversubscribe: bool) -> None:
    with pytest.raises(UserError, match=f"--{option} is for --engine proxy"):
        proxies(Engine.direct, endpoints, 4, oversubscribe=oversubscribe)


def test_threads_that_are_ranks_have_a_proxy_each() -> None:
    assert proxies(Engine.proxy, None, 4, oversubscribe=False) == 4
    assert proxies(Engine.proxy, 8, 4, oversubscribe=False) == 8
    assert proxies(Engine.direct, None, 4, oversubscribe=False) == 0


def test_a_path_that_cannot_be_preloaded_is_refused() -> None:
    with pytest.raises(UserError, match=r"cannot name /my build/libraddle\.so"):
        preloading(["./a"], "mpiexec", an_mpi("mpich"), Path("/my build/libraddle.so"))


def test_the_launcher_is_the_one_in_path_or_that_of_the_mpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = an_executable(tmp_path / "mine" / "bin" / "mpiexec")
    other = an_executable(tmp_path / "other" / "bin" / "mpiexec")
    monkeypatch.setenv("PATH", str(mine.parent))
    assert found_launcher("mpiexec", None) == mine
    assert found_launcher("mpiexec", an_mpi("mpich", tmp_path / "other")) == other
    assert found_launcher(str(mine), an_mpi("mpich", tmp_path / "other")) == mine
    # Where a distribution keeps several MPIs in one directory, the bare name may be another's.
    packaged = replace(an_mpi("mpich", tmp_path / "other"), mpiexec=an_executable(other.with_name("mpiexec.mpich")))
    assert found_launcher("mpiexec", packaged) == packaged.mpiexec
    with pytest.raises(UserError, match="mpirun not found"):
        found_launcher("mpirun", None)
    with pytest.raises(UserError, match=r"'\./program' is no launcher"):
        found_launcher("./program", None)


@pytest.mark.parametrize(
    "name",
    [
        "mpiexec.mpich",
        "mpirun.mpich",
        "mpiexec.openmpi",
        "mpirun.openmpi",
        "mpiexec.hydra",
        "mpiexec.gforker",
        "orterun",
        "prterun",
    ],
)
def test_launchers_have_many_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = an_executable(tmp_path / name)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found_launcher(name, None) == found_launcher(str(there), None) == there


@pytest.mark.parametrize("name", ["mpiexecute", "mpicc", "mpiruns", "prte"])
def test_what_is_called_alike_is_nofound_launcher(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no launcher"):
        found_launcher(str(an_executable(tmp_path / name)), None)


@pytest.mark.parametrize(
    ("launcher", "compiler"),
    [
        ("mpiexec.mpich", "mpicc.mpich"),
        ("mpirun.mpich", "mpicc.mpich"),
        ("mpiexec.hydra", "mpicc.mpich"),
        ("orterun", "mpicc.openmpi"),
        ("mpirun.openmpi", "mpicc.openmpi"),
        ("mpiexec", "mpicc"),
        ("mpirun", "mpicc.openmpi"),  # a link to orterun
    ],
)
def test_mpis_beside_each_other_are_told_apart_by_the_names(launcher: str, compiler: str, tmp_path: Path) -> None:
    """As on Debian, where all of them are in /usr/bin, and what a bare name is a link to is the administrator's."""
    for name in ("mpicc", "mpicc.mpich", "mpicc.openmpi", "orterun"):
        an_executable(tmp_path / name)
    (tmp_path / "alternatives").symlink_to(tmp_path / "orterun")
    (tmp_path / "mpirun").symlink_to("alternatives")
    if not (tmp_path / launcher).exists():
        an_executable(tmp_path / launcher)
    assert compiler_of(tmp_path / launcher) == tmp_path / compiler


PRRTE = "--use-hwthread-cpus --map-by :OVERSUBSCRIBE"


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("mpich", "-n 2 ./a", "-n 2 ./a"),
        ("mpich", "-n 2 -bind-to core ./a", "-n 2 -bind-to core ./a"),
        ("mpich", "--bind-to=core -n 2 ./a", "--bind-to=core -n 2 ./a"),
        ("mpich", "-n 1 ./a : -bind-to core -n 2 ./a", "-n 1 ./a : -bind-to core -n 2 ./a"),
        ("mpich", "-n 1 {} -bind-to core", "-n 1 {} -bind-to core"),
        ("openmpi", "-n 2 ./a", f"--bind-to none {PRRTE} -n 2 ./a"),
        ("openmpi", "--bind-to core -n 2 ./a", f"{PRRTE} --bind-to core -n 2 ./a"),
        (
            "openmpi",
            "--map-by ppr:3:node -n 2 ./a",
            "--bind-to none --use-hwthread-cpus --map-by ppr:3:node:OVERSUBSCRIBE -n 2 ./a",
        ),
        (
            "openmpi",
            "--bind-to core --map-by=core:oversubscribe -n 2 ./a",
            "--use-hwthread-cpus --bind-to core --map-by=core:oversubscribe -n 2 ./a",
        ),
    ],
)
def test_the_users_own_binding_stays(name: str, words: str, expected: str, tmp_path: Path) -> None:
    """Launchers refuse to be told twice, or take the last."""
    program = an_executable(tmp_path / "program")
    made, _ = unbound(words.format(program).split(), an_mpi(name))
    assert made == expected.format(program).split()


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("mpich", "-n 1 {}", "-n 1 {}"),
        ("openmpi", "-n 1 {} --bind-to core", "--bind-to none -n 1 {} --bind-to core"),
        ("openmpi", "--bind-to socket -n 2 {}", "--bind-to socket -n 2 {}"),
        ("openmpi", "--map-by slot:PE=2 -n 2 {}", "--map-by slot:PE=2 -n 2 {}"),
        ("openmpi", "--map-by node -n 2 {}", "--bind-to none --map-by node -n 2 {}"),
    ],
)
def test_threads_have_more_than_a_core_unless_the_user_binds(
    name: str, words: str, expected: str, tmp_path: Path
) -> None:
    program = an_executable(tmp_path / "program")
    assert for_threads(words.format(program).split(), an_mpi(name)) == expected.format(program).split()


def test_the_users_own_setting_of_a_binding_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    mpi = an_mpi("intel")
    assert unbound(["-n", "2", "./a"], mpi)[1] == {"I_MPI_PIN": "0"}
    assert unbound(["-genv", "I_MPI_PIN_DOMAIN", "core", "-n", "2", "./a"], mpi)[1] == {}
    monkeypatch.setenv("I_MPI_PIN", "1")
    assert unbound(["-n", "2", "./a"], mpi)[1] == {}
    monkeypatch.setenv("HYDRA_BINDING", "core")
    assert unbound(["-n", "2", "./a"], an_mpi("mpich"))[0] == ["-n", "2", "./a"]


def test_an_mpi_that_cannot_be_told_has_to_be_named(tmp_path: Path) -> None:
    for name in ("mpiexec", "srun"):
        with pytest.raises(UserError, match="cannot be told") as caught:
            owner_of(tmp_path / name, ["-n", "2", str(an_executable(tmp_path / "a"))])
        assert caught.value.hint == "Name the MPI by its mpicc: --mpi PATH"


@pytest.mark.parametrize(("step", "told"), [(None, None), ("0", "1")])
def test_from_a_step_of_slurm_it_may_use_the_steps_cpus(
    step: str | None, told: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SLURM_STEP_ID", raising=False)
    if step:
        monkeypatch.setenv("SLURM_STEP_ID", step)
    started: list[dict[str, str]] = []

    def become(_: list[str], env: dict[str, str]) -> NoReturn:
        started.append(env)
        raise SystemExit

    monkeypatch.setattr("raddle.verbs.exec.become", become)
    monkeypatch.setattr("raddle.belonging.from_path", lambda _: an_mpi("mpich", tmp_path))
    monkeypatch.setattr("raddle.native.build", lambda *_, **__: tmp_path)
    an_executable(tmp_path / "bin" / "mpicc")
    with pytest.raises(SystemExit):
        execute([str(an_executable(tmp_path / "bin" / "mpiexec")), "-n", "2", str(an_executable(tmp_path / "a"))])
    assert started[0].get("SLURM_OVERLAP") == told


def test_it_becomes_the_command() -> None:
    """So signals and the exit status are the command's, whatever they are."""
    code = "from raddle.verbs.exec import become; become(['/bin/sh', '-c', 'echo $$ $X; kill -PIPE $$'], {'X': 'y'})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        out, _ = process.communicate(timeout=60)
    assert out.split() == [str(process.pid), "y"]
    assert process.returncode == -signal.SIGPIPE


def test_a_command_that_is_not_there_is_an_error() -> None:
    code = "from raddle.verbs.exec import become; become(['/no/such'], {})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "UserError: /no/such cannot be started: No such file or directory" in done.stderr


def test_programs_are_started_by_what_makes_threads_of_their_ranks(tmp_path: Path) -> None:
    program, library = an_executable(tmp_path / "a"), tmp_path / "b.so"
    library.write_text("", encoding="utf-8")
    hosts = tmp_path / "hosts"
    hosts.write_text("", encoding="utf-8")
    words = f"-n 2 -f {hosts} {program} -v {library} : -n 1 {library}".split()
    expected = f"-n 2 -f {hosts} /ranks 4 {program} -v {library} : -n 1 /ranks 4 {library}".split()
    assert as_ranks(words, 4, Path("/ranks")) == expected


def test_a_program_that_cannot_be_told_from_the_options_is_asked_for() -> None:
    with pytest.raises(UserError, match=r"Which word of '-n 2 program' is the program cannot be told"):
        as_ranks(["-n", "2", "program"], 2, Path("/ranks"))


def test_a_program_is_found_by_its_name_as_launchers_do_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what an option takes, although PATH has it too, nor what is the program's own."""
    named, script = an_executable(tmp_path / "solver"), an_executable(tmp_path / "node")
    named.write_bytes(b"\x7fELF libmpi.so.12")
    monkeypatch.setenv("PATH", str(tmp_path))
    words = f"--map-by node -n 2 solver {script} : -n 1 nobody solver : -n 1 {script} solver".split()
    expected = f"--map-by node -n 2 {named} {script} : -n 1 nobody {named} : -n 1 {script} solver".split()
    assert with_paths(words) == expected


def test_what_an_option_takes_is_not_the_program(tmp_path: Path) -> None:
    """Raddle's own launchers pass an agent in both of these ways."""
    program, agent = an_executable(tmp_path / "a"), an_executable(tmp_path / "agent")
    for options in (
        f"--prtemca plm_ssh_agent {agent}",
        f"-launcher ssh -launcher-exec {agent}",
        f"-bootstrap ssh -bootstrap-exec {agent}",
        f"-genv TOOL {agent}",
        f"--task-prolog {agent}",
    ):
        words = f"-n 2 {options} {program} {agent}".split()
        expected = f"-n 2 {options} /ranks 4 {program} {agent}".split()
        assert as_ranks(words, 4, Path("/ranks")) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-n 2 ./a -n 3", "-n 6 ./a -n 3"),
        ("-np 1 -env X 1 ./a : -n 4 ./b", "-np 3 -env X 1 ./a : -n 12 ./b"),
        ("--ntasks=4 ./a", "--ntasks=12 ./a"),
        ("-ppn 2 -n 4 ./a", "-ppn 6 -n 12 ./a"),
        ("-n 2 python -c 5", "-n 6 python -c 5"),
        ("-N 1 -n 2 ./a", "-N 3 -n 6 ./a"),
        ("--map-by ppr:1:node:PE=2 -n 2 ./a", "--map-by ppr:3:node:PE=2 -n 6 ./a"),
        ("-n 2 --map-by ppr:1:node ./a", "-n 6 --map-by ppr:3:node ./a"),
    ],
)
def test_each_process_is_started_with_its_proxies(words: str, expected: str) -> None:
    assert with_proxies("mpiexec", words.split(), 2) == expected.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-n 2 -hosts a,b -ppn 1 {} -n 7", "-n 6 -hosts a,b -ppn 3 {} -n 7"),
        ("-n 2 -N 2 --ntasks-per-node=1 {}", "-n 6 -N 2 --ntasks-per-node=3 {}"),
        ("-n 2 -hosts a nice -n 5 {}", "-n 6 -hosts a nice -n 5 {}"),
        ("-n 2 -H a,b -N 1 {} -N 1", "-n 6 -H a,b -N 3 {} -N 1"),
    ],
)
def test_options_behind_others_with_values_count_too(tmp_path: Path, words: str, expected: str) -> None:
    program = an_executable(tmp_path / "a")
    launcher = "srun" if "--ntasks" in words else "mpiexec"
    assert with_proxies(launcher, words.format(program).split(), 2) == expected.format(program).split()


@pytest.mark.parametrize("option", ["-ppn", "-N", "ppr:1:node"])
def test_groups_are_not_broken_where_the_program_cannot_be_told(option: str) -> None:
    with pytest.raises(UserError, match=rf"'{option}' .* the program") as caught:
        with_proxies("mpiexec", ["-n", "2", "-hosts", "a,b", option, "1", "program"], 2)
    assert "./program" in caught.value.hint


@pytest.mark.parametrize("words", ["./a", "-n 2 ./a : ./b", "-f hosts ./a"])
def test_how_many_processes_there_are_has_to_be_said(words: str) -> None:
    with pytest.raises(UserError, match="cannot be told, so their proxies"):
        with_proxies("mpiexec", words.split(), 1)
