# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the MPI library: found wherever they come from, named, and never pooled."""

import json
import os
import pathlib
import subprocess
import unittest

from support import MACHINE, ONCE, ProgramTest

# An algorithm that is forced: a setting, its environment variable and value.
FORCED = {
    "mpich": ("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "MPIR_CVAR_", "reduce_scatter_allgather"),
    "openmpi": ("coll_tuned_bcast_algorithm", "OMPI_MCA_", "6"),
}
PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""
SETTING, PREFIX, VALUE = FORCED[MACHINE]
VARIABLE = PREFIX + SETTING.removeprefix(PREFIX)
SWEEP = [
    *("sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--bytes", "64"),
    *("--collectives", "allreduce", *ONCE),
]
NATIVE = ["--algorithms", "native", "--launches", "2"]


class Settings(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))

    def machines(self) -> list[tuple[str, int]]:
        """The settings of each machine in the database, and its measurements."""
        return self.rows(
            """SELECT settings_origin, (SELECT count(*) FROM measurement JOIN "case" ON
               "case".id = case_id WHERE machine_id = machine.id) FROM machine ORDER BY id"""
        )

    def report_json(self) -> str:
        """Of the guidelines, whatever they find."""
        check = ["check", "--db", "results.db", "--format", "json"]
        with self.start(*check) as process:
            return process.communicate()[0]

    def test_launches_under_other_settings_are_another_machine(self) -> None:
        os.environ[VARIABLE] = VALUE
        forced = self.breakeven(*SWEEP, *NATIVE)
        self.assertIn(f"{SETTING}=", forced.stderr)
        self.assertRegex(forced.stderr, rf"settings: .*{SETTING}=\S+ \(environment\)")
        del os.environ[VARIABLE]
        self.breakeven(*SWEEP, *NATIVE)
        with_it, without = self.machines()
        self.assertRegex(with_it[0], rf"{SETTING}=\S+ \(environment\)")
        self.assertNotIn(SETTING, without[0])
        self.assertEqual((with_it[1], without[1]), (2, 2), "pooled")
        both = self.breakeven("show", "--db", "results.db", status=2).stderr
        self.assertIn("--machine NUMBER", both)
        self.assertIn(SETTING, both)
        self.assertIn(SETTING, self.breakeven("show", "--db", "results.db", "--machine", "1").stdout)
        other = self.breakeven("show", "--db", "results.db", "--machine", "2").stdout
        self.assertNotIn(SETTING, other)
        for launch, environment in enumerate(self.rows("SELECT environment FROM launch")):
            found = json.loads(environment[0])["settings"]
            self.assertEqual(SETTING in found, launch < 2, found)

    @unittest.skipUnless(MACHINE == "mpich", "Open MPI tells hosts from memory by itself")
    def test_a_library_without_shared_memory_takes_each_process_for_a_node(self) -> None:
        os.environ["MPIR_CVAR_NOLOCAL"] = "1"
        words = "shares no memory between ranks"
        self.assertIn(words, self.breakeven("launch", "--machine", MACHINE, "--procs", "2").stdout)
        seen = self.breakeven("doctor", "--machine", MACHINE, "--procs", "2", "--format", "json").stdout
        self.assertIn(words, seen)
        sweep = self.breakeven(*SWEEP, "--algorithms", "native,library", "--launches", "2")
        self.assertRegex(sweep.stderr, "skipped.* shares no memory: .*mpich:allreduce/smp")
        self.assertEqual(self.rows("SELECT sum(json_extract(environment, '$.shares_memory')) FROM launch"), [(0,)])

    def test_a_clean_environment_says_what_it_unsets(self) -> None:
        self.breakeven(*SWEEP, *NATIVE, "--clean-environment")
        os.environ[VARIABLE] = VALUE
        clean = self.breakeven(*SWEEP, "--algorithms", "native", "--launches", "3",
                               "--clean-environment")  # fmt: skip
        self.assertRegex(clean.stderr, rf"--clean-environment unset .*{VARIABLE}={VALUE}")
        self.assertEqual([count for _, count in self.machines()], [3])

    def test_origins_are_named(self) -> None:
        # A file of the user, which the transport or the library reads.
        os.environ["HOME"] = str(self.folder)
        if MACHINE == "openmpi":
            (self.folder / ".openmpi").mkdir()
            file = self.folder / ".openmpi" / "mca-params.conf"
            file.write_text(f"{SETTING} = {VALUE}\n")
            name = SETTING
        else:
            file = self.folder / "ucx.conf"
            file.write_text("UCX_RNDV_THRESH=32k\n")
            name = "UCX_RNDV_THRESH"
        warned = self.breakeven(*SWEEP, *NATIVE).stderr
        # The launcher of Open MPI 5 puts what it reads in its files into the environment of the ranks.
        self.assertRegex(warned, rf"{name}=\S+ \((ucx.conf|{file}|environment of the ranks)\)")
        file.unlink()
        # A loaded module file.
        module = self.folder / "modulefile"
        module.write_text(f"setenv {VARIABLE} {VALUE}\n")
        os.environ.update({VARIABLE: VALUE, "_LMFILES_": str(module)})
        warned = self.breakeven(*SWEEP, *NATIVE).stderr
        self.assertRegex(warned, rf"{SETTING}=\S+ \(module file {module}\)")
        del os.environ[VARIABLE]
        # The launcher's command line.
        asked = f"--mca {SETTING} {VALUE}" if MACHINE == "openmpi" else f"-genv {VARIABLE} {VALUE}"
        warned = self.breakeven(*SWEEP, *NATIVE, "--launcher-args", asked, status=0).stderr
        self.assertRegex(warned, rf"{SETTING}=\S+ \(command line\)")
        machines = 1 if MACHINE == "openmpi" else 2  # there the file had another setting
        self.assertEqual(len(self.machines()), machines, "wherever it comes from it is the same setting")

    def test_launch_names_them(self) -> None:
        os.environ[VARIABLE] = VALUE
        named = self.breakeven("launch", "--machine", MACHINE, "--procs", "2").stderr
        self.assertRegex(named, rf"settings: .*{SETTING}=\S+ \(environment\)")

    def test_doctor_warns_of_them(self) -> None:
        asked = ["doctor", "--machine", MACHINE, "--procs", "2", "--format", "json"]
        os.environ[VARIABLE] = VALUE
        findings = json.loads(self.breakeven(*asked).stdout)["findings"]
        (found,) = [each for each in findings if each["name"] == "settings"]
        self.assertEqual(found["severity"], "warning")
        self.assertIn(SETTING, found["seen"])

    def test_tables_and_reports_name_them_and_verify_compares(self) -> None:
        os.environ[VARIABLE] = VALUE
        folder = self.tables()
        for file in ("table.json", "breakeven_table.hpp", "table.txt"):
            self.assertIn(SETTING, (folder / file).read_text(), file)
        self.breakeven("report", "--db", "results.db", "--out", "report.html")
        self.assertIn(SETTING, (self.folder / "report.html").read_text())
        guidelines = json.loads(self.report_json())
        self.assertIn(SETTING, guidelines["machine"]["settings"])
        verify = [
            *("verify", "--tables", "tables", "--procs", "2", "--bytes", "8", "--launches", "2"),
            *("--case-budget-s", "0.01", "--keep"),
        ]
        same = self.breakeven(*verify, status=(0, 1)).stderr
        self.assertNotIn("other settings", same)
        del os.environ[VARIABLE]
        other = self.breakeven(*verify, status=(0, 1)).stderr
        self.assertRegex(other, rf"warning: .* other settings .*{SETTING}=unset, was ")
        refused = self.breakeven(*verify, "--strict", status=2).stderr
        self.assertIn(f"{SETTING}=unset", refused)
        self.run_compares(folder)

    def run_compares(self, folder: pathlib.Path) -> None:
        """A program runs by a table of other settings and says so, or is refused."""
        (self.folder / "program.c").write_text(PROGRAM)
        subprocess.run([f"mpicc.{MACHINE}", "-o", "program", "program.c"], cwd=self.folder, check=True)
        command = ["--", f"mpiexec.{MACHINE}", "-n", "2", "./program"]
        for strict, status in ([], 0), (["--strict"], 2):
            told = self.breakeven("run", "--tables", str(folder), *strict, *command, status=status)
            self.assertRegex(told.stderr, rf"measured under other settings .*{SETTING}=unset, was ")
        os.environ[VARIABLE] = VALUE
        same = self.breakeven("run", "--tables", str(folder), "--strict", *command).stderr
        self.assertNotIn("other settings", same)

    def test_a_launch_calibrates_the_machine(self) -> None:
        self.breakeven(*SWEEP, *NATIVE)
        probes = self.rows("SELECT probe, count(*), min(time_s) FROM calibration GROUP BY probe")
        self.assertEqual(
            {(probe, count) for probe, count, _ in probes},
            {(each, 2) for each in ("arithmetic", "memory copy", "ping-pong of 8 B on a node",
                                    "ping-pong of 64 KiB on a node")},
        )  # fmt: skip
        for probe, _, time_s in probes:
            self.assertGreater(time_s, 1e-8, probe)


if __name__ == "__main__":
    unittest.main()
