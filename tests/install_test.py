# SPDX-License-Identifier: BSD-3-Clause
"""An installation in a folder with a blank in its name, moved and with one MPI library alone, used
by a user who may write nothing of it."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

from support import BREAKEVEN, MACHINE, ONCE, ProgramTest, library_file

BUILD = pathlib.Path(BREAKEVEN).resolve().parents[1]
SOURCE = pathlib.Path(__file__).resolve().parents[1]
NOBODY = 65534
OTHER = {"mpich": "openmpi", "openmpi": "mpich"}[MACHINE]

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int me, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("sum %d\\n", sum);
  MPI_Finalize();
  return 0;
}
"""


def install(prefix: pathlib.Path, *components: str, destdir: pathlib.Path | None = None) -> None:
    environment = {**os.environ, **({"DESTDIR": str(destdir)} if destdir else {})}
    for component in components:
        subprocess.run(
            ["cmake", "--install", BUILD, "--prefix", prefix, "--component", component],
            check=True,
            stdout=subprocess.DEVNULL,
            env=environment,
        )


class InstallTest(ProgramTest):
    """Each test runs as a plain user in its folder, with the installation of another user."""

    def setUp(self) -> None:
        super().setUp()
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="breakeven install "))
        self.addCleanup(shutil.rmtree, self.top)
        self.top.chmod(0o755)
        self.prefix = self.top / "moved"
        self.installed = self.prefix / "bin/breakeven"
        install(self.top / "first", "program", MACHINE, "cpp")
        (self.top / "first").rename(self.prefix)
        self.before = self.files()
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)

    def files(self) -> dict[str, int]:
        """All that the installation has, and when that was changed last."""
        return {str(each): each.lstat().st_mtime_ns for each in self.prefix.rglob("*")}

    def user(
        self, *command: str | pathlib.Path, status: int = 0, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command as a user without rights, to whom the build belongs as little."""
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        # Nor do settings of a developer, such as a compiler cache, which that user can't write.
        others = ("BREAKEVEN", "CMAKE_", "CCACHE_")
        kept = {key: os.environ[key] for key in os.environ if not key.startswith(others)}
        result = subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, "HOME": str(self.folder), **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            **who,
        )
        words = f"{command}\n{result.stdout}\n{result.stderr}"
        self.assertEqual(result.returncode, status, words)
        return result

    def test_measures_decides_and_runs_programs(self) -> None:
        states = self.user(self.installed, "machines").stdout
        self.assertRegex(states, rf"(?m)^{MACHINE} .* ready$")
        # With more ranks than cores MPICH preloads a library, whose path has the blank.
        ranks = str(2 * (os.cpu_count() or 1))
        placed = self.user(self.installed, "launch", "--machine", MACHINE, "--procs", ranks)
        started = self.user("sh", "-c", placed.stdout.splitlines()[0])
        self.assertNotIn("cannot be preloaded", started.stderr)
        for line in (
            f"sweep --machine {MACHINE} --procs 2 --bytes 8,1M --collectives allreduce"
            " --launches 3 --algorithms native,library,ring --db results.db",
            "tune --db results.db --out tables",
            "show --db results.db",
        ):
            once = ONCE if line.startswith("sweep") else []
            self.user(self.installed, *line.split(), *once)
        (self.folder / "program.c").write_text(PROGRAM)
        program = self.folder / "program"
        subprocess.run([f"mpicc.{MACHINE}", program.with_suffix(".c"), "-o", program], check=True)
        ran = self.user(
            *(self.installed, "run", "--tables", "tables", "--strict", "--profile", "p.json", "--"),
            *(f"mpiexec.{MACHINE}", "-n", "2", program),
        )
        self.assertEqual(ran.stdout, "sum 1\n")
        self.assertIn("allreduce", (self.folder / "p.json").read_text())
        self.assertEqual(self.files(), self.before)
        self.check_module(self.folder / "tables")

    def check_module(self, tables: pathlib.Path) -> None:
        """Environment Modules sets what the library reads, also after the folder has been moved."""
        if not shutil.which("modulecmd"):
            return
        site = tables.rename(self.folder / "a site's")
        load = self.user(
            *("modulecmd", "python", "load", "breakeven-tables"),
            MODULEPATH=str(site / "modulefiles"),
        ).stdout
        variable = {
            "mpich": "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
            "openmpi": "OMPI_MCA_coll_tuned_dynamic_rules_filename",
        }[MACHINE]
        told = f"{load}\nfor name in ('{variable}', 'BREAKEVEN_TABLE'): print(os.environ[name])"
        files = self.user("python3", "-c", told).stdout.splitlines()
        self.assertEqual(files, [str(library_file(site)), str(site / "table.json")])
        for file in files:
            self.assertTrue(pathlib.Path(file).exists())

    def test_draws_with_its_own_scripts(self) -> None:
        model = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10"
        sweep = f"sweep --machine {model} --procs 4 --bytes 8,1M --collectives bcast --db model.db"
        self.user(self.installed, *sweep.split())
        drawn = subprocess.run(
            [self.installed, "plot", "fastest", "--db", "model.db", "--out", "fastest.svg"],
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        if "matplotlib" in drawn.stderr:
            self.skipTest("no matplotlib")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn("</svg>", (self.folder / "fastest.svg").read_text())

    def test_says_what_is_not_installed(self) -> None:
        sweep = f"sweep --machine {OTHER} --procs 2 --bytes 8 --db none.db"
        refused = self.user(self.installed, *sweep.split(), status=2).stderr
        self.assertEqual(len(refused.splitlines()), 1, refused)
        self.assertRegex(refused, f"breakeven worker build|launcher '.*' of machine '{OTHER}'")
        build = ("worker", "build", "--mpicc", f"mpicc.{MACHINE}")
        refused = self.user(self.installed, *build, status=2).stderr
        self.assertIn(f"no sources in '{self.prefix}/share/breakeven/src'", refused)
        install(self.prefix, "sources")
        tools = self.folder / "tools"
        tools.mkdir()
        for tool, missing in (
            ("cmake", "no cmake"),
            ("make", "neither ninja nor make"),
            ("c++", "no C++ compiler"),
            (None, "--mpicc"),
        ):
            refused = self.user(self.installed, *build, status=2, PATH=str(tools), CXX="").stderr
            self.assertIn(missing, refused)
            if tool:
                (tools / tool).symlink_to("/bin/true")

    def test_its_sources_are_all_that_a_worker_needs(self) -> None:
        # To compile them too takes minutes: see docs/install.md.
        install(self.prefix, "sources")
        configured = self.user(
            *("cmake", "-G", "Ninja", "-S", self.prefix / "share/breakeven/src", "-B", "build"),
            *("-DBREAKEVEN_WORKER_ONLY=ON", "-DBUILD_TESTING=OFF"),
            f"-DBREAKEVEN_MPICC=mpicc.{MACHINE}",
        ).stdout
        self.assertRegex(configured, f"MPI library {MACHINE}: .*mpiexec.{MACHINE}")

    def test_a_worker_of_another_folder_is_used(self) -> None:
        own = self.folder / "my worker"
        own.mkdir()
        for file in (f"breakeven-worker-{MACHINE}", "libbreakeven_yield.so"):
            shutil.move(self.prefix / "libexec/breakeven" / file, own)
        (own / "mpiexec").symlink_to(shutil.which(f"mpiexec.{MACHINE}") or "")
        launch = ("launch", "--machine", MACHINE, "--procs", "2")
        self.user(self.installed, *launch, status=2)
        placed = self.user(self.installed, *launch, "--worker", "my worker").stdout
        self.assertIn(f"'{own}/breakeven-worker-{MACHINE}'", placed)
        refused = self.user(self.installed, *launch, "--worker", "none", status=2).stderr
        self.assertIn(f"no '{self.folder}/none/breakeven-worker-{MACHINE}'", refused)

    def test_lies_below_destdir_alone(self) -> None:
        staged = self.folder / "staged"
        install(pathlib.Path("/opt/breakeven"), "program", MACHINE, destdir=staged)
        self.assertEqual([each.name for each in staged.iterdir()], ["opt"])
        states = self.user(staged / "opt/breakeven/bin/breakeven", "machines").stdout
        self.assertRegex(states, rf"(?m)^{MACHINE} .* ready$")

    def test_pkg_config_finds_the_library(self) -> None:
        where = str(self.prefix / "lib/pkgconfig")
        for folder in self.prefix.glob("lib*/**/pkgconfig"):
            where = str(folder)
        flags = self.user(
            *("pkg-config", "--cflags", "--libs", f"breakeven-{MACHINE}"), PKG_CONFIG_PATH=where
        ).stdout
        program = self.folder / "norms"
        subprocess.run(
            [
                *("c++", "-std=c++20", SOURCE / "api/example/norms.cpp", "-o", program),
                *("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", *shlex.split(flags)),
            ],
            check=True,
        )
        libraries = str(pathlib.Path(where).parent)
        told = self.user(
            *(f"mpiexec.{MACHINE}", "-n", "2", program), LD_LIBRARY_PATH=libraries
        ).stdout
        self.assertEqual(told, "norm 1 by native, element 0.0223607\n")


if __name__ == "__main__":
    unittest.main()
