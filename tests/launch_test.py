# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven launch --dry-run` for every launcher: only options that their documents know."""

import shlex
import subprocess
import unittest

from support import BREAKEVEN, ProgramTest

# Each option with the values that are documented for it; None: any; "": it takes none.
DOCUMENTED = {
    # https://github.com/pmodels/mpich/blob/main/src/pm/hydra/mansrc/mpiexec.txt
    # https://github.com/pmodels/mpich/blob/main/doc/wiki/how_to/Using_the_Hydra_Process_Manager.md
    "hydra": {"-n": None, "-ppn": None, "-bind-to": {"core", "none"}, "-genv": None},
    # mpirun(1) of Open MPI 4.1: https://www.open-mpi.org/doc/v4.1/man1/mpirun.1.php
    "openmpi4": {"-n": None, "--map-by": None, "--rank-by": {"slot", "node"},
                 "--bind-to": {"core", "none"}, "--mca": None},
    # https://docs.open-mpi.org/en/v5.0.x/man-openmpi/man1/mpirun.1.html
    "openmpi5": {"-n": None, "--map-by": None, "--rank-by": {"slot", "node"},
                 "--bind-to": {"core", "none"}, "--mca": None},
    # https://slurm.schedmd.com/srun.html
    "srun": {"--mpi": {"pmi2", "pmix"}, "-N": None, "-n": None, "--ntasks-per-node": None,
             "-m": {"block", "cyclic"}, "--input": {"0"}, "--kill-on-bad-exit": {"1"},
             "--overcommit": "", "--cpu-bind": {"cores", "none"}, "--export": None},
    # mpiexec(1) of HPE PALS; https://docs.alcf.anl.gov/polaris/running-jobs/
    "pbs": {"-n": None, "--ppn": None, "--cpu-bind": {"core", "none"}, "--env": None},
    # https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-run.html
    # https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man7/flux-shell-options.html
    "flux": {"-N": None, "-n": None, "--tasks-per-node": None, "--exclusive": "", "--env": None,
             "--taskmap": {"cyclic"},
             "-o": {"cpu-affinity=per-task", "cpu-affinity=off", "mpi=none", "pmi=pmix"}},
}  # fmt: skip
LAUNCHERS = {
    "mpich": ["hydra", "srun", "srun-pmi2", "srun-pmix", "pbs", "flux"],
    "openmpi": ["openmpi4", "openmpi5", "srun", "srun-pmi2", "srun-pmix", "flux"],
}


def options_of(words: list[str], known: dict) -> list[tuple[str, str]]:
    """(option, value) in an argument list; fails with KeyError at an unknown option."""
    found = []
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if not option.startswith("-"):
            raise KeyError(f"no option: {word}")
        if known[option] != "" and not equals:
            value = next(rest)
            if option in ("-genv", "--mca"):
                value += " " + next(rest)
        found.append((option, value))
    return found


class Launch(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.machines = [machine for machine in LAUNCHERS if self.has(machine)]
        if not self.machines:
            self.skipTest("this build has no MPI library")

    @staticmethod
    def has(machine: str) -> bool:
        command = [BREAKEVEN, "launch", "--dry-run", "--machine", machine]
        return subprocess.run(command, capture_output=True).returncode == 0

    def dry_run(self, *options: str, status: int = 0) -> str:
        run = self.breakeven("launch", "--dry-run", "--cores", "4", *options, status=status)
        return run.stdout if status == 0 else run.stderr

    def test_every_launcher_is_asked_by_documented_options(self) -> None:
        for machine in self.machines:
            for launcher in LAUNCHERS[machine]:
                for mapping in ("seq", "rr"):
                    if (launcher, mapping) == ("pbs", "rr"):
                        continue
                    with self.subTest(machine=machine, launcher=launcher, mapping=mapping):
                        self.check_commands(machine, launcher, mapping)

    def check_commands(self, machine: str, launcher: str, mapping: str) -> None:
        known = DOCUMENTED[launcher.split("-")[0]]
        told = self.dry_run(
            "--machine", machine, "--launcher", f"{launcher}=/opt/bin/start", "--nodes", "2",
            "--procs", "8,16", "--mapping", mapping,
        )  # fmt: skip
        lines = told.splitlines()
        self.assertEqual(len(lines), 2)
        for procs, line in zip((8, 16), lines):
            words = shlex.split(line)
            words = words[words.index("/opt/bin/start") + 1 :]
            if launcher == "flux":
                self.assertEqual(words.pop(0), "run")
            self.assertTrue(words.pop().endswith(f"breakeven-worker-{machine}"))
            options = options_of(words, known)
            for option, value in options:
                if known[option] is not None:
                    self.assertIn(value, known[option] or {""}, line)
            if (launcher, procs) != ("flux", 16):  # there tasks per node say how many
                self.assertIn(("-n", str(procs)), options)
            oversubscribed = procs == 16  # 8 on a node of 4 cores
            bound = {"core", "cores", "cpu-affinity=per-task"}
            self.assertNotEqual(oversubscribed, any(value in bound for _, value in options), line)

    def test_what_a_launcher_can_not_say_is_refused(self) -> None:
        if "mpich" not in self.machines:
            self.skipTest("this build has no MPICH")
        told = self.dry_run(
            "--machine", "mpich", "--launcher", "pbs", "--nodes", "2", "--procs", "8",
            "--mapping", "rr", status=2,
        )  # fmt: skip
        self.assertRegex(told, r"^breakeven: launcher 'pbs' has no option for mapping 'rr'; possible: mapping seq.*\n$")

    def test_the_users_words_stand_before_the_worker(self) -> None:
        told = self.dry_run(
            "--machine", self.machines[0], "--launcher-args", "-x 'a b'", "--launcher-args=-y"
        )
        self.assertIn("-x 'a b' -y /", told)

    def test_bad_input_is_one_line(self) -> None:
        machine = self.machines[0]
        for options, word in (
            (["--machine", machine, "--launcher", "srum"], "'srum'"),
            (["--machine", machine, "--launcher-args", "'x"], "not closed"),
            (["--machine", machine, "--procs", "3", "--nodes", "2"], "3 processes on 2 nodes"),
            (["--machine", "lam"], "'lam'"),
        ):
            told = self.dry_run(*options, status=2)
            self.assertIn(word, told)
            self.assertEqual(told.count("\n"), 1, told)

    def test_without_dry_run_the_ranks_say_where_they_are(self) -> None:
        for machine in self.machines:
            told = self.breakeven("launch", "--machine", machine, "--procs", "1,2").stdout
            self.assertRegex(told, r"(?m)^  \S+: 0\n")
            self.assertRegex(told, r"(?m)^  \S+: 0 1\n")


if __name__ == "__main__":
    unittest.main()
