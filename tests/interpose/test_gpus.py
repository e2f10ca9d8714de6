# SPDX-License-Identifier: BSD-3-Clause
"""Buffers in the memory of a GPU are refused by name on endpoints. The GPU is a library that calls some pages its own;
nobody may touch them, so what copies from there crashes."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from raddle.inspection.start import is_mpi_setting
from raddle.mpi.find import Mpi
from tests.interpose.headers import ROOT, mpis

CUDA = """
#include <stdint.h>
static uintptr_t first, end;
void a_gpu(void* from, unsigned long bytes) { first = (uintptr_t)from; end = first + bytes; }
int cuPointerGetAttribute(void* data, int attribute, uintptr_t at) {
  if (at < first || at >= end) return 1;
  if (attribute == 2) *(unsigned*)data = 2;
  else if (attribute == 8) *(unsigned*)data = 0;
  else return 1;
  return 0;
}
"""
HIP = """
#include <stdint.h>
#include <string.h>
static uintptr_t first, end;
void a_gpu(void* from, unsigned long bytes) { first = (uintptr_t)from; end = first + bytes; }
struct attributes { int type, device; void *device_pointer, *host_pointer; int managed; unsigned flags; };
int hipPointerGetAttributes(struct attributes* found, const void* at) {
  if ((uintptr_t)at < first || (uintptr_t)at >= end) return 1;
  memset(found, 0, sizeof *found);
  found->device_pointer = (void*)at;
  return 0;
}
"""
ZE = """
#include <stdint.h>
static uintptr_t first, end;
static int context;
void a_gpu(void* from, unsigned long bytes) { first = (uintptr_t)from; end = first + bytes; }
int zeInit(uint32_t flags) { return 0; }
int zeDriverGet(uint32_t* count, void** drivers) { *count = 1; *drivers = &context; return 0; }
int zeContextCreate(void* driver, const int* desc, void** made) { *made = &context; return *desc != 0xd; }
struct found { int stype; void* next; int type; uint64_t id, page; };
int zeMemGetAllocProperties(void* in, const void* at, struct found* found, void** device) {
  if (in != &context || found->stype != 0x17) return 1;
  found->type = (uintptr_t)at >= first && (uintptr_t)at < end ? 2 : 0;
  return 0;
}
"""
# Each call once with its buffer in the memory of the GPU. "late": the library is loaded when there are endpoints.
PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <raddle/raddle.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static void* gpu;
static void load(const char* library) {
  void* handle = dlopen(library, RTLD_NOW);
  void (*a_gpu)(void*, unsigned long) = (void (*)(void*, unsigned long))dlsym(handle, "a_gpu");
  a_gpu(gpu, 4096);
}
static void said(const char* call, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) {
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
  }
  const char* name = class == MPI_ERR_UNSUPPORTED_OPERATION ? "unsupported" : "other";
  printf("%s: %s: %s\n", call, class == MPI_SUCCESS ? "success" : name, text);
}
#define SAY(call, ...) said(#call, call(__VA_ARGS__))
int main(int argc, char** argv) {
  int provided, mine[4] = {1, 2, 3, 4}, other[4] = {0};
  MPI_Comm one, first;
  MPI_Request request;
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  gpu = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int late = argc > 2;
  if (!late && argc > 1) load(argv[1]);
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &first);
  MPI_Comm_set_errhandler(first, MPI_ERRORS_RETURN);
  if (late) load(argv[1]);
  MPI_Comm_dup(first, &one);
  SAY(MPI_Sendrecv, mine, 4, MPI_INT, 0, 1, other, 4, MPI_INT, 0, 1, one, MPI_STATUS_IGNORE);
  printf("other: %d\n", other[3]);
  SAY(MPI_Allreduce, MPI_IN_PLACE, mine, 4, MPI_INT, MPI_SUM, one);
  if (argc == 1) return MPI_Finalize();
  SAY(MPI_Send, gpu, 4, MPI_INT, 0, 0, one);
  SAY(MPI_Isend, gpu, 4, MPI_INT, 0, 0, one, &request);
  SAY(MPI_Recv, gpu, 4, MPI_INT, 0, 0, one, MPI_STATUS_IGNORE);
  SAY(MPI_Irecv, (char*)gpu + 4000, 4, MPI_INT, 0, 0, one, &request);
  SAY(MPI_Send_init, gpu, 4, MPI_INT, 0, 0, one, &request);
  SAY(MPI_Sendrecv, mine, 4, MPI_INT, 0, 1, gpu, 4, MPI_INT, 0, 1, one, MPI_STATUS_IGNORE);
  SAY(MPI_Bcast, gpu, 4, MPI_INT, 0, one);
  SAY(MPI_Allreduce, MPI_IN_PLACE, gpu, 4, MPI_INT, MPI_SUM, one);
  SAY(MPI_Ialltoall, mine, 4, MPI_INT, gpu, 4, MPI_INT, one, &request);
  SAY(MPI_Win_create, gpu, 4096, 1, MPI_INFO_NULL, one, &win);
  if (MPI_Win_allocate(64, 1, MPI_INFO_NULL, one, &gpu, &win) == MPI_SUCCESS) MPI_Win_free(&win);
  return MPI_Finalize();
}
"""
CALLS = ("Send", "Isend", "Recv", "Irecv", "Send_init", "Sendrecv", "Bcast", "Allreduce", "Ialltoall", "Win_create")


def library(mpi: Mpi) -> Path:
    return ROOT / "build" / f"release-{mpi.label}" / "lib"


MPIS = [mpi for mpi in mpis() if (library(mpi) / "libraddle.so").exists()]
pytestmark = [
    pytest.mark.timeout(200),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]


def run(mpi: Mpi | None, place: Path, *arguments: str) -> list[str]:
    assert mpi
    env = {**{name: value for name, value in os.environ.items() if not is_mpi_setting(name)}, **mpi.env()}
    if mpi.name == "openmpi":
        env["OMPI_MCA_btl"] = "^ofi"
    (place / "program.c").write_text(PROGRAM, encoding="utf-8")
    lib = library(mpi)
    words = ["-I", str(ROOT / "include"), "-o", "program", f"-L{lib}", f"-Wl,-rpath,{lib}", "-lraddle", "-ldl"]
    subprocess.run([str(mpi.mpicc), "program.c", *words], cwd=place, env=env, check=True, timeout=60)
    done = subprocess.run(
        [str(mpi.mpiexec), "-n", "1", "./program", *arguments], cwd=place, env=env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def gpu(place: Path, source: str, name: str) -> str:
    (place / "gpu.c").write_text(source, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "gpu.c", "-o", name, f"-Wl,-soname,{name}"], cwd=place, check=True)
    return str(place / name)


# Which MPI it is makes no difference to what is asked.
ONE = next((mpi for mpi in MPIS if mpi.name == "mpich"), MPIS[0] if MPIS else None)
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)


@each_mpi
@pytest.mark.parametrize("late", [False, True], ids=["before", "late"])
def test_a_buffer_of_a_gpu_is_refused_by_name_and_never_copied(mpi: Mpi, late: bool, tmp_path: Path) -> None:
    lines = run(mpi, tmp_path, gpu(tmp_path, CUDA, "libcuda.so.1"), *(["late"] if late else []))
    assert lines[:3] == ["MPI_Sendrecv: success: ", "other: 4", "MPI_Allreduce: success: "]
    found = [re.fullmatch(r"MPI_(\w+): (\w+): .*?(Raddle: .*)", line) for line in lines[3:]]
    assert [one and one.groups() for one in found] == [
        (
            call,
            "unsupported",
            f"Raddle: MPI_{call} of a buffer in the memory of a GPU (CUDA) is not supported on an endpoint",
        )
        for call in CALLS
    ]


@pytest.mark.parametrize(
    ("source", "name", "whose"),
    [(HIP, "libamdhip64.so.6", "HIP"), (ZE, "libze_loader.so.1", "Level Zero")],
    ids=["hip", "level-zero"],
)
def test_gpus_of_others_are_known_too(source: str, name: str, whose: str, tmp_path: Path) -> None:
    lines = run(ONE, tmp_path, gpu(tmp_path, source, name))
    assert lines[1] == "other: 4"
    assert len([line for line in lines if f"in the memory of a GPU ({whose})" in line]) == len(CALLS)


def test_without_a_library_of_gpus_nothing_is_asked(tmp_path: Path) -> None:
    assert run(ONE, tmp_path) == ["MPI_Sendrecv: success: ", "other: 4", "MPI_Allreduce: success: "]
