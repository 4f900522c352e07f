# SPDX-License-Identifier: BSD-3-Clause
"""The doctor looks at every rank of a job on a real MPI library, and at this host without one."""

import json
import os
import unittest

from support import MACHINE, ProgramTest

FINDINGS = {
    "oversubscription", "noise", "load", "binding", "heterogeneity", "virtual_machine", "governor",
    "turbo", "smt", "numa", "clock", "settings", "library", "shared_memory", "memory", "huge_pages",
    "pinned_memory",
}  # fmt: skip
SEVERITIES = ["warning", "note", "ok"]


class Doctor(ProgramTest):
    def examine(self, *arguments: str) -> dict:
        """The JSON report, whose shape is checked."""
        run = self.breakeven("doctor", *arguments, "--format", "json")
        report = json.loads(run.stdout)
        self.assertEqual(report["format"], "breakeven-doctor-1")
        ranks = [SEVERITIES.index(finding["severity"]) for finding in report["findings"]]
        self.assertEqual(ranks, sorted(ranks), "the worst comes first")
        for finding in report["findings"]:
            self.assertTrue(finding["seen"], finding)
            self.assertEqual(finding["severity"] == "ok", finding["effect"] == "", finding)
        self.assertEqual(list(self.folder.iterdir()), [])
        return report

    def finding(self, report: dict, name: str) -> dict:
        [finding] = [finding for finding in report["findings"] if finding["name"] == name]
        return finding

    def test_a_rank_on_each_core(self) -> None:
        report = self.examine("--machine", MACHINE)
        self.assertEqual(report["machine"], MACHINE)
        self.assertEqual({finding["name"] for finding in report["findings"]}, FINDINGS)
        [node] = report["nodes"]
        self.assertEqual([rank["rank"] for rank in node["ranks"]], list(range(report["ranks"])))
        self.assertEqual(self.finding(report, "oversubscription")["severity"], "ok")
        self.assertEqual(self.finding(report, "binding")["severity"], "ok")
        for rank in node["ranks"]:
            self.assertGreaterEqual(rank["noise"]["window_s"], 0.2)
            self.assertGreater(rank["timer"]["cost_s"], 0)
        self.assertRegex(node["library"]["version"], "MPICH|Open MPI")
        self.assertTrue(node["library"]["variables"])
        self.assertEqual(node["host"]["kernel"], f"Linux {os.uname().release}")

    def test_more_ranks_than_cores_are_found(self) -> None:
        ranks = len(os.sched_getaffinity(0)) + 1
        report = self.examine("--machine", MACHINE, "--procs", str(ranks))
        finding = self.finding(report, "oversubscription")
        self.assertEqual(finding["severity"], "warning")
        self.assertTrue(finding["seen"].startswith(f"{ranks} ranks on "), finding["seen"])
        self.assertEqual(report["ranks"], ranks)

    def test_a_sweep_marks_what_the_doctor_finds(self) -> None:
        """With the launcher kept to one CPU, two ranks are too many for both. The last CPU, because
        launchers that bind begin at the first, whether they may or not."""
        cpus = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(cpus)})
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        for procs, severity in [(1, "ok"), (2, "warning")]:
            report = self.examine("--machine", MACHINE, "--procs", str(procs))
            self.assertEqual(self.finding(report, "oversubscription")["severity"], severity)
        self.breakeven(
            "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "1,2", "--bytes", "8",
            "--collectives", "bcast", "--algorithms", "native", "--launches", "1",
        )  # fmt: skip
        self.assertEqual(
            self.rows("SELECT procs, oversubscribed FROM launch ORDER BY procs"), [(1, 0), (2, 1)]
        )

    def test_this_host_without_mpi(self) -> None:
        report = self.examine()
        self.assertIsNone(report["machine"])
        names = {finding["name"] for finding in report["findings"]}
        self.assertEqual(names, FINDINGS - {"binding", "settings", "library"})
        text = self.breakeven("doctor", "--procs", "100").stdout
        self.assertIn("\nwarning: oversubscription\n  seen    100 ranks on ", text)

    def test_what_cant_be_done_is_refused(self) -> None:
        for arguments, words in [
            (["--machine", "lam"], "no machine 'lam'"),
            (["--machine", MACHINE, "--procs", "0"], "0 processes"),
            (["--machine", MACHINE, "--procs", "3", "--nodes", "2"], "3 processes on 2 nodes"),
            (["--machine", MACHINE, "--nodes", "2"], "2"),
            (["--machine", MACHINE, "--mapping", "zigzag"], "no mapping 'zigzag'"),
            (["--machine", MACHINE, "--launcher", "/no/such/mpiexec"], "/no/such/mpiexec"),
            (["--nodes", "2"], "--machine"),
            (["--format", "yaml"], "no format 'yaml'"),
            (["--procs", "many"], "--procs"),
        ]:
            run = self.breakeven("doctor", *arguments, status=2)
            self.assertIn(words, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)


if __name__ == "__main__":
    unittest.main()
