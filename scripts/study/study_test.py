#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the study on recorded outputs and a pretended launcher. Status 77: no matplotlib."""
from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
import unittest
from pathlib import Path

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: matplotlib isn't installed")
    sys.exit(77)

import spread  # finds the plots' modules for all others
from builder import Builder
import runs
import summary
from bounded import run_bounded
from cells import UsageError
from tools import Breakeven, Figure, Imb, Mpi, Osu, Repro, ToolError

OSU = """
# OSU MPI Allreduce Latency Test v7.4
# Datatype: MPI_FLOAT.
# Size       Avg Latency(us)
8                      15.44
"""
IMB = """
#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 2
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
      1048576          300      8066.24      8847.40      8456.82
      1048576          300      2794.08      2909.65      2851.87

# All processes entering MPI_Finalize
"""
REPRO = """
#@nrep=20000
                                              test        count total_nrep valid_nrep     median_sec
                                     MPI_Allreduce            2      20000      20000   0.0000010720
# Benchmark started at Sat Nov 21 12:10:02 2026
# Execution time: 1s
"""
MPICH = Mpi("mpich", "mpiexec.mpich", 2)


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class ToolTest(FolderTest):
    def seconds(self, tool, size: int, output: str) -> float:
        return tool(Path("tool")).figure(size, output, self.folder).seconds

    def test_osu_prints_microseconds(self) -> None:
        self.assertAlmostEqual(self.seconds(Osu, 8, OSU), 15.44e-6)

    def test_imb_prints_the_mean_last_and_a_line_per_length(self) -> None:
        self.assertAlmostEqual(self.seconds(Imb, 1 << 20, IMB), (8456.82 + 2851.87) / 2 * 1e-6)

    def test_repro_prints_seconds_and_counts_elements(self) -> None:
        self.assertAlmostEqual(self.seconds(Repro, 8, REPRO), 1.072e-6)

    def test_a_row_of_another_size_is_no_figure(self) -> None:
        for tool, output in ((Osu, OSU), (Imb, IMB), (Repro, REPRO)):
            with self.assertRaises(ToolError):
                self.seconds(tool, 16, output)

    def test_no_valid_sample_is_no_figure(self) -> None:
        none = REPRO.replace("20000      20000 ", "20000          0 ")
        with self.assertRaises(ToolError):
            self.seconds(Repro, 8, none)
        with self.assertRaises(ToolError):
            self.seconds(Osu, 8, OSU.replace("15.44", "0.00"))

    def test_breakeven_keeps_medians_of_launches(self) -> None:
        builder = Builder(self.folder / "results.db")
        machine = builder.machine("mpich")
        builder.measure(machine, 2, 8, {"native": [4, 1, 3, 2]})
        builder.fail(machine, 2, 16, "native")
        builder.connection.close()
        figure = Breakeven(Path("tool")).figure(8, "", self.folder)
        for found, expected in zip(vars(figure).values(), (2.5e-6, 1e-6, 4e-6), strict=True):
            self.assertAlmostEqual(found, expected)

    def test_no_database_is_no_figure(self) -> None:
        with self.assertRaises(ToolError):
            Breakeven(Path("tool")).figure(8, "", self.folder)

    def test_imb_takes_lines_for_more_bytes_than_it_counts(self) -> None:
        for repetitions, lines, each in ((2047, 1, "2047,2047"), (5000, 3, "1667,2047")):
            command = Imb(Path("tool")).command(MPICH, 1 << 20, repetitions, self.folder)
            lengths = (self.folder / "lengths").read_text()
            self.assertEqual((lengths, each in command), ("1048576\n" * lines, True))

    def test_each_launcher_binds_to_cores(self) -> None:
        self.assertEqual(MPICH.start()[1:], ["-bind-to", "core", "-n", "2"])
        openmpi = Mpi("openmpi", "mpiexec.openmpi", 3).start()
        self.assertEqual(openmpi[1:], ["--bind-to", "core", "-n", "3"])


class AmountTest(unittest.TestCase):
    def test_a_run_fills_the_budget(self) -> None:
        amount = runs.amount_that_fills(10, 1e8, 4, lambda amount: 0.5 + amount * 2e-6)
        self.assertAlmostEqual(0.5 + amount * 2e-6, 4, places=4)

    def test_where_the_start_alone_takes_longer_the_least_is_measured(self) -> None:
        self.assertEqual(runs.amount_that_fills(10, 1e8, 4, lambda amount: 5 + amount * 2e-6), 10)

    def test_an_amount_that_changes_nothing_is_the_most(self) -> None:
        self.assertEqual(runs.amount_that_fills(10, 1000, 4, lambda _: 1), 1000)


class RunTest(FolderTest):
    def test_a_run_that_hangs_is_ended(self) -> None:
        begin = time.monotonic()
        with self.assertRaisesRegex(ToolError, "not over after 0.2 s"):
            run_bounded(["sh", "-c", "sleep 50; :"], {"PATH": "/bin:/usr/bin"}, 0.2)
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_failure_says_its_last_line(self) -> None:
        with self.assertRaisesRegex(ToolError, "exit status 3: no such thing"):
            run_bounded(["sh", "-c", "echo no such thing; exit 3"], {}, 10)

    def test_a_line_that_was_being_written_is_forgotten(self) -> None:
        path = self.folder / "runs.jsonl"
        path.write_text('{"run": 0}\n{"run": 1')
        journal = runs.Journal(path)
        journal.append({"run": 2})
        self.assertEqual(path.read_text(), '{"run": 0}\n{"run": 2}\n')
        self.assertEqual(journal.find({"run": 2}), {"run": 2})
        self.assertIsNone(journal.find({"run": 1}))

    def test_tools_alternate_in_an_order_of_the_seed(self) -> None:
        tools = [Osu(Path("a")), Imb(Path("b")), Repro(Path("c"))]
        journal = runs.Journal(self.folder / "runs.jsonl")
        study = runs.Study(MPICH, tools, [8, 16, 32, 64], 10, 1, 1, journal)
        orders = [study.order(run) for run in range(10)]
        self.assertEqual(orders, [study.order(run) for run in range(10)])
        self.assertGreater(len({str(order) for order in orders}), 1)
        for order in orders:
            for first in range(0, 12, 3):  # all tools at one size, then at the next
                at_a_size = order[first : first + 3]
                self.assertEqual({tool for tool, _ in at_a_size}, set(tools))
                self.assertEqual(len({size for _, size in at_a_size}), 1)


class SummaryTest(unittest.TestCase):
    def row(self, figures: list[Figure]) -> summary.Row:
        return summary.Row("mpich", 8, "Breakeven", figures, [1, 2, 6], 0, [])

    def test_quartiles_are_over_the_median(self) -> None:
        row = self.row([Figure(each) for each in (1, 2, 3, 4, 10)])
        self.assertEqual((row.median_s, row.iqr), (3, 2 / 3))
        self.assertIsNone(self.row([Figure(1)]).iqr)

    def test_an_interval_counts_where_it_holds_the_median_of_all_runs(self) -> None:
        figures = [Figure(1, 0.9, 1.1), Figure(2, 1.5, 2), Figure(4, 2, 5), Figure(2, 2.1, 3)]
        self.assertEqual(self.row(figures).covered, 2)
        self.assertIsNone(self.row([Figure(1)]).covered)

    def test_the_table_tells_failures_from_runs(self) -> None:
        what = {"library": "mpich", "bytes": 1024, "tool": "OSU"}
        figure = {"low_s": None, "high_s": None, "wall_s": 4}
        figure = {**figure, "kind": "run"}
        lines = [{**what, **figure, "run": s, "seconds": s * 1e-6} for s in (1, 2, 3)]
        lines += [{**what, "kind": "amount", "amount": 7}, {**what, "kind": "failure"}]
        row = summary.table(summary.rows(lines)).splitlines()[2]
        self.assertEqual(row, "| mpich | 1 KiB | OSU | 3, 1 failed | 2 | 50.0% |  |  | 4.0 |")


    def test_what_all_tools_of_a_pass_share_is_taken_out(self) -> None:
        machine = (1.0, 1.5, 0.8, 2.0)  # how fast it was in each pass
        own = {"OSU": (1, 1, 1, 1), "IMB": (7, 7, 7, 7), "Breakeven": (2, 2, 2, 4)}
        lines = [
            {"kind": "run", "library": "mpich", "bytes": 8, "tool": tool, "run": run}
            | {"seconds": each * machine[run], "low_s": None, "high_s": None, "wall_s": 4}
            for tool, figures in own.items()
            for run, each in enumerate(figures)
        ]
        found = {row.tool: row for row in summary.rows(lines)}
        self.assertAlmostEqual(found["OSU"].iqr, 0.54)
        self.assertAlmostEqual(found["OSU"].iqr_beside, found["IMB"].iqr_beside)
        ratios = [each / found["Breakeven"].besides[0] for each in found["Breakeven"].besides]
        for ratio, expected in zip(ratios, (1, 1, 1, 2), strict=True):
            self.assertAlmostEqual(ratio, expected)


class StudyTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.broken = self.folder / "broken"  # once it is there, the launcher fails

    def study(self, *options: str) -> tuple[int, str]:
        """Exit status and messages of a study with a launcher that takes no time to measure."""
        launcher = self.folder / "mpiexec"
        launcher.write_text(f"#!/bin/sh\n[ ! -e {self.broken} ] && cat <<'END'\n{OSU}\nEND\n")
        launcher.chmod(0o755)
        program = ["--library", "mpich", "--launcher", str(launcher), "--osu", str(launcher)]
        program += ["--bytes", "8", "--budget-s", "0.5", "--out", str(self.folder / "out")]
        told = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
            status = spread.main([*program, *options])
        return status, told.getvalue()

    def runs_done(self) -> list[int]:
        lines = (self.folder / "out" / "runs.jsonl").read_text().splitlines()
        return [line["run"] for line in map(json.loads, lines) if line["kind"] == "run"]

    def test_a_study_goes_on_where_it_stopped(self) -> None:
        self.assertEqual(self.study("--runs", "2")[0], 0)
        status, told = self.study("--runs", "3")
        self.assertEqual((status, told.count("run ")), (0, 1))
        self.assertEqual(self.runs_done(), [0, 1, 2])
        self.assertIn("| 15.44 | 0.0% |", (self.folder / "out" / "spread.md").read_text())
        self.assertTrue((self.folder / "out" / "spread.png").stat().st_size > 1000)

    def test_a_run_that_failed_is_done_again(self) -> None:
        self.study("--runs", "1")
        self.broken.touch()
        status, told = self.study("--runs", "2")
        self.assertEqual((status, "failed: exit status 1" in told), (1, True))
        self.broken.unlink()
        self.assertEqual((self.study("--runs", "2")[0], self.runs_done()), (0, [0, 1]))

    def test_a_tool_that_can_not_run_is_named(self) -> None:
        self.broken.touch()
        status, told = self.study("--runs", "1")
        self.assertEqual((status, told.count("\n")), (2, 1))
        self.assertIn("OSU can't run at 8 B", told)

    def test_another_budget_is_another_study(self) -> None:
        self.study("--runs", "1")
        status, told = self.study("--runs", "1", "--budget-s", "0.25")
        self.assertEqual((status, told.count("\n")), (2, 1))
        self.assertIn("budget_s 0.5", told)

    def test_a_bad_request_is_refused_in_one_line(self) -> None:
        for options in (["--bytes", "8,3K2"], ["--bytes", "6"], ["--procs", "1"], ["--runs", "0"]):
            status, told = self.study(*options)
            self.assertEqual((status, told.count("\n"), options[0] in told), (2, 1, True))
        self.assertFalse((self.folder / "out").exists())

    def test_sizes_read_as_the_sweep_reads_them(self) -> None:
        self.assertEqual([spread.size_of(text) for text in ("8", "1K", "2M")], [8, 1024, 2 << 20])
        with self.assertRaises(UsageError):
            spread.size_of("")


if __name__ == "__main__":
    unittest.main()
