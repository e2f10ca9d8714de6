# SPDX-License-Identifier: BSD-3-Clause
"""The library for one MPI, from a checkout (docs/use/install.md): spack repo add it, then spack dev-build."""

from spack.package import conflicts, depends_on, license, variant, version
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Raddle(CMakePackage):
    """Lanes, endpoints, partitioned communication and sparse exchange for MPI programs with threads."""

    # No source archive is published: Spack takes the checkout it is told of (dev-build, or develop --path).
    has_code = True
    license("BSD-3-Clause")
    version("0.1.0")

    variant("tests", default=False, description="Build the C++ tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("boost@1.78:", type="build")  # its headers
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("python@3.10:", type="build")
    depends_on("py-pympistandard@0.2.0", type="build")
    depends_on("py-tomli@2:", type="build", when="^python@:3.10")  # newer ones have it
    depends_on("hwloc@2:")
    depends_on("mpi@3.1:")
    depends_on("fftw@3:", when="+tests")  # for one example, which tests run
    depends_on("googletest", type="build", when="+tests")

    conflicts("%gcc@:10", msg="Raddle is C++20 and needs g++ 11")

    def cmake_args(self):
        return [
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("RADDLE_PYTHON", self.spec["python"].command.path),
            self.define("RADDLE_WITH_MPI", True),
            self.define_from_variant("RADDLE_BUILD_TESTS", "tests"),
        ]
