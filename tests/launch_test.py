# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven launch --dry-run` for every launcher: only options that their documents know."""

import json
import os
import shlex
import subprocess
import sys
import unittest
from unittest import mock

from support import BREAKEVEN, MODEL, ONCE, ProgramTest

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


# A launcher of any kind. It says what the real worker says, but that all ranks of the job are on the
# nodes that LAYOUT gives them; one on each node where fewer ranks are asked for. Cases fail at once.
# The worker is asked once for all jobs, since it takes long to start.
LAUNCHER = """#!{python}
import json, os, pathlib, subprocess, sys

words = sys.argv[1:]
nodes = json.loads(os.environ["LAYOUT"])
if "-n" in words and int(words[words.index("-n") + 1]) < len(nodes):
    procs = int(words[words.index("-n") + 1])
    nodes = [rank * len(set(nodes)) // procs for rank in range(procs)]
memory = pathlib.Path(sys.argv[0]).parent / pathlib.Path(words[-1]).name
known = json.loads(memory.read_text()) if memory.exists() else dict()


def events(request):
    if request not in known:
        real = [os.environ["REAL_LAUNCHER"], "-n", "1", words[-1]]
        run = subprocess.run(real, input=request, capture_output=True, text=True, check=True)
        known[request] = run.stdout.splitlines()
        memory.write_text(json.dumps(known))
    return [json.loads(line) for line in known[request]]


def say(*all_events):
    print(*map(json.dumps, all_events), sep="\\n", flush=True)


job_info, ready, end = events("")
job_info.update(hosts=["node%d" % node for node in nodes], nodes=nodes, cores=2, nodes_on_kernel=1,
                packages=[-1] * len(nodes), numa=[-1] * len(nodes))
say(job_info, ready)
for line in sys.stdin:
    request = json.loads(line)
    if "cases" in request:
        ids = range(request["first_id"], request["first_id"] + len(request["cases"]))
        say(*(dict(event="case_failed", id=id, reason="no such job") for id in ids), ready)
    else:
        say(*events(line)[2:-1])
say(end)
"""


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


def last_line(text: str) -> str:
    return text.splitlines(keepends=True)[-1]


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

    def refusals(self, *options: str) -> tuple[str, str]:
        """Of `launch`, which may name settings first, and `sweep`."""
        data = ["--db", "results.db", "--collectives", "barrier"]
        return (
            last_line(self.breakeven("launch", *options, status=2).stderr),
            last_line(self.breakeven("sweep", *options, *data, status=2).stderr),
        )

    def started_by_sweep(self, *options: str) -> str:
        """The command of its only job, whose only case fails."""
        case = ["--collectives", "barrier", "--algorithms", "native", "--launches", "1"]
        self.breakeven("sweep", *options, *case, *ONCE, "--db", "results.db", status=1)
        [(command,)] = self.rows("SELECT command FROM launch")
        self.database.unlink()
        return command

    def test_a_job_is_started_as_a_sweep_starts_it(self) -> None:
        """On every kind of mapping and every launcher, with nodes as full as their cores and fuller."""
        program = self.folder / "start"
        program.write_text(LAUNCHER.format(python=sys.executable))
        program.chmod(0o755)
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        layouts = {
            "seq": ([0, 0, 0, 1, 1, 1], "node[0-1] x 3"),
            "rr": ([0, 1, 0, 1], "2 times node[0-1]"),
            "blocked:2": ([0, 0, 1, 1, 0, 0, 1, 1], "2 times node[0-1] x 2"),
            "irregular:0*2.1": ([0, 0, 1], "node0 x 2, node1"),
            "irregular:0*3.1.2*2.0": ([0, 0, 0, 1, 2, 2, 0], "node0 x 3, node1, node2 x 2, node0"),
        }
        for machine in self.machines:
            words = shlex.split(self.dry_run("--machine", machine))
            [real] = [word for word in words if "mpiexec" in word]
            for launcher in LAUNCHERS[machine]:
                for mapping, (layout, places) in layouts.items():
                    options = ["--machine", machine, "--launcher", f"{launcher}={program}"]
                    options += ["--procs", str(len(layout)), "--nodes", str(max(layout) + 1)]
                    options += ["--mapping", mapping]
                    how = {**root, "LAYOUT": json.dumps(layout), "REAL_LAUNCHER": real}
                    with (
                        self.subTest(machine=machine, launcher=launcher, mapping=mapping),
                        mock.patch.dict(os.environ, how),
                    ):
                        self.check_alike(options, len(layout), places)

    def check_alike(self, options: list[str], procs: int, places: str) -> None:
        """By any launcher that can place ranks so, else neither starts a job."""
        tried = self.start("launch", *options)
        output, errors = tried.communicate()
        if tried.returncode != 0:
            self.assertIn("has no option for mapping", errors)
            self.assertEqual(self.refusals(*options), (last_line(errors),) * 2)
            return
        command, *placed = output.splitlines()
        self.assertEqual(placed, [f"  {places}"])
        self.assertEqual(command, self.started_by_sweep(*options))
        dry = self.breakeven("launch", "--dry-run", "--cores", "2", *options).stdout
        self.assertEqual([command], dry.splitlines())
        words = shlex.split(command)
        if "--tasks-per-node=3" not in words:  # flux: of all nodes
            self.assertEqual(words[words.index("-n") + 1], str(procs))

    def test_a_job_is_refused_as_a_sweep_refuses_it(self) -> None:
        machine = self.machines[0]
        for options in (
            ["--machine", "lam"],
            ["--machine", machine, "--procs", "3", "--nodes", "2"],
            ["--machine", machine, "--procs", "0"],
            ["--machine", machine, "--procs", "2,x"],
            ["--machine", machine, "--nodes", "0"],
            ["--machine", machine, "--mapping", "rr"],
            ["--machine", machine, "--mapping", "cyclic"],
            ["--machine", machine, "--procs", "6", "--nodes", "2", "--mapping", "blocked:2"],
            ["--machine", machine, "--procs", "4", "--nodes", "2", "--mapping", "irregular:0*2.1"],
            ["--machine", machine, "--procs", "3", "--nodes", "3", "--mapping", "irregular:0*2.1"],
            ["--machine", machine, "--procs", "3", "--nodes", "2", "--mapping", "irregular:1*2.0"],
            ["--machine", machine, "--launcher", "srum"],
            ["--machine", machine, "--launcher", "/no/such/mpiexec"],
            ["--machine", machine, "--launcher-args", "'x"],
            ["--machine", machine, "--worker", "/no/such/folder"],
            ["--machine", "smpi:none.xml"],
            ["--machine", "smpi:none.xml,hosts=2", "--nodes", "3"],
            ["--machine", "smpi:none.xml", "--procs", "1"],
        ):
            with self.subTest(options=options):
                launch, sweep = self.refusals(*options)
                self.assertEqual(launch, sweep)
                self.assertEqual(launch.count("\n"), 1, launch)

    def test_a_model_starts_no_jobs(self) -> None:
        self.assertIn("is a model, which starts no jobs", self.dry_run("--machine", MODEL, status=2))

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
            (["--machine", machine, "--procs", "3", "--nodes", "2"], "p = 3 asked for, which 2 nodes can't share evenly"),
            (["--machine", "lam"], "'lam'"),
        ):
            told = self.dry_run(*options, status=2)
            self.assertIn(word, told)
            self.assertEqual(told.count("\n"), 1, told)

    def test_without_dry_run_the_ranks_say_where_they_are(self) -> None:
        for machine in self.machines:
            told = self.breakeven("launch", "--machine", machine, "--procs", "1,2").stdout
            self.assertRegex(told, r"(?m)^  \S+\n")
            self.assertRegex(told, r"(?m)^  \S+ x 2(; the library shares no memory.*)?\n")


if __name__ == "__main__":
    unittest.main()
