# SPDX-License-Identifier: BSD-3-Clause
"""The Spack recipe says what CMakeLists.txt and pyproject.toml say. Spack itself is not here: it has no package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from raddle import __version__

ROOT = Path(__file__).resolve().parents[2]
SPACK = ROOT / "packaging" / "spack" / "spack_repo" / "raddle"
DEPENDENCIES = (ROOT / "cmake" / "RaddleDependencies.cmake").read_text(encoding="utf-8")


def calls(package: str) -> list[tuple[str, str]]:
    """The functions that a recipe calls, each with its first argument, where that is a text."""
    tree = ast.parse((SPACK / "packages" / package / "package.py").read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
            found.append((name, str(node.args[0].value)))
    return found


def named(function: str, package: str = "raddle") -> list[str]:
    return [first for name, first in calls(package) if name == function]


def test_the_version_is_this_one() -> None:
    assert named("version") == [__version__]


def test_it_lies_where_spack_looks_for_it() -> None:
    """From version 2.0 of its interface on: recipes are modules `spack_repo.NAMESPACE.packages.NAME.package`."""
    told = dict(re.findall(r"^  (\w+): (\S+)$", (SPACK / "repo.yaml").read_text(encoding="utf-8"), re.MULTILINE))
    assert told == {"namespace": SPACK.name, "api": "v2.0"}
    assert SPACK.parent.name == "spack_repo"
    for recipe in (SPACK / "packages").iterdir():
        # What depends on it says "py-pympistandard": a module's name has no dash.
        assert (recipe / "package.py").exists()
        assert recipe.name.isidentifier()
    where = SPACK.relative_to(ROOT)
    assert f"spack repo add {where}\n" in (ROOT / "docs" / "use" / "install.md").read_text(encoding="utf-8")


def test_it_sets_options_that_there_are() -> None:
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    known = {*re.findall(r"^(?:option|set)\((RADDLE_\w+)", cmake, re.MULTILINE), "MPI_C_COMPILER", "RADDLE_PYTHON"}
    given = set(named("self.define") + named("self.define_from_variant"))
    assert given
    assert given <= known
    assert "find_program(RADDLE_PYTHON" in DEPENDENCIES


def test_the_mpi_is_as_new_as_the_page_says() -> None:
    page = (ROOT / "docs" / "use" / "install.md").read_text(encoding="utf-8")
    (version,) = re.findall(r"^\| MPI (\S+) or newer \|", page, re.MULTILINE)
    assert f"mpi@{version}:" in named("depends_on")


def test_it_depends_on_what_cmake_looks_for() -> None:
    """Each thing that CMake finds has a package, and what has to be new is as new."""
    packages = {spec.partition("@")[0] for spec in named("depends_on")}
    looked_for = set(re.findall(r"find_(?:package|path|library)\(\s*(\w+)", DEPENDENCIES))
    of_the_compiler = {"Threads", "OpenMP"}
    package_of = {
        "RADDLE_JSON_INCLUDE": "nlohmann-json",
        "RADDLE_BOOST_INCLUDE": "boost",
        "RADDLE_HWLOC_INCLUDE": "hwloc",
        "RADDLE_HWLOC_LIBRARY": "hwloc",
        "RADDLE_FFTW_INCLUDE": "fftw",
        "RADDLE_FFTW_LIBRARY": "fftw",
        "MPI": "mpi",
        "GTest": "googletest",
    }
    assert {package_of[one] for one in looked_for - of_the_compiler} <= packages
    assert "pympistandard" in DEPENDENCIES
    assert "py-pympistandard" in packages
    assert "import tomli" in DEPENDENCIES
    assert {"py-tomli", "python"} <= packages
    (python,) = re.findall(r"python_version VERSION_LESS (\S+)\)\n +raddle_missing", DEPENDENCIES)
    assert f"python@{python}:" in named("depends_on")
    assert "boost@1.78:" in named("depends_on")
    assert "boost LESS 107800" in DEPENDENCIES
    (cmake,) = re.findall(r"cmake_minimum_required\(VERSION ([\d.]+)\)", (ROOT / "CMakeLists.txt").read_text())
    assert f"cmake@{cmake}:" in named("depends_on")


def test_pympistandard_is_the_one_that_is_pinned() -> None:
    (version,) = named("version", "py_pympistandard")
    assert f'"pympistandard=={version}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"py-pympistandard@{version}" in named("depends_on")
