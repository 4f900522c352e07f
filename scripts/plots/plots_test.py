#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the plots on a small database whose winners are known. Exit status 77: no matplotlib."""
from __future__ import annotations

import contextlib
import io
import math
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: matplotlib isn't installed")
    sys.exit(77)

import algorithm_names
import clock_offsets
import command_line
import database
import fastest_map
import figure
import ratio_map

SCHEMA = (Path(__file__).resolve().parents[2] / "results" / "schema.sql").read_text()
MICRO = 1e-6


class Builder:
    """Fills a database with times in microseconds, one per launch."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path)
        self.launches: dict[tuple[int, int, int], int] = {}
        self.connection.executescript(SCHEMA)

    def machine(self, name: str, kind: str = "library", version: str = "MPICH Version:  4.0.2"):
        version = version if kind == "library" else ""
        sql = "INSERT INTO machine (name, kind, library_version, cpu) VALUES (?, ?, ?, ?)"
        return self._add(sql, name, kind, version, "a cpu")

    def measure(self, machine: int, procs: int, size: int, times: dict[str, list[float]], **case):
        """Stores `times` (algorithm, or algorithm and parameters, to one time per launch)."""
        for name, values in times.items():
            algorithm, _, params = name.partition(" ")
            case_id = self._case(machine, procs, size, algorithm, params, **case)
            for repeat, value in enumerate(values):
                self._add(
                    "INSERT INTO measurement (case_id, launch_id, repeat, samples, median_s,"
                    " low_s, high_s, warmups, invalid, stopped)"
                    " VALUES (?, ?, ?, 50, ?4, ?4, ?4, 2, 0, '')",
                    *(case_id, self._launch(machine, procs, repeat), repeat, value * MICRO),
                )
        self.connection.commit()

    def fail(self, machine: int, procs: int, size: int, algorithm: str) -> None:
        case_id = self._case(machine, procs, size, algorithm, "")
        self._add(
            "INSERT INTO measurement (case_id, launch_id, repeat, samples, failure, warmups,"
            " invalid, stopped) VALUES (?, ?, 0, 0, 'timed out', 0, 0, '')",
            *(case_id, self._launch(machine, procs, 0)),
        )
        self.connection.commit()

    def _launch(self, machine: int, procs: int, repeat: int) -> int:
        """The one launch of this repeat, which all its measurements share."""
        key = (machine, procs, repeat)
        if key not in self.launches:
            self.launches[key] = self._add_launch(machine, procs, repeat)
        return self.launches[key]

    def _add_launch(self, machine: int, procs: int, repeat: int) -> int:
        return self._add(
            "INSERT INTO launch (machine_id, procs, nodes, procs_per_node, mapping, repeat, seed,"
            " command, placement, environment, oversubscribed, sync, clock_sync,"
            " timer, run_time, outliers_dropped, started_at)"
            " VALUES (?, ?, 1, ?, 'seq', ?, 1, '', '[]', '{}', ?, '', '', '', 'local', 0, '2026-01-01')",
            *(machine, procs, procs, repeat, int(procs > 4)),
        )

    def _case(self, machine, procs, size, algorithm, params, **case) -> int:
        collective, op = case.get("collective", "allreduce"), case.get("op", "sum")
        nodes = case.get("nodes", 1)
        return self._add(
            'INSERT INTO "case" (machine_id, collective, algorithm, params, procs, nodes,'
            " procs_per_node, mapping, message_bytes, datatype, op, root, counts)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'int', ?, 0, ?)",
            *(machine, collective, algorithm, params, procs, nodes, procs // nodes),
            *(case.get("mapping", "seq"), size, op, case.get("counts", "equal")),
        )

    def _add(self, sql: str, *values) -> int:
        return self.connection.execute(sql, values).lastrowid


class PlotTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = str(self.folder / "a.png")
        self.builder = Builder(self.folder / "results.db")
        self.addCleanup(self.builder.connection.close)

    def sheets(self, machine: str | None = None, counts: str = "equal") -> list[database.Sheet]:
        connection = database.open_database(self.builder.path)
        self.addCleanup(connection.close)
        found = database.find_machine(connection, machine)
        return database.read_sheets(connection, found, None, counts)

    def winner(self, times: dict[str, list[float]], kind: str = "library") -> fastest_map.Winner:
        self.builder.measure(self.builder.machine("m", kind), 4, 8, times)
        (winner,) = fastest_map.winners(self.sheets()[0]).values()
        return winner

    def run_plot(self, plot, *options: str) -> tuple[int, str]:
        """Exit status, and all that was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            status = command_line.run("?", plot.draw, ["--db", str(self.builder.path), *options])
        return status, printed.getvalue()

    def refused(self, plot, *options: str) -> str:
        """The one line of a refusal that wrote no file."""
        before = sorted(self.folder.iterdir())
        status, printed = self.run_plot(plot, *options)
        self.assertEqual(status, 2, printed)
        self.assertEqual(printed.count("\n"), 1, printed)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return printed


class EstimateTest(PlotTest):
    def test_the_median_of_the_launches_decides_not_their_mean(self) -> None:
        winner = self.winner({"ring": [1, 1, 9], "bruck": [2, 2, 2]})
        self.assertEqual(winner.algorithm, "ring")

    def test_a_launch_that_says_otherwise_leaves_it_undecided(self) -> None:
        self.assertTrue(self.winner({"ring": [1, 2, 4], "bruck": [4, 5, 4]}).undecided)

    def test_launches_that_differ_as_a_whole_leave_none(self) -> None:
        self.assertFalse(self.winner({"ring": [1, 20, 3], "bruck": [2, 40, 6.1]}).undecided)

    def test_two_launches_of_a_library_leave_it_undecided(self) -> None:
        self.assertTrue(self.winner({"ring": [1, 1], "bruck": [9, 9]}).undecided)

    def test_significance_is_that_of_the_tables(self) -> None:
        """With the cases of stats/case_times_test.cpp."""
        slower = database.Times({1: 1.0, 2: 1.0, 3: 1.0})
        near = database.Times({1: 0.99, 2: 0.99, 3: 0.5})  # below in each, but they differ much
        apart = database.Times({1: 0.90, 2: 0.91, 3: 0.89})
        self.assertFalse(database.significantly_faster(near, slower))
        self.assertTrue(database.significantly_faster(apart, slower))
        self.assertFalse(database.significantly_faster(database.Times({1: 0.9, 2: 0.9}), slower))

    def test_the_interval_is_that_of_the_tables(self) -> None:
        values = [float(value) for value in range(1, 101)]
        self.assertEqual(database.interval(values[:1]), (1, 1))
        self.assertEqual(database.interval(values[:5]), (1, 5))
        for count, low in ((6, 1 + 5 / 14), (9, 2.227906976744187), (100, 40.7632006163401)):
            ends = database.interval(values[:count])
            self.assertAlmostEqual(ends[0], low)
            self.assertAlmostEqual(ends[1], count + 1 - low)
        self.assertEqual(database.interval([*values[:5], math.inf])[1], math.inf)

    def test_a_slow_but_scattered_third_algorithm_also_leaves_it_undecided(self) -> None:
        times = {"ring": [2, 2, 2], "bruck": [3, 3, 3], "binomial": [1, 9, 9]}
        self.assertTrue(self.winner(times).undecided)

    def test_one_launch_of_a_library_leaves_it_undecided(self) -> None:
        self.assertTrue(self.winner({"ring": [1], "bruck": [9]}).undecided)

    def test_one_launch_of_a_model_leaves_it_undecided_too(self) -> None:
        self.assertTrue(self.winner({"ring": [1], "bruck": [9]}, "model").undecided)

    def test_launches_that_are_not_shared_leave_it_undecided(self) -> None:
        machine = self.builder.machine("m")
        self.builder.measure(machine, 4, 8, {"ring": [1, 1, 1]})
        self.builder.launches.clear()  # another sweep
        self.builder.measure(machine, 4, 8, {"bruck": [9, 9, 9]})
        (winner,) = fastest_map.winners(self.sheets()[0]).values()
        self.assertTrue(winner.undecided)

    def test_no_time_at_all_is_as_fast_as_no_time_at_all(self) -> None:
        self.assertTrue(self.winner({"ring": [0, 0, 0], "bruck": [0, 0, 0]}, "model").undecided)
        self.assertEqual(database.ratio(1, 0), math.inf)

    def test_an_algorithm_without_rivals_leaves_it_undecided(self) -> None:
        self.assertTrue(self.winner({"ring": [1, 1, 1]}).undecided)

    def test_an_algorithm_stands_with_its_best_parameters(self) -> None:
        times = {"ring segment=64": [9] * 3, "ring segment=4096": [1] * 3, "bruck": [2] * 3}
        self.assertEqual(self.winner(times), fastest_map.Winner("ring", False))

    def test_a_winner_with_its_ranks_reordered_is_marked(self) -> None:
        times = {"ring reorder_ranks=seq": [1, 1, 1], "ring": [2, 2, 2], "native": [3, 3, 3]}
        self.assertEqual(self.winner(times), fastest_map.Winner("ring", False, True))

    def test_a_speedup_over_the_library_that_means_little_is_none(self) -> None:
        times = {"ring": [1, 1.001, 0.999], "native": [1.02, 1.021, 1.019]}
        self.assertEqual(self.winner(times), fastest_map.Winner("native", False))

    def test_a_speedup_over_the_library_that_launches_deny_is_none(self) -> None:
        times = {"ring": [1, 1, 1], "native": [2, 0.9, 2]}
        self.assertEqual(self.winner(times), fastest_map.Winner("native", False))

    def test_of_equals_the_one_stands_that_is_among_the_fastest_most_often(self) -> None:
        machine = self.builder.machine("m")
        native = {"native": [2, 2, 2]}
        for size, ring, bruck in ((8, 1.001, 1), (16, 1, 1.2), (32, 1, 1.001)):
            times = {"ring": [ring] * 3, "bruck": [bruck] * 3, **native}
            self.builder.measure(machine, 4, size, times)
        won = [each for _, each in sorted(fastest_map.winners(self.sheets()[0]).items())]
        expected = [("ring", True), ("ring", False), ("ring", True)]
        self.assertEqual([(each.algorithm, each.undecided) for each in won], expected)

    def test_a_failed_measurement_does_not_win(self) -> None:
        machine = self.builder.machine("m")
        self.builder.fail(machine, 4, 8, "bruck")
        self.builder.measure(machine, 4, 8, {"ring": [1, 1]})
        self.assertEqual(list(*self.sheets()[0].cells.values()), ["ring"])


class SheetTest(PlotTest):
    def test_each_problem_has_its_own_sheet(self) -> None:
        machine = self.builder.machine("m")
        self.builder.measure(machine, 4, 8, {"ring": [1]}, op="sum")
        self.builder.measure(machine, 4, 8, {"ring": [2]}, op="max")
        self.builder.measure(machine, 4, 8, {"ring": [3]}, collective="allgather", op="none")
        described = [(sheet.problem.collective, sheet.problem.op) for sheet in self.sheets()]
        expected = [("allgather", "none"), ("allreduce", "max"), ("allreduce", "sum")]
        self.assertEqual(described, expected)

    def test_times_with_other_counts_are_shown_where_they_are_asked_for_alone(self) -> None:
        machine = self.builder.machine("m")
        gatherv = {"collective": "gatherv", "op": "none"}
        self.builder.measure(machine, 4, 8, {"ring": [3]}, **gatherv)
        self.builder.measure(machine, 4, 8, {"ring": [5]}, counts="linear", **gatherv)
        (equal,) = self.sheets()
        (linear,) = self.sheets(counts="linear")
        (cell,) = equal.cells.values()
        self.assertEqual(cell["ring"].seconds, 3 * MICRO)
        (cell,) = linear.cells.values()
        self.assertEqual(cell["ring"].seconds, 5 * MICRO)
        self.assertEqual(equal.problem.describe(), "int")
        self.assertEqual(linear.problem.describe(), "int, linear counts")
        with self.assertRaisesRegex(database.UsageError, "with steep counts"):
            self.sheets(counts="steep")

    def test_more_processes_than_cores_are_starred(self) -> None:
        machine = self.builder.machine("m")
        for procs in (8, 4):
            self.builder.measure(machine, procs, 8, {"ring": [1]})
        self.assertEqual(figure.layout_texts(self.sheets()[0]), ["4", "8*"])

    def test_layouts_of_as_many_processes_are_told_apart(self) -> None:
        machine = self.builder.machine("m")
        self.builder.measure(machine, 2, 8, {"ring": [1]})
        self.builder.measure(machine, 4, 8, {"ring": [1]}, nodes=2)
        self.builder.measure(machine, 4, 8, {"ring": [1]}, nodes=2, mapping="rr")
        texts = figure.layout_texts(self.sheets()[0])
        self.assertEqual(texts, ["2", "4 (2x2 rr)", "4 (2x2 seq)"])

    def test_a_size_of_few_layouts_is_skipped_and_named(self) -> None:
        machine = self.builder.machine("m")
        for procs, sizes in ((2, (8, 64, 512)), (3, (8, 64, 512)), (4, (8, 64)), (5, (8, 40))):
            for size in sizes:
                self.builder.measure(machine, procs, size, {"ring": [1]})
        (sheet,) = self.sheets()
        self.assertEqual((sheet.sizes, sheet.skipped), ([8, 64], [40, 512]))

    def test_sizes_of_which_none_is_common_all_stay(self) -> None:
        machine = self.builder.machine("m")
        for procs in (2, 3):
            self.builder.measure(machine, procs, 8 * procs, {"ring": [1]})
        self.assertEqual(self.sheets()[0].sizes, [16, 24])

    def test_sizes_read_as_people_write_them(self) -> None:
        texts = [figure.size_text(size) for size in (8, 1000, 1024, 3 << 19, 1 << 20, 1 << 31)]
        self.assertEqual(texts, ["8 B", "1000 B", "1 KiB", "1536 KiB", "1 MiB", "2 GiB"])


class RatioTest(PlotTest):
    def test_the_ratio_is_native_over_the_best_algorithm(self) -> None:
        times = {"native": [6, 6, 6], "ring": [3, 3, 3], "bruck": [4, 4, 4]}
        self.builder.measure(self.builder.machine("m"), 4, 8, times)
        (ratio,) = ratio_map.ratios(self.sheets()[0]).values()
        self.assertEqual((round(ratio.value, 9), ratio.undecided), (2, False))

    def test_where_the_library_is_better_the_ratio_is_below_one(self) -> None:
        times = {"native": [2, 2], "ring": [4, 4]}
        self.builder.measure(self.builder.machine("m"), 4, 8, times)
        (ratio,) = ratio_map.ratios(self.sheets()[0]).values()
        self.assertEqual(ratio.value, 0.5)

    def test_a_cell_without_native_has_no_ratio(self) -> None:
        machine = self.builder.machine("m")
        self.builder.measure(machine, 4, 8, {"native": [6], "ring": [3]})
        self.builder.measure(machine, 4, 16, {"bruck": [6], "ring": [3]})
        sizes = [size for _, size in ratio_map.ratios(self.sheets()[0])]
        self.assertEqual(sizes, [8])

    def test_a_bound_belongs_to_the_class_above_it(self) -> None:
        texts = ratio_map.class_texts()
        self.assertEqual(len(texts), len(ratio_map.COLOURS))
        for ratio, text in (
            (0.69, "below 0.7"),
            (0.7, "0.7 to 0.9"),
            (1, "0.9 to 1.1"),
            (1.1, "1.1 to 1.5"),
            (99, "50 to 100"),
            (100, "from 100"),
        ):
            self.assertEqual(texts[ratio_map.ratio_class(ratio)], text)


class LookTest(unittest.TestCase):
    def test_no_two_algorithms_share_letters(self) -> None:
        names = ["binary_blocks", "binary_bruck", "binomial", "bits", "native", "ring"]
        short = list(algorithm_names.abbreviations(names).values())
        self.assertEqual(short, ["BiBl", "BiBr", "Bin", "Bit", "Na", "Ri"])

    def test_a_map_of_all_that_a_library_has_repeats_no_colour(self) -> None:
        chosen = fastest_map.colours(["native", *(f"openmpi:{number}" for number in range(20))])
        self.assertEqual(len(set(chosen.values())), 21)

    def test_a_librarys_own_algorithms_have_small_letters_of_their_own(self) -> None:
        names = ["openmpi:recursive_doubling", "openmpi:ring", "openmpi:two_proc", "ring"]
        short = list(algorithm_names.abbreviations(names).values())
        self.assertEqual(short, ["rd", "ri", "tp", "Ri"])

    def test_the_key_names_algorithms(self) -> None:
        names = ("openmpi:ring", "halving_doubling")
        words = [algorithm_names.display_name(name) for name in names]
        self.assertEqual(words, ["Open MPI ring", "halving doubling"])

    def test_an_unknown_algorithm_gets_a_colour_that_the_map_leaves_over(self) -> None:
        chosen = fastest_map.colours(["native", "one_of_mine", "ring", "yet_another"])
        self.assertEqual(chosen["ring"], fastest_map.COLOURS["ring"])
        self.assertEqual(len(set(chosen.values())), 4)


class FileTest(PlotTest):
    def setUp(self) -> None:
        super().setUp()
        self.machine = self.builder.machine("mpich")
        self.builder.measure(self.machine, 4, 8, {"native": [6, 7], "ring": [3, 3]})

    def test_every_format_is_written_and_named(self) -> None:
        for plot in (fastest_map, ratio_map):
            for name, begin in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
                out = self.folder / name
                self.assertEqual(self.run_plot(plot, "--out", str(out)), (0, f"{out}\n"))
                self.assertTrue(out.read_bytes().startswith(begin))
        self.assertEqual(len(list(self.folder.iterdir())), 4)

    def test_reading_changes_nothing(self) -> None:
        before = self.builder.path.read_bytes()
        self.run_plot(fastest_map, "--out", self.out)
        self.assertEqual(self.builder.path.read_bytes(), before)

    def test_an_unknown_format_is_refused(self) -> None:
        self.assertIn("png, svg, pdf", self.refused(fastest_map, "--out", self.out + ".gif"))

    def test_a_missing_folder_is_refused(self) -> None:
        out = str(self.folder / "missing" / "a.png")
        self.assertIn(f"can't write '{out}'", self.refused(fastest_map, "--out", out))

    def test_a_missing_option_is_refused_in_one_line(self) -> None:
        self.assertIn("--out", self.refused(fastest_map))

    def test_an_unknown_collective_is_refused_with_the_known(self) -> None:
        line = self.refused(fastest_map, "--collective", "scan", "--out", self.out)
        self.assertIn("'scan'", line)
        self.assertIn("there are: allreduce", line)

    def test_an_unknown_machine_is_refused_with_the_known(self) -> None:
        line = self.refused(fastest_map, "--machine", "openmpi", "--out", self.out)
        self.assertIn("fits none", line)
        self.assertIn("mpich (MPICH Version:  4.0.2 on a cpu)", line)

    def test_several_machines_ask_for_a_choice(self) -> None:
        other = self.builder.machine("mpich", version="MPICH Version: 4.1")
        self.builder.measure(other, 4, 8, {"ring": [1]})
        self.assertIn("no --machine fits several", self.refused(fastest_map, "--out", self.out))
        options = ("--machine", "mpich", "--out", self.out)
        self.assertIn("'mpich' fits several", self.refused(fastest_map, *options))
        options = ("--machine", "mpich (MPICH Version: 4.1 on a cpu)", "--out", self.out)
        self.assertEqual(self.run_plot(fastest_map, *options)[0], 0)

    def test_a_part_of_a_name_is_not_the_name(self) -> None:
        for name in ("postal:alpha=1", "postal:alpha=1e-06"):
            self.builder.measure(self.builder.machine(name, "model"), 4, 8, {"ring": [1]})
        self.assertEqual(self.sheets("postal:alpha=1")[0].machine.name, "postal:alpha=1")

    def test_what_can_not_be_written_leaves_no_partial_file(self) -> None:
        Path(self.out).mkdir()
        self.assertIn("Is a directory", self.refused(fastest_map, "--out", self.out))

    def test_a_model_has_no_ratio_map(self) -> None:
        model = self.builder.machine("postal:alpha=1e-06", kind="model")
        self.builder.measure(model, 4, 8, {"ring": [1]})
        line = self.refused(ratio_map, "--machine", "postal:alpha=1e-06", "--out", self.out)
        self.assertIn("a model has none", line)


class DatabaseRefusalTest(PlotTest):
    def refused_database(self) -> str:
        return self.refused(fastest_map, "--out", self.out)

    def test_this_reader_knows_the_schema_of_the_project(self) -> None:
        self.builder.machine("m")
        connection = database.open_database(self.builder.path)
        connection.close()

    def test_an_empty_database_is_refused(self) -> None:
        self.assertIn("holds no machine", self.refused_database())

    def test_a_missing_file_is_refused_and_not_made(self) -> None:
        self.builder.path.unlink()
        self.assertIn("no database", self.refused_database())

    def test_a_file_that_is_not_sqlite_is_refused(self) -> None:
        self.builder.path.write_text("hello\n" * 1000)
        self.assertIn("can't be read as an SQLite database", self.refused_database())

    def test_another_programs_database_is_refused(self) -> None:
        self.builder.connection.execute("PRAGMA application_id = 7")
        self.assertIn("not one of breakeven's", self.refused_database())

    def test_another_schema_is_refused(self) -> None:
        known = database.SCHEMA_VERSION
        for version in (known - 1, known + 1):
            self.builder.connection.execute(f"PRAGMA user_version = {version}")
            words = f"schema version {version}, but this program reads version {known} alone"
            self.assertIn(words, self.refused_database())


class ClockOffsets(unittest.TestCase):
    """The picture of what `breakeven clocks --csv` writes."""

    NAMES = "clock,synchronised_in_s,rank,elapsed_s,offset_s,round_trip_s,truth_s"

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.csv = Path(folder.name) / "clocks.csv"
        self.out = Path(folder.name) / "clocks.png"

    def write(self, *rows: str) -> None:
        self.csv.write_text("\n".join([self.NAMES, *rows]) + "\n")

    def refusal(self, out: Path) -> str:
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            status = clock_offsets.run(["--csv", str(self.csv), "--out", str(out)])
        self.assertEqual(status, 2)
        self.assertFalse(out.exists())
        return errors.getvalue()

    def test_median_and_worst_rank_by_time(self) -> None:
        self.write(
            *("hca3,0.2,1,0,1e-7,1e-6,", "hca3,0.2,2,0,-3e-7,1e-6,"),
            *("hca3,0.2,1,5,-2e-7,1e-6,", "hca3,0.2,2,5,4e-7,1e-6,"),
        )
        figure = clock_offsets.draw(clock_offsets.read_clocks(self.csv))
        self.assertEqual(len(figure.axes), 1)  # there is no truth to draw
        line, uncertainty = figure.axes[0].get_lines()
        self.assertEqual(list(line.get_xdata()), [0, 5])
        self.assertEqual([f"{each:.1e}" for each in line.get_ydata()], ["2.0e-07", "3.0e-07"])
        self.assertEqual(uncertainty.get_ydata()[0], 5e-7)
        (band,) = figure.axes[0].collections
        self.assertEqual(f"{band.get_paths()[0].vertices[:, 1].max():.1e}", "4.0e-07")

    def test_truth_has_a_panel_where_it_is_known(self) -> None:
        self.write("jk,0.2,1,0,1e-7,1e-6,0", "none,0,1,0,-1.5,1e-6,-1.5")
        figure = clock_offsets.draw(clock_offsets.read_clocks(self.csv))
        self.assertEqual(len(figure.axes), 2)
        jk, none = figure.axes[1].get_lines()
        self.assertEqual((jk.get_ydata()[0], none.get_ydata()[0]), (clock_offsets.LEAST, 1.5))

    def test_refuses_in_words(self) -> None:
        self.assertIn("No such file", self.refusal(self.out))
        self.write()
        self.assertIn("holds no offsets", self.refusal(self.out))
        self.write("hca3,0.2,1,soon,1e-7,1e-6,")
        self.assertIn("isn't from `breakeven clocks --csv`", self.refusal(self.out))
        self.assertIn("known are png", self.refusal(self.out.with_suffix(".gif")))

    def test_durations_are_short(self) -> None:
        texts = [clock_offsets.time_text(each) for each in (1e-9, 2e-5, 0.003, 10)]
        self.assertEqual(texts, ["1 ns", "20 us", "3 ms", "10 s"])


if __name__ == "__main__":
    unittest.main()
