# SPDX-License-Identifier: BSD-3-Clause
"""What this machine has, and getting what it lacks. Standard library only, for nothing is installed yet."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


def is_root_on_debian() -> bool:
    """Whether packages can be installed without asking anybody (containers, CI)."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(*packages: str) -> bool:
    """Installs Debian packages; False when they cannot be had."""
    if not is_root_on_debian():
        return False
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(f"Installing {' '.join(packages)} with apt-get ...", flush=True)
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        if subprocess.run(["apt-get", "-qq", *arguments], env=env, stdout=subprocess.DEVNULL, check=False).returncode:
            return False
    return True


def compiles(code: str, *, flags: Sequence[str] = (), link: bool = False) -> bool:
    """Whether the C++ compiler that CMake will choose accepts this program."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or "c++"
    with tempfile.TemporaryDirectory() as place:  # a linker that root runs must not be given /dev/null
        how = ["-o", f"{place}/program"] if link else ["-fsyntax-only"]
        command = [*compiler.split(), "-std=c++20", "-x", "c++", "-", *how, *flags]
        try:
            return subprocess.run(command, input=code, text=True, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def has_cpp20() -> bool:
    """A compiler with the parts of the C++20 library that Raddle uses."""
    return compiles("#include <barrier>\n#include <concepts>\nstd::barrier<> all(1);\nint main() {}\n")


def has_header(header: str) -> bool:
    """Whether the compiler finds a header without being told where."""
    return compiles(f"#include <{header}>\n")


def hwloc_links(prefix: Path | None) -> bool:
    """A wheel's hwloc also needs the system's libpciaccess."""
    code = "#include <hwloc.h>\nint main() { return static_cast<int>(hwloc_get_api_version() == 0); }\n"
    flags = [f"-I{prefix / 'include'}", f"-L{prefix / 'lib'}"] if prefix else []
    return compiles(code, flags=[*flags, "-lhwloc"], link=True)


def version_of(tool: str) -> tuple[int, ...]:
    """What `tool --version` says, as numbers; empty when it is not there."""
    try:
        said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ()
    found = re.search(r"\d+(\.\d+)+", said)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
