# SPDX-License-Identifier: BSD-3-Clause
"""Recipe for Spack 1.0 or later, for a repository of packages of your own. Nothing is fetched: run
`spack dev-build breakeven@0.1.0` in the source tree."""
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Breakeven(CMakePackage):
    """Finds which algorithm of each MPI collective is fastest on a machine, and writes tables for
    MPI libraries, C++ code and unchanged programs."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("plots", default=True, description="Draw plots with matplotlib")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json@3.11:")
    depends_on("sqlite@3.40:")
    # Spack has no recipe of it as of July 2026: add one, or name an installation in packages.yaml.
    depends_on("sqlitecpp@3:")
    depends_on("tomlplusplus@3:")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-matplotlib", type=("build", "run"), when="+plots")

    conflicts("%gcc@:11", msg="C++20 is needed as GCC 12 has it")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BREAKEVEN_MPICC", self.spec["mpi"].mpicc),
            self.define("BREAKEVEN_PYTHON", self.spec["python"].command.path),
            self.define("BUILD_TESTING", False),
            self.define("CMAKE_UNITY_BUILD", True),
        ]

    def test_selftest(self):
        """measure, tune and run a program with the MPI library"""
        which(self.prefix.bin.breakeven)("selftest")
