# SPDX-License-Identifier: BSD-3-Clause
"""`run`, `profile` and `verify -- program` look before they start: what can't work with Breakeven is
said in one true line, and runs as without it; or is refused, with --strict and by `verify`.
"""

import os
import pathlib
import shutil
import subprocess
import unittest

from support import MACHINE, ProgramTest, told

OTHER = "openmpi" if MACHINE == "mpich" else "mpich"

# Ends with the status of its argument.
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  double in[8] = {1}, out[8];
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Allreduce(in, out, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("sum %g, preloaded %s\\n", out[0], getenv("BREAKEVEN_RUN") ? "yes" : "no");
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""

OPENER = """
#include <dlfcn.h>
#include <stddef.h>
int main(int argc, char** argv) {
  char* arguments[] = {argv[0], "5", NULL};
  void* module = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  return module ? ((int (*)(int, char**))dlsym(module, "work"))(2, arguments) : 1;
}
"""


def once(output: str) -> str:
    """Without lines that others repeat: a launcher may end the second rank before it says the same."""
    return "".join(dict.fromkeys(output.splitlines(keepends=True)))


class CommandFactsTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "sum.c").write_text(PROGRAM)
        self.programs = {}
        for library in (MACHINE, OTHER):
            if shutil.which(f"mpicc.{library}") is None:
                continue
            self.programs[library] = f"./sum-{library}"
            command = [f"mpicc.{library}", "sum.c", "-o", f"sum-{library}"]
            subprocess.run(command, cwd=self.folder, check=True)
        self.mine = self.programs[MACHINE]
        self.mpiexec = f"mpiexec.{MACHINE}"

    def script(self, name: str, text: str) -> str:
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return f"./{name}"

    def alone(self, command: list[str]) -> tuple[int, str]:
        run = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=60, check=False
        )
        return run.returncode, once(run.stdout)

    def started(self, *arguments: str) -> tuple[int, str, list[str]]:
        with self.start(*arguments) as process:
            output, errors = process.communicate(timeout=60)
        return process.returncode, once(output), told(errors)

    def assert_runs_without(self, command: list[str], line: str) -> None:
        """By all three commands; the program's output and status are those that it has alone."""
        tables = str(self.tables())
        status, output = self.alone(command)
        for before, wanted in (
            (["run", "--tables", tables], f"the tables are for {MACHINE}"),
            (["profile", "--machine", MACHINE], f"--machine is {MACHINE}"),
        ):
            said = f"breakeven: {line.format(wanted=wanted)}; the command runs without Breakeven"
            self.assertEqual(self.started(*before, "--", *command), (status, output, [said]))
        said = line.format(wanted=f"the tables are for {MACHINE}")
        for before, then in (
            (["run", "--tables", tables, "--strict"], "not started, as --strict says"),
            (["verify", "--tables", tables], "nothing is measured"),
        ):
            refused = (2, "", [f"breakeven: {said}; {then}"])
            self.assertEqual(self.started(*before, "--", *command), refused)

    def test_launchers_and_programs_of_either_library(self) -> None:
        if OTHER not in self.programs:
            self.skipTest("one MPI library alone")
        theirs = self.programs[OTHER]
        program = f"'{theirs}' is a program of {OTHER}, and {{wanted}}"
        launched_by_other = f"'mpiexec.{OTHER}' starts programs of {OTHER}, and {{wanted}}"
        for launcher, wrapper, launched, line in (
            (f"mpiexec.{MACHINE}", ["nice"], theirs, program),
            (f"mpiexec.{OTHER}", [], theirs, program),
            (f"mpiexec.{OTHER}", ["env", "A=B"], self.mine, launched_by_other),
        ):
            command = [launcher, "-n", "2", *wrapper, launched, "5"]
            with self.subTest(command=command):
                self.assert_runs_without(command, line)
        self.assert_runs_without(["env", "A=B", f"mpiexec.{MACHINE}", "-n", "2", theirs], program)
        # Such a job waits for itself forever, with and without us.
        mixed = [self.mpiexec, "-n", "1", self.mine, ":", "-n", "1", theirs]
        refused = self.started("run", "--tables", str(self.tables()), "--strict", "--", *mixed)
        self.assertEqual(refused[:2], (2, ""))
        self.assertIn(f"'{theirs}' is a program of {OTHER}", refused[2][0])

    def test_within_a_script_a_program_of_the_other_library_says_so_itself(self) -> None:
        if OTHER not in self.programs:
            self.skipTest("one MPI library alone")
        theirs = self.programs[OTHER]
        tables = str(self.tables())
        said = f"sum-{OTHER} on {os.uname().nodename} is not seen: it is a program of {OTHER}, not of {MACHINE}"
        for command in (
            [self.mpiexec, "-n", "2", self.script("theirs.sh", f"exec {theirs} 5")],
            ["bash", self.script("job.sh", f"mpiexec.{OTHER} -n 2 {theirs} 5")],
            ["bash", self.script("job.sh", f"mpiexec.{MACHINE} -n 2 {theirs} 5")],
        ):
            status, output = self.alone(command)
            got = self.started("run", "--tables", tables, "--", *command)
            self.assertEqual(got[0], status, got)
            self.assertEqual(got[1].replace("preloaded yes", "preloaded no"), output)
            self.assertEqual(got[2], [f"breakeven: {said}"])

    def test_a_module_of_the_other_library_is_found_before_mpi_init(self) -> None:
        """As Python's modules are: the program itself has no MPI."""
        if OTHER not in self.programs:
            self.skipTest("one MPI library alone")
        (self.folder / "main.c").write_text(OPENER)
        subprocess.run(["gcc", "main.c", "-ldl", "-o", "opener"], cwd=self.folder, check=True)
        for library in (MACHINE, OTHER):
            command = [f"mpicc.{library}", "-Dmain=work", "-shared", "-fPIC", "sum.c"]
            subprocess.run([*command, "-o", f"{library}.so"], cwd=self.folder, check=True)
        tables = str(self.tables())
        said = f"breakeven: opener on {os.uname().nodename} is not seen: it is a program of {OTHER}, not of {MACHINE}"
        for library, lines in ((MACHINE, []), (OTHER, [said])):
            for start in ([self.mpiexec], ["sh", "-c", f'exec mpiexec.{library} "$@"', ""]):
                rank = self.script("rank.sh", f"exec ./opener ./{library}.so")
                command = [*start, "-n", "2", rank]
                status, output = self.alone(command)
                got = self.started("run", "--tables", tables, "--", *command)
                # 5, or the number of the signal by which the launcher ended the other rank.
                self.assertNotIn(0, (status, got[0]))
                self.assertEqual(got[2], lines, got)
                self.assertEqual(got[1].replace("preloaded yes", "preloaded no"), output)

    def test_the_same_library_is_served_however_it_is_wrapped(self) -> None:
        tables = str(self.tables())
        for command in (
            [self.mpiexec, "-n", "2", self.mine],
            [self.mpiexec, "-n", "2", "env", "A=B", self.mine],
            ["env", "A=B", self.mpiexec, "-n", "2", self.mine],
            [self.mpiexec, "-n", "2", self.script("rank.sh", f"exec {self.mine}")],
            ["bash", self.script("job.sh", f"{self.mpiexec} -n 2 {self.mine}")],
            [self.mpiexec, "-n", "1", self.mine, ":", "-n", "1", self.mine],
        ):
            if self.alone(command)[0] == -11:
                continue  # the launcher of Open MPI 5.0.7 ends so where several programs are to start
            got = self.started("run", "--tables", tables, "--strict", "--", *command)
            self.assertEqual(got, (0, "sum 2, preloaded yes\n", []), command)

    def test_what_is_missing_or_no_program(self) -> None:
        (self.folder / "folder").mkdir()
        start = [self.mpiexec, "-n", "2"]
        for command, line in (
            ([*start, "./missing", "8"], "no program './missing'"),
            ([*start, "missing-program"], "no program 'missing-program' in PATH"),
            ([*start, "./sum.c"], "'./sum.c' is not executable"),
            ([*start, "./folder"], "'./folder' is a folder"),
            ([self.mpiexec, "-n", "1", self.mine, ":", "-n", "1", "./missing"], "no program './missing'"),
            (["./missing"], "no program './missing'"),
            (["mpiexek", *start[1:], self.mine], "no program 'mpiexek' in PATH"),
        ):
            tables = str(self.tables())
            with self.subTest(command=command):
                strict = self.started("run", "--tables", tables, "--strict", "--", *command)
                self.assertEqual(strict, (2, "", [f"breakeven: {line}; not started, as --strict says"]))
                if ":" in command:
                    continue  # Hydra waits for the others forever, with and without us
                status, _, said = self.started("run", "--tables", tables, "--", *command)
                self.assertNotEqual(status, 0)
                self.assertTrue(said[0].startswith(f"breakeven: {line}"), said)
                self.assertEqual(len(said), 1, said)

    def test_an_option_that_is_not_known_hides_no_program(self) -> None:
        """Nobody knows how many words belong to it: nothing is claimed before the start."""
        odd = [self.mpiexec, "-n", "1", "-such-option", "value", "./missing"]
        status, _, said = self.started("run", "--tables", str(self.tables()), "--", *odd)
        self.assertEqual(len(said), 1, said)
        self.assertIn(f"no MPI program was seen, and the command ended with status {status}", said[0])

    def test_tables_that_cannot_be_used(self) -> None:
        tables = self.tables()
        table = tables / "table.json"
        good = table.read_text()
        command = [self.mpiexec, "-n", "2", self.mine, "5"]
        status, output = self.alone(command)
        (self.folder / "empty").mkdir()
        table.write_text(good[: len(good) // 2])
        for folder, line in (
            ("tabels", "no folder 'tabels', as `breakeven tune --out` makes"),
            ("empty", "can't read 'empty/table.json': No such file"),
            (str(table), f"no folder '{table}'"),
            (str(tables), "no JSON from here on"),
        ):
            got = self.started("run", "--tables", folder, "--", *command)
            self.assertEqual(got[:2], (status, output))
            self.assertEqual(len(got[2]), 1, got)
            self.assertIn(line, got[2][0])
            self.assertTrue(got[2][0].endswith("; the command runs without Breakeven"))
            strict = self.started("run", "--tables", folder, "--strict", "--", *command)
            self.assertEqual(strict[:2], (2, ""))

    def test_a_table_of_another_machine_leaves_the_program_as_it_is(self) -> None:
        tables = self.tables("ring", f"{MACHINE}:recursive_doubling")
        table = tables / "table.json"
        good = table.read_text()
        command = [self.mpiexec, "-n", "2", self.mine]
        for old, new, line in (
            ('"cpu":"', '"cpu":"another ', "the table was measured with .* on another .*, and .* has "),
            ('"library_version":"', '"library_version":"old ', "the table was measured with old .* has "),
        ):
            table.write_text(good.replace(old, new))
            with self.start("run", "--tables", str(tables), "--", *command) as process:
                output, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, output), (0, "sum 2, preloaded yes\n"), errors)
            self.assertEqual(len(told(errors)), 1, errors)
            self.assertRegex(told(errors)[0], line + ".*: the program runs without the table")
            self.assertNotIn("saved", errors)
            strict = self.started("run", "--tables", str(tables), "--strict", "--", *command)
            self.assertEqual(strict[0], 2)
            self.assertIn(": the program ends", strict[2][0])

    def test_at_a_p_that_the_table_lacks_no_speedup_is_claimed(self) -> None:
        tables = str(self.tables())
        line = "the table has no rules for p = 3 (it has 2)"
        more = {"mpich": [], "openmpi": ["--oversubscribe"]}[MACHINE]
        for procs, unknown in (("2", False), ("3", True)):
            start = [self.mpiexec, *more, "-n", procs]
            run = self.breakeven("run", "--tables", tables, "--", *start, self.mine).stderr
            self.assertEqual(line in run, unknown, run)
            self.assertEqual("; what the tables saved is unknown" in run, unknown, run)
            self.assertRegex(run, rf"allreduce +{procs} .* ring")

    def test_the_command_gets_the_signals_that_it_would_have(self) -> None:
        command = ["grep", "SigIgn", "/proc/self/status"]
        _, output = self.alone(command)
        got = self.started("run", "--tables", str(self.tables()), "--", *command)
        self.assertEqual(got[1], output)


if __name__ == "__main__":
    unittest.main()
