# SPDX-License-Identifier: BSD-3-Clause
"""The distribution's MPIs: named after it, found on PATH, measured as rivals unless they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from raddle.campaign.prepare import build_programs, find_again, find_mpis, named, plan
from raddle.catalogue import catalogue
from raddle.environment import environment
from raddle.errors import UserError
from raddle.mpi import distribution
from raddle.mpi.distribution import names, packaged
from raddle.mpi.family import family
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import prefix_of
from raddle.plan.document import Document
from raddle.plan.request import Request
from tests.cli.mpi_fakes import executable
from tests.cli.test_mpi_find import WORKING

DEBIAN = {"ID": "debian", "NAME": "Debian GNU/Linux"}
UBUNTU = {"ID": "ubuntu", "ID_LIKE": "debian", "NAME": "Ubuntu"}
OTHERS = "echo 'Open MPI v9.1.0'"


@pytest.fixture(autouse=True)
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Debian without MPIs; the directory is on PATH, before what makes scripts work."""
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin")
    monkeypatch.setattr(distribution, "_release", lambda: DEBIAN)
    monkeypatch.setattr(
        "raddle.mpi.distribution.shutil.which",
        lambda name: str(path) if (path := tmp_path / "bin" / name).exists() else None,
    )
    return tmp_path


def install(system: Path, name: str = "mpich") -> Path:
    executable(system / "bin" / f"mpiexec.{name}", "exit 0")
    script = WORKING if name == "mpich" else WORKING.replace("echo 'MPICH Version:      9.9.9'", OTHERS)
    return executable(system / "bin" / f"mpicc.{name}", script)


def wheel(name: str = "mpich") -> None:
    executable(prefix_of(family(name)) / "bin" / "mpicc", WORKING)


def planned(mpis: dict[str, Mpi], request: Request) -> Document:
    return plan(request.checked(catalogue()), catalogue(), mpis, cpus=2, seed=1)


def ways(document: Document, mpi: str) -> set[str]:
    return {
        variant for launch in document.launches if launch.mpi == mpi for one in launch.sets for variant in one.variants
    }


def test_names_are_those_of_the_family_and_the_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(packaged()) == ["mpich-debian", "openmpi-debian"]
    assert names() == ["intel", "mpich", "openmpi", "mpich-debian", "openmpi-debian"]
    monkeypatch.setattr(distribution, "_release", lambda: UBUNTU)
    assert list(packaged()) == ["mpich-ubuntu", "openmpi-ubuntu"]
    assert packaged()["mpich-ubuntu"].full_title == "Ubuntu's MPICH"
    monkeypatch.setattr(distribution, "_release", lambda: {"ID": "plan9", "NAME": "Plan 9"})
    assert packaged() == {}
    monkeypatch.setattr(distribution, "_release", dict)
    assert packaged() == {}


def test_one_is_found_by_its_name_and_has_the_launcher_beside_it(system: Path) -> None:
    mpicc = install(system)
    (mpi,) = find(["mpich-debian"])
    assert (mpi.name, mpi.title, mpi.mpicc) == ("mpich-debian", "MPICH 9.9.9 (Debian)", mpicc)
    assert mpi.mpiexec == mpicc.with_name("mpiexec.mpich")
    assert find([mpi.selection]) == [mpi]
    assert find([str(mpicc)])[0].label == mpi.label, "the build directory is that of the same compiler by path"


def test_one_that_is_not_there_says_what_brings_it() -> None:
    with pytest.raises(UserError, match="Debian's MPICH is not installed") as error:
        find(["mpich-debian"])
    assert error.value.hint == "Install it: apt-get install libmpich-dev mpich"


def test_unasked_they_stand_beside_the_wheels_and_those_that_are_missing_are_named(system: Path) -> None:
    wheel()
    install(system)
    said: list[str] = []
    mpis, notices = find_mpis(Request(), said.append, distributions=True)
    assert list(mpis) == ["mpich", "mpich-debian"]
    assert [notice.name for notice in notices] == ["rival-missing"]
    assert said == [
        "Debian's Open MPI is not installed (apt-get install libopenmpi-dev openmpi-bin): nothing is compared with it."
    ]
    assert list(find_mpis(Request(), said.append)[0]) == ["mpich"], "elsewhere nobody wants them"


def test_of_a_rival_only_processes_are_measured_and_no_library_is_built(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel()
    install(system)
    mpis, _ = find_mpis(Request(), lambda _: None, distributions=True)
    document = planned(mpis, Request(mode="quick", benchmarks=["msgrate", "thread_overhead"]))
    assert ways(document, "mpich-debian") == {"process"}
    assert {"thread", "endpoint-direct"} <= ways(document, "mpich")
    levels = {
        one.params.get("level", "single")
        for each in document.launches
        if each.mpi == "mpich-debian"
        for one in each.sets
    }
    assert levels == {"single"}
    assert built_for(document, mpis, system, monkeypatch) == {"mpich": ["raddle"], "mpich-debian": []}


def test_the_program_of_proxies_is_built_where_launches_start_some(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel()
    install(system)
    mpis, _ = find_mpis(Request(), lambda _: None, distributions=True)
    document = planned(mpis, Request(mode="quick", benchmarks=["ep_overhead"]))
    assert built_for(document, mpis, system, monkeypatch) == {"mpich": ["raddle", "raddle-proxy"], "mpich-debian": []}


def built_for(
    document: Document, mpis: Mapping[str, Mpi], system: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[str]]:
    """What is built for each MPI, but raddle-bench."""
    built: dict[str, list[str]] = {}

    def ensure(mpi: Mpi | None, *, besides: Iterable[str] = (), report: object) -> Path:
        if mpi:
            built[mpi.name] = list(besides)
        return system

    monkeypatch.setattr("raddle.campaign.prepare.ensure", ensure)
    build_programs(mpis, document, False, lambda _: None)
    return built


def test_one_that_is_asked_for_is_measured_like_any_other(system: Path) -> None:
    install(system)
    request = Request(mode="quick", mpis=["mpich-debian"], benchmarks=["msgrate"])
    mpis, _ = find_mpis(request, lambda _: None, distributions=True)
    assert {"thread", "lane", "process"} <= ways(planned(mpis, request), "mpich-debian")


def test_a_rival_without_work_is_not_part_of_the_run(system: Path) -> None:
    wheel()
    install(system)
    mpis, _ = find_mpis(Request(), lambda _: None, distributions=True)
    document = planned(mpis, Request(mode="quick", variants=["lane"]))
    assert [each.name for each in document.mpis] == ["mpich"]


def test_a_plan_finds_them_again(system: Path) -> None:
    wheel()
    install(system)
    mpis, _ = find_mpis(Request(), lambda _: None, distributions=True)
    assert find_again(planned(mpis, Request(mode="quick"))) == mpis


def test_the_record_of_a_run_says_whose_it_is(system: Path) -> None:
    install(system)
    (record,) = environment([], 1, named(find(["mpich-debian"]))).mpis
    assert (record.prefix_kind, record.distribution, record.title) == ("distribution", "Debian", "MPICH")
