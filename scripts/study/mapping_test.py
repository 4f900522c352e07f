#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the mapping study on databases whose ratios are known. Status 77: no matplotlib."""
from __future__ import annotations

import contextlib
import io
import shlex
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: matplotlib isn't installed")
    sys.exit(77)

import mapping  # finds the plots' modules for all others
import cluster_sweeps
import mapping_data
import mapping_figure
import mapping_table
from builder import Builder
from cells import UsageError
from mapping_data import HIERARCHICAL, RR, SEQ, STAR

KIB, MIB = 1 << 10, 1 << 20


class StudyTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.builder = Builder(self.folder / "results.db")
        self.addCleanup(self.builder.connection.close)

    def measure(self, size: int, nodes: int = 2, each: int = 2, machine="mpich", **times) -> None:
        """Stores microseconds by launch: `seq` of ring, `rr`, `star` and `hierarchical`."""
        names = {"seq": "ring", "rr": "ring", "star": "ring reorder_ranks=seq"}
        row = self.builder.connection.execute("SELECT id FROM machine WHERE name = ?", (machine,))
        found = row.fetchone()
        id_ = found[0] if found else self.builder.machine(machine)
        for name, values in times.items():
            mapping_name = "seq" if name == "seq" else "rr"
            where = {"nodes": nodes, "mapping": mapping_name}
            self.builder.measure(id_, nodes * each, size, {names.get(name, name): values}, **where)

    def panels(self) -> list[mapping_data.Panel]:
        return mapping_data.read_panels([self.builder.path], mapping.short_name)

    def main(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, what was printed and what was complained of."""
        printed, told = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(told):
            status = mapping.main([*arguments, "--out", str(self.folder)])
        return status, printed.getvalue(), told.getvalue()


class DataTest(StudyTest):
    def test_ratios_pair_the_launches_of_a_repeat(self) -> None:
        self.measure(KIB, seq=[1, 2, 4], rr=[2, 4, 8])
        (panel,) = self.panels()
        self.assertEqual(panel.ratio(RR, SEQ, KIB), mapping_data.Estimate(2, 2, 2, 3))
        self.assertIsNone(panel.ratio(STAR, SEQ, KIB))

    def test_a_repeat_without_its_partner_does_not_count(self) -> None:
        self.measure(KIB, seq=[1, 1], rr=[2, 3, 100])
        (panel,) = self.panels()
        self.assertEqual(panel.ratios(RR, SEQ, KIB), {0: 2, 1: 3})

    def test_bandwidth_is_the_message_over_the_time(self) -> None:
        self.measure(MIB, seq=[1000])
        (panel,) = self.panels()
        self.assertAlmostEqual(panel.bandwidth(SEQ, MIB).value, MIB / 1e-3)

    def test_means_over_sizes_are_geometric_and_by_repeat(self) -> None:
        self.measure(KIB, seq=[1, 1], rr=[2, 4])
        self.measure(MIB, seq=[1, 1], rr=[8, 4])
        (panel,) = self.panels()
        mean = panel.mean_ratio(RR, SEQ, panel.sizes)
        self.assertAlmostEqual(mean.low, 4)
        self.assertAlmostEqual(mean.high, 4)

    def test_simulated_machines_of_both_mappings_share_a_panel(self) -> None:
        self.measure(KIB, machine="smpi:some/fat_tree.xml,hosts=8,mapping=seq", seq=[1])
        self.measure(KIB, machine="smpi:some/fat_tree.xml,hosts=8,mapping=rr", rr=[3])
        (panel,) = self.panels()
        self.assertEqual(panel.place, mapping_data.Place("SMPI fat_tree", 2, 2))
        self.assertEqual(panel.ratio(RR, SEQ, KIB).value, 3)

    def test_other_algorithms_collectives_and_failures_are_passed_over(self) -> None:
        self.measure(KIB, seq=[1])
        self.builder.measure(1, 4, KIB, {"native": [7], "ring segments=2": [9]}, nodes=2)
        self.builder.measure(1, 4, KIB, {"ring": [7]}, nodes=2, collective="allgather", op="none")
        self.builder.fail(1, 4, 2 * KIB, "ring")
        (panel,) = self.panels()
        found = {curve: dict(series) for curve, series in panel.series.items()}
        self.assertEqual(found, {SEQ: {KIB: {0: 1e-6}}})

    def test_what_can_not_be_put_together_is_refused(self) -> None:
        with self.assertRaisesRegex(UsageError, "holds an allreduce by ring"):
            self.panels()
        self.measure(KIB, seq=[1])
        with self.assertRaisesRegex(UsageError, "measures mpich again"):
            mapping_data.read_panels([self.builder.path] * 2)
        self.builder.measure(1, 4, KIB, {"ring": [7]}, nodes=2, op="max")
        with self.assertRaisesRegex(UsageError, "several datatypes or operations"):
            self.panels()


class PictureTest(StudyTest):
    def fill(self) -> None:
        for nodes in (2, 4):
            for size in (8 * KIB, MIB):
                times = {"seq": [10, 11], "rr": [20, 22], "star": [10, 11]}
                self.measure(size, nodes, **times, hierarchical=[30, 33])
        self.measure(MIB, 4, 8, seq=[10], rr=[80])

    def test_a_panel_for_each_number_of_nodes_and_a_line_for_each_curve(self) -> None:
        self.fill()
        panels = self.panels()
        figure = mapping_figure.draw_bandwidths(panels, mapping.usual_procs_per_node(panels))
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        self.assertEqual(titles, ["mpich, M = 2, Q = 2", "mpich, M = 4, Q = 2"])
        labels = figure.axes[0].get_legend_handles_labels()[1]
        self.assertEqual(labels, [curve.label for curve in (SEQ, RR, STAR, HIERARCHICAL)])

    def test_growth_is_of_the_sizes_that_all_have(self) -> None:
        self.fill()
        growth = mapping_figure.growing_nodes(self.panels())
        self.assertEqual([panel.place.procs_per_node for panel in growth["mpich"]], [2, 8])
        figure = mapping_figure.draw_growth(growth)
        line = figure.axes[0].get_lines()[0]
        self.assertEqual([round(value, 9) for value in line.get_ydata()], [2, 8])

    def test_the_table_has_intervals_and_a_mean(self) -> None:
        self.fill()
        lines = mapping_table.table(self.panels()[0]).splitlines()
        self.assertEqual(lines[0], "**mpich, 2 nodes x 2**")
        self.assertIn("| 8 KiB | 0.0105 | 2.00 (2.00 to 2.00) | 1.00 (1.00", lines[4])
        self.assertIn("| all |  | 2.00 (2.00 to 2.00) |", lines[-1])

    def test_pictures_and_table_of_given_databases(self) -> None:
        self.fill()
        status, printed, _ = self.main("--db", str(self.builder.path))
        self.assertEqual((status, printed.count("**mpich")), (0, 3))
        for name in ("mapping_bandwidth.png", "mapping_growth.png"):
            self.assertGreater((self.folder / name).stat().st_size, 5000)


    def test_a_document_gets_the_ratios_in_their_place(self) -> None:
        self.fill()
        doc = self.folder / "doc.md"
        doc.write_text("before\n<!-- ratios: old -->\nold\n<!-- end of ratios -->\nafter\n")
        for _ in range(2):  # the second time in the place of the first
            status, printed, _ = self.main("--db", str(self.builder.path), "--doc", str(doc))
            self.assertEqual((status, printed), (0, ""))
        lines = doc.read_text().splitlines()
        self.assertEqual((lines[0], lines[-1], lines[3]), ("before", "after", "**mpich, 2 nodes x 2**"))
        self.assertNotIn("old", lines)
        doc.write_text("a document\n")
        status, _, told = self.main("--db", str(self.builder.path), "--doc", str(doc))
        self.assertEqual((status, told.count("\n"), doc.read_text()), (2, 1, "a document\n"))


class SweepsTest(StudyTest):
    def pretend(self, script: str) -> Path:
        """Lets a script stand for the emulated cluster; it is given its whole command line."""
        program = self.folder / "cluster"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        before = cluster_sweeps.CLUSTER
        self.addCleanup(setattr, cluster_sweeps, "CLUSTER", before)
        cluster_sweeps.CLUSTER = program
        return program

    def measuring(self, *options: str) -> tuple[int, str, str]:
        breakeven = ["--breakeven", "/bin/true", "--data", str(self.folder)]
        return self.main(*breakeven, "--nodes", "2,4", "--growth", "1", "--launches", "2", *options)

    def test_mappings_take_turns_and_launches_come_one_by_one(self) -> None:
        self.measure(KIB, seq=[1])
        log = self.folder / "log"
        self.pretend(f'echo "$@" >> {shlex.quote(str(log))}')
        self.assertEqual(self.measuring()[0], 0)
        lines = log.read_text().splitlines()
        self.assertEqual(len(lines), 2 * 3 * 2 * 2)  # launches, layouts, libraries, mappings

        def values(option: str) -> list[str]:
            words = [line.split() for line in lines]
            return [each[len(each) - each[::-1].index(option)] for each in words]

        self.assertEqual(values("--mapping"), ["seq", "rr"] * 6 + ["rr", "seq"] * 6)
        self.assertEqual(values("--launches"), ["1"] * 12 + ["2"] * 12)
        self.assertEqual(values("--machine")[:4], ["mpich", "mpich", "openmpi", "openmpi"])
        self.assertEqual(values("--procs")[:12:4], ["4", "8", "4"])
        self.assertIn("run --nodes 4 --rate 100mbit --", lines[4])

    def test_failed_cases_are_told_by_the_exit_status(self) -> None:
        self.measure(KIB, seq=[1])
        self.pretend("exit 1")
        self.assertEqual(self.measuring()[0], 1)

    def test_what_ends_a_sweep_ends_the_study_in_words(self) -> None:
        self.pretend("echo first; echo not here >&2; exit 77")
        status, printed, told = self.measuring()
        self.assertEqual((status, printed), (2, ""))
        self.assertIn("mpich, 2 x 2, seq: exit status 77: not here", told.splitlines()[-1])

    def test_bad_requests_get_one_line(self) -> None:
        for options, words in [
            (("--nodes", "2,x"), "--nodes '2,x'"),
            (("--nodes", "1"), "--nodes '1'"),
            (("--libraries", "mpich,lam"), "'lam'"),
            (("--launches", "0"), "--launches"),
            (("--breakeven", "/no/such"), "'/no/such' is no program"),
            (("--case-budget-s", "long"), "--case-budget-s"),
        ]:
            status, printed, told = self.measuring(*options)
            self.assertEqual((status, printed, told.count("\n")), (2, "", 1), told)
            self.assertIn(words, told)

    def test_nothing_to_draw_is_refused(self) -> None:
        status, _, told = self.main()
        self.assertEqual((status, told.count("\n")), (2, 1))
        self.assertIn("no database to draw", told)


if __name__ == "__main__":
    unittest.main()
