# SPDX-License-Identifier: BSD-3-Clause
"""What find_package(raddle) says to a project that cannot have it. What it finds: test_install.py."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from raddle import native

pytestmark = pytest.mark.timeout(60)

CONFIG = Path(__file__).resolve().parents[2] / "cmake" / "raddleConfig.cmake.in"
PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES CXX)
include(CMakePackageConfigHelpers)
configure_package_config_file({config} ${{CMAKE_BINARY_DIR}}/raddleConfig.cmake INSTALL_DESTINATION lib/cmake/raddle)
find_package(raddle {required} PATHS ${{CMAKE_BINARY_DIR}} NO_DEFAULT_PATH)
message(STATUS "found: ${{raddle_FOUND}}")
"""


def configured(place: Path, required: str) -> tuple[int, str]:
    (place / "CMakeLists.txt").write_text(PROJECT.format(config=CONFIG, required=required), encoding="utf-8")
    done = subprocess.run(
        [
            *(native.tool("cmake"), "-S", str(place), "-B", str(place / "build"), "-G", "Ninja"),
            f"-DCMAKE_MAKE_PROGRAM={native.tool('ninja')}",
        ],
        capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_a_project_without_c_is_told_so_and_not_that_there_is_no_mpi(tmp_path: Path) -> None:
    status, said = configured(tmp_path, "REQUIRED")
    assert status != 0
    assert "have C among their languages: project(... LANGUAGES C CXX)." in said
    assert "Could NOT find MPI" not in said


def test_where_raddle_is_no_must_the_project_goes_on(tmp_path: Path) -> None:
    status, said = configured(tmp_path, "")
    assert status == 0
    assert "LANGUAGES C CXX" in said
    assert "found: 0" in said
