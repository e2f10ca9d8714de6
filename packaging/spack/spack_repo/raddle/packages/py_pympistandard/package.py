# SPDX-License-Identifier: BSD-3-Clause
"""What makes Raddle's wrappers of MPI functions; Spack has no recipe of its own for it."""

from spack.package import depends_on, version
from spack_repo.builtin.build_systems.python import PythonPackage


class PyPympistandard(PythonPackage):
    """The functions of the MPI standard, as data."""

    pypi = "pympistandard/pympistandard-0.2.0.tar.gz"
    version("0.2.0", sha256="cc7d5aa339289ff8e981dce1af69dbdadde2efb070eab66900d130ddca20fad7")

    depends_on("python@3.8:", type=("build", "run"))
    depends_on("py-pdm-backend", type="build")
