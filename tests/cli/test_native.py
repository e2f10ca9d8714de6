# SPDX-License-Identifier: BSD-3-Clause
"""Building: silent when there is nothing to do, and clear about what went wrong. On a project of four lines."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from raddle import native
from raddle.build_steps import Steps
from raddle.errors import UserError
from tests.cli.mpi_fakes import fake_mpi

CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(tiny LANGUAGES NONE)
add_custom_command(OUTPUT made DEPENDS ${PROJECT_SOURCE_DIR}/input COMMAND grep -H good ${PROJECT_SOURCE_DIR}/input
                   COMMAND ${CMAKE_COMMAND} -E touch made)
foreach(name raddle-probe raddle-bench raddle_bench_core raddle_locks)
  add_custom_target(${name} DEPENDS made)
endforeach()
"""
PRESETS = '{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "unused"}]}'


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "checkout"
    root.mkdir()
    for name, text in {"CMakeLists.txt": CMAKE, "CMakePresets.json": PRESETS, "input": "good\n"}.items():
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(native, "sources", lambda: root)
    native.fingerprint.cache_clear()
    return root


def test_a_build_is_reported_once_and_then_nothing_is_said(checkout: Path) -> None:
    said: list[str] = []
    directory = native.ensure(None, report=said.append)
    assert directory == checkout / "build" / "release-no-mpi" / "bin"
    assert said == ["Configuring what needs no MPI (release) ...", "Building what needs no MPI (release) ..."]
    assert native.ensure(None, report=said.append) == directory
    assert len(said) == 2


def test_a_long_build_tells_how_far_it_is_and_how_long_it_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("raddle.build_steps.time.monotonic", lambda: now[0])
    said: list[str] = []
    steps = Steps(said.append)
    for at, line in [
        (101.0, "[3/100] Building CXX object a.o"),  # too early
        (106.0, "[10/100] Building CXX object b.o"),
        (107.0, "[11/100] Building CXX object c.o"),  # too soon after the last one
        (130.0, "warning: [50/100] is no step"),
        (140.0, "[50/100] Building CXX object d.o"),
        (160.0, "[100/100] Linking"),  # nothing is left
    ]:
        now[0] = at
        steps.heard(line)
    assert said == ["  10 of 100 steps done, about 54 s left", "  50 of 100 steps done, about 40 s left"]


def test_the_steps_of_a_real_build_are_heard(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the user's NINJA_STATUS is, and with the time that it takes to hear them."""
    more = "".join(
        f"add_custom_command(OUTPUT made{n} COMMAND ${{CMAKE_COMMAND}} -E touch made{n})\n" for n in range(9)
    )
    files = " ".join(f"made{n}" for n in range(9))
    (checkout / "CMakeLists.txt").write_text(
        f"{CMAKE}{more}add_custom_target(many ALL DEPENDS {files})\n", encoding="utf-8"
    )
    monkeypatch.setenv("NINJA_STATUS", "mine ")
    monkeypatch.setattr("raddle.build_steps._FIRST_SECONDS", 0.0)
    said: list[str] = []
    native.build(None, targets=["many"], report=said.append)
    assert re.fullmatch(r"  \d of \d+ steps done, about 0 s left", said[2])


def with_a_manual(checkout: Path, writer: str) -> Path:
    """A checkout whose manual is made by these lines of Python, and the header that it is made of."""
    script, header = checkout / "tools" / "write_reference.py", checkout / "include" / "raddle" / "raddle.h"
    for path, text in ((script, writer), (header, "")):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    manual = Path(__file__).parents[2] / "cmake" / "RaddleManual.cmake"
    (checkout / "CMakeLists.txt").write_text(
        CMAKE + f'set(RADDLE_PYTHON "{sys.executable}")\ninclude("{manual}")\n', encoding="utf-8"
    )
    return header


def test_the_manual_is_made_with_a_build_and_does_not_make_every_build_stale(checkout: Path) -> None:
    """As globs do that ninja checks in each build: then it said that it builds each time."""
    header = with_a_manual(checkout, "import pathlib, sys\npathlib.Path(sys.argv[2]).mkdir(exist_ok=True)\n")
    said: list[str] = []
    made = native.build(None, targets=["raddle-manual"], report=said.append) / "man"
    assert made.is_dir()
    native.build(None, targets=["raddle-manual"], report=said.append)
    assert len(said) == 2
    made.rmdir()
    header.write_text("// changed\n", encoding="utf-8")
    native.build(None, targets=["raddle-manual"], report=said.append)
    assert made.is_dir()
    assert len(said) == 3


def test_a_build_goes_on_without_a_manual_where_python_lacks_what_it_needs(checkout: Path) -> None:
    with_a_manual(checkout, "import sys\nsys.exit('typer is missing')\n")
    directory = native.build(None, targets=["raddle-manual"], report=lambda _: None)
    assert not (directory / "man").exists()
    said = (directory / "raddle-build.log").read_text(encoding="utf-8")
    assert "typer is missing" in said
    assert "No manual is made." in said


def test_sources_that_come_are_found_and_do_not_make_every_build_stale(checkout: Path) -> None:
    suites = Path(__file__).parents[2] / "cmake" / "RaddleSuites.cmake"
    (checkout / "CMakeLists.txt").write_text(
        f'{CMAKE}include("{suites}")\n'
        'raddle_glob(found "${PROJECT_SOURCE_DIR}/suites/*/*.txt")\n'
        'file(WRITE "${PROJECT_BINARY_DIR}/found" "${found}")\n',
        encoding="utf-8",
    )
    (checkout / "suites" / "one").mkdir(parents=True)
    said: list[str] = []
    directory = native.ensure(None, report=said.append).parent
    native.ensure(None, report=said.append)
    assert len(said) == 2
    new = checkout / "suites" / "one" / "new.txt"
    new.touch()
    native.ensure(None, report=said.append)
    assert (directory / "found").read_text(encoding="utf-8") == str(new)


def test_each_mpi_has_a_directory_of_its_own(checkout: Path, tmp_path: Path) -> None:
    ours, own = fake_mpi(tmp_path / "a", "mpich"), fake_mpi(tmp_path / "b", "mpich", ours=False)
    first, second = (native.configure(mpi, report=lambda _: None) for mpi in (ours, own))
    assert first == checkout / "build" / "release-mpich-1.2.3"
    assert second.name.startswith("release-mpich-1.2.3-")


def test_libraries_are_installed_where_we_say(checkout: Path, tmp_path: Path) -> None:
    """Left alone, GNUInstallDirs makes it lib64 on systems that have one."""
    (checkout / "CMakeLists.txt").write_text(
        CMAKE
        + 'set(CMAKE_INSTALL_LIBDIR lib64 CACHE STRING "as on Red Hat")\n'
        + "file(WRITE ${CMAKE_BINARY_DIR}/libdir ${CMAKE_INSTALL_LIBDIR})\n",
        encoding="utf-8",
    )
    directory = native.configure(fake_mpi(tmp_path / "a", "mpich"), report=lambda _: None)
    assert (directory / "libdir").read_text(encoding="utf-8") == "lib"


def test_a_build_that_fails_shows_the_last_lines_and_the_log(checkout: Path) -> None:
    (checkout / "input").write_text("bad\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"(?s)Cannot build what needs no MPI \(release\):.*FAILED: .*made") as error:
        native.ensure(None, report=lambda _: None)
    assert (checkout / "build" / "release-no-mpi" / "raddle-build.log").read_text(encoding="utf-8")
    assert "raddle-build.log" in error.value.hint
    assert len(str(error.value).splitlines()) <= 31


def test_a_configuration_that_fails_is_tried_again(checkout: Path) -> None:
    (checkout / "CMakeLists.txt").write_text('message(FATAL_ERROR "no such library")', encoding="utf-8")
    with pytest.raises(UserError, match=r"(?s)Cannot configure what needs no MPI.*no such library"):
        native.ensure(None, report=lambda _: None)
    (checkout / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    native.ensure(None, report=lambda _: None)


def test_what_wants_a_fortran_compiler_is_looked_for_again_when_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(native, "tool", {name: native.tool(name) for name in ("cmake", "ninja")}.__getitem__)
    monkeypatch.setattr("shutil.which", lambda _: None)
    native.configure(None, report=said.append)
    native.configure(None, report=said.append)
    assert len(said) == 1
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    native.configure(None, report=said.append)
    assert len(said) == 2


@pytest.mark.parametrize("name", ["OMPI_FC", "MPICH_FC", "I_MPI_F90"])
def test_another_fortran_compiler_behind_the_wrapper_is_looked_at(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    native.configure(None, report=said.append)
    monkeypatch.setenv(name, "nagfor")
    native.configure(None, report=said.append)
    assert len(said) == 2


def test_a_tool_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(UserError, match="cmake not found") as error:
        native.ensure(None, report=lambda _: None)
    assert "make setup" in error.value.hint
    assert "pip install cmake" in error.value.hint


def test_an_installed_package_builds_in_the_users_cache(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raddle.source_tree.CARRIED", checkout)
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    said: list[str] = []
    directory = native.ensure(None, report=said.append)
    assert directory.is_relative_to(tmp_path / "home" / "build")
    assert "RADDLE_BUILD_TESTS" in (directory.parent / "raddle-configuration.txt").read_text(encoding="utf-8")
    assert native.ensure(None, report=said.append) == directory
    assert len(said) == 2


def test_a_package_installed_anew_is_built_anew(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raddle.source_tree.CARRIED", checkout)
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    built = native.ensure(None, report=lambda _: None).parent
    os.utime(built / "made", (2_000_000_000, 2_000_000_000))  # by its time it would do for any sources
    (checkout / "input").write_text("good again\n", encoding="utf-8")
    native.fingerprint.cache_clear()
    said: list[str] = []
    native.ensure(None, report=said.append)
    assert said == ["Configuring what needs no MPI (release) ...", "Building what needs no MPI (release) ..."]
