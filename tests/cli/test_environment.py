# SPDX-License-Identifier: BSD-3-Clause
"""Provenance: complete, and nobody's secrets."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.environment import NoticeRecord, allowed_cpus, environment, host, settings
from raddle.paths import tilde
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)


def test_only_what_concerns_mpi_is_kept() -> None:
    variables = {
        "MPIR_CVAR_CH4_NUM_VCIS": "2", "I_MPI_PIN": "0", "OMPI_MCA_btl": "self,sm", "PRTE_MCA_x": "1", "UCX_TLS": "sm",
        "FI_PROVIDER": "tcp", "PMIX_MCA_gds": "hash", "OMP_NUM_THREADS": "4", "RADDLE_HOME": "here",
        "MV2_SMP_USE_CMA": "0", "HCOLL_MAIN_IB": "x", "CRAY_MPICH_VERSION": "8", "LD_PRELOAD": "/x.so",
        "LD_LIBRARY_PATH": "/opt/mpi/lib",
        "HOME": "there", "AWS_SECRET_ACCESS_KEY": "no", "PATH": "no", "MY_OMP_": "no", "omp_num_threads": "no",
    }  # fmt: skip
    assert set(settings(variables)) == {
        "MPIR_CVAR_CH4_NUM_VCIS", "I_MPI_PIN", "OMPI_MCA_btl", "PRTE_MCA_x", "UCX_TLS", "FI_PROVIDER", "PMIX_MCA_gds",
        "OMP_NUM_THREADS", "RADDLE_HOME", "MV2_SMP_USE_CMA", "HCOLL_MAIN_IB", "CRAY_MPICH_VERSION", "LD_PRELOAD",
        "LD_LIBRARY_PATH",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["RADDLE_API_KEY", "OMPI_TOKEN", "FI_PSM_PASSWORD", "UCX_Secret_x", "PMIX_AUTH", "I_MPI_CREDENTIALS"]
)
def test_names_that_smell_of_secrets_are_refused(name: str) -> None:
    assert settings({name: "x"}) == {}


@given(st.dictionaries(st.text(max_size=12), st.text(max_size=12)))
def test_nothing_is_invented(variables: dict[str, str]) -> None:
    assert settings(variables).items() <= variables.items()


def test_the_command_is_kept_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_module = environment([str(tmp_path / "raddle" / "__main__.py"), "run", "--quick"], 7, {}, [])
    assert by_module.command == ["python", "-m", "raddle", "run", "--quick"]
    assert environment(["raddle", "run"], 7, {}, []).command == ["raddle", "run"]
    found = tmp_path / "raddle-of-a-path"
    found.touch(mode=0o755)
    assert environment([str(found), "run"], 7, {}, []).command == [str(found), "run"]
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert environment([str(found), "run"], 7, {}, []).command == ["raddle-of-a-path", "run"]


def test_the_record_has_the_documented_shape(tmp_path: Path) -> None:
    mpis = {"alpha": fakes.mpi(tmp_path, fakes.family())}
    record = environment(["raddle", "run"], 7, mpis, [NoticeRecord(name="mpi-missing", detail="Beta MPI: broken")])
    record.save(tmp_path)
    written = json.loads((tmp_path / "environment.json").read_text())
    assert list(written) == [
        "schema", "created", "command", "seed", "commit", "host", "compiler", "python", "raddle", "mpis", "allocation",
        "settings", "notices", "sessions",
    ]  # fmt: skip
    assert (written["schema"], written["seed"], written["command"]) == (1, 7, ["raddle", "run"])
    assert written["mpis"] == [
        {
            "name": "alpha", "title": "Alpha MPI", "version": "1.0", "library_version": "Fake", "prefix_kind": "wheel",
            "distribution": "", "tuned": {},
        }
    ]  # fmt: skip
    assert written["notices"] == [{"name": "mpi-missing", "detail": "Beta MPI: broken"}]


@pytest.mark.parametrize(
    ("chosen", "first"), [("", "c++ 1"), ("g++", "g++ 2"), ("ccache g++", "ccache g++ 3"), ("not-there", "")]
)
def test_the_compiler_is_the_one_that_is_chosen(
    chosen: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, says in (("c++", "c++ 1"), ("g++", "g++ 2"), ("ccache", "ccache $1 3")):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{says}"\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("CXX", chosen)
    assert environment(["raddle", "run"], 7, {}).compiler == first


def test_bytes_that_are_no_text_are_recorded_as_question_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UCX_TLS", os.fsdecode(b"sm\xff"))
    environment(["raddle", os.fsdecode(b"r\xe9sultats")], 7, {}).save(tmp_path)
    written = json.loads((tmp_path / "environment.json").read_text())
    assert written["settings"]["UCX_TLS"] == "sm?"
    assert written["command"] == ["raddle", "r?sultats"]


def test_this_machine() -> None:
    here = host()
    assert here.allowed_cpus == sorted(os.sched_getaffinity(0)) == allowed_cpus()
    assert here.cores >= len(here.allowed_cpus) > 0
    assert here.memory_gib > 0
    assert here.numa_nodes >= 1
    assert here.cpu
    assert here.kernel
    assert here.os


def test_the_name_of_the_home_directory_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/jane")
    assert settings({"I_MPI_ROOT": "/home/jane/mpi:/opt/mpi"}) == {"I_MPI_ROOT": "~/mpi:/opt/mpi"}
    for text in (
        "/home/jane",
        "-L/home/jane/lib",
        "-Wl,-rpath=/home/jane/lib",
        "'/home/jane' and /home/jane.",
        r"a\n/home/jane",
    ):
        assert tilde(text) == text.replace("/home/jane", "~")
    for text in ("/home/janet/mpi", "/home/jane.old", "/home/jane-2/x", "/data/home/jane/mpi", "./home/jane"):
        assert tilde(text) == text
    monkeypatch.setenv("HOME", "/")
    assert settings({"I_MPI_ROOT": "/opt/mpi"}) == {"I_MPI_ROOT": "/opt/mpi"}
