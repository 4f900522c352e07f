#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the plots on cells whose choices are known. Exit status 77: no matplotlib."""
from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: matplotlib isn't installed")
    sys.exit(77)

import algorithm_names
import cells
import clock_offsets
import command_line
import curves
import fastest_map
import figure
import guideline_times
import predicted_map
import profile_gains
import ratio_map
import spread

MACHINE = {"name": "m", "kind": "library", "library_version": "MPICH Version:  4.0.2", "cpu": "a cpu",
           "settings": "none"}  # fmt: skip


def cell(procs: int = 4, size: int = 8, **changed) -> dict:
    """What the program says of a cell: ring, twice as fast as native."""
    return {
        **{"collective": "allreduce", "datatype": "int", "op": "sum", "root": 0, "counts": "equal"},
        **{"procs": procs, "nodes": 1, "procs_per_node": procs, "mapping": "seq"},
        **{"message_bytes": size, "oversubscribed": procs > 4},
        **{"least_launches": 3, "most_launches": 10, "measured": ["bruck", "native", "ring"]},
        **{"algorithm": "ring", "params": "", "certainty": "decided"},
        "best_ratio": {"ratio": 2.0, "low": 1.9, "high": 2.1},
        **changed,
    }


def sheets(*all_cells: dict, machine: dict | None = None) -> list[cells.Sheet]:
    return cells.read_sheets(text_of(*all_cells, machine=machine))


def text_of(*all_cells: dict, machine: dict | None = None) -> str:
    return json.dumps({"machine": {**MACHINE, **(machine or {})}, "cells": all_cells})


def prediction(*cells: tuple[int, int, dict[str, float]], **changed) -> str:
    """What `breakeven predict` says of cells: processes, bytes, times by algorithm."""
    of_cell = {"extrapolated": False, "certainty": None, "left_out": [], **changed}
    return json.dumps(
        {
            **{"collective": "allreduce", "machine": "postal:alpha=1e-6", "model_error": None},
            "cells": [
                {
                    **{"procs": procs, "message_bytes": size, **of_cell},
                    "times": [
                        {"algorithm": name, "params": "", "time_s": time, "basis": "simulated"}
                        for name, time in sorted(times.items(), key=lambda each: each[1])
                    ],
                }
                for procs, size, times in cells
            ],
        }
    )


class PredictedMapTest(unittest.TestCase):
    QUICK = {"ring": 2.0, "recursive_doubling": 1.0}
    SLOW = {"ring": 1.0, "recursive_doubling": 4.0}

    def corner(self, **changed) -> predicted_map.Map:
        """Recursive doubling but for long messages among few processes."""
        cells = [(p, size, self.SLOW if (p, size) == (2, 64) else self.QUICK) for p in (2, 4) for size in (8, 64)]
        return predicted_map.read_map(prediction(*cells, **changed))

    def test_the_fastest_has_the_area(self) -> None:
        found = self.corner()
        grid = [[found.look(found.cells[p, size]) for size in found.sizes] for p in found.procs]
        self.assertEqual(grid, [["recursive_doubling", "ring"], ["recursive_doubling"] * 2])
        sizes = {look: len(area) for look, area in predicted_map.areas(grid)}
        self.assertEqual(sizes, {"recursive_doubling": 3, "ring": 1})

    def test_of_equal_ones_the_first_has_the_area(self) -> None:
        text = prediction(*((p, size, {"ring": 1.0, "halving_doubling": 1.0 - 1e-12}) for p in (2, 4) for size in (8, 64)))
        whole = json.loads(text)
        for each in whole["cells"]:
            each["times"].reverse()
        found = predicted_map.read_map(json.dumps(whole))
        self.assertEqual({cell.fastest for cell in found.cells.values()}, {"ring"})

    def test_borders_lie_between_on_a_logarithmic_axis(self) -> None:
        self.assertEqual(predicted_map.edges([4, 16, 64]), [2, 8, 32, 128])

    def test_break_even_lines_and_key_are_drawn(self) -> None:
        drawn = predicted_map.draw(self.corner())
        texts = [text.get_text() for axes in drawn.axes for text in axes.texts]
        self.assertIn("ring (Ri)", texts)
        self.assertEqual(len(drawn.axes[0].lines), 2)  # left of the corner, and above it

    def test_labels_stand_where_there_is_room(self) -> None:
        wide = [(0, 0), (0, 1), (0, 2)]
        self.assertEqual(predicted_map.label_place(wide, [0, 1, 2, 3], [0, 1], 0.3), (1.5, 0.5))
        self.assertIsNone(predicted_map.label_place(wide, [0, 1, 2, 3], [0, 0.1], 0.3))

    def test_doubt_and_extrapolation_are_said(self) -> None:
        drawn = predicted_map.draw(self.corner(certainty=0.6, extrapolated=True))
        notes = " ".join(text.get_text() for text in drawn.texts)
        self.assertIn("in doubt", notes)
        self.assertIn("Beyond what the machine was fitted to", notes)

    def test_gains_are_over_the_baseline(self) -> None:
        found = self.corner()
        found.baseline = "recursive_doubling"
        self.assertEqual(found.cells[2, 64].ratio("recursive_doubling"), 4)
        self.assertEqual(found.look(found.cells[2, 8]), "0")  # nothing else is as fast
        self.assertIn("3 to 5", [text.get_text() for axes in predicted_map.draw(found).axes for text in axes.texts])

    def test_what_cannot_be_drawn_is_refused(self) -> None:
        with self.assertRaisesRegex(cells.UsageError, "two numbers of processes"):
            predicted_map.read_map(prediction((2, 8, self.QUICK), (2, 16, self.QUICK)))


class SheetTest(unittest.TestCase):
    def test_each_problem_has_its_own_sheet(self) -> None:
        found = sheets(cell(), cell(op="max"), cell(collective="allgather", op="none"))
        described = [(sheet.problem.collective, sheet.problem.op) for sheet in found]
        expected = [("allgather", "none"), ("allreduce", "max"), ("allreduce", "sum")]
        self.assertEqual(described, expected)
        self.assertEqual(found[0].problem.describe(), "int")
        (linear,) = sheets(cell(collective="gatherv", op="none", counts="linear", root=3))
        self.assertEqual(linear.problem.describe(), "int, root 3, linear counts")

    def test_a_cell_has_its_choice(self) -> None:
        undecided = cell(size=16, certainty="undecided", best_ratio=None)
        reordered = cell(size=32, params="reorder_ranks=seq")
        (sheet,) = sheets(cell(), undecided, reordered)
        choices = [choice for _, choice in sorted(sheet.cells.items())]
        self.assertEqual([each.undecided for each in choices], [False, True, False])
        self.assertEqual([each.reordered for each in choices], [False, False, True])
        self.assertEqual((min(sheet.launches), max(sheet.launches)), (3, 10))

    def test_more_processes_than_cores_are_starred(self) -> None:
        self.assertEqual(figure.layout_texts(sheets(cell(8), cell(4))[0]), ["4", "8*"])

    def test_layouts_of_as_many_processes_are_told_apart(self) -> None:
        nodes = {"nodes": 2, "procs_per_node": 2}
        (sheet,) = sheets(cell(2), cell(4, **nodes), cell(4, mapping="rr", **nodes))
        self.assertEqual(figure.layout_texts(sheet), ["2", "4 (2x2 rr)", "4 (2x2 seq)"])

    def test_a_size_of_few_layouts_is_skipped_and_named(self) -> None:
        sizes = ((2, (8, 64, 512)), (3, (8, 64, 512)), (4, (8, 64)), (5, (8, 40)))
        (sheet,) = sheets(*(cell(procs, size) for procs, all_sizes in sizes for size in all_sizes))
        self.assertEqual((sheet.sizes, sheet.skipped), ([8, 64], [40, 512]))

    def test_sizes_of_which_none_is_common_all_stay(self) -> None:
        self.assertEqual(sheets(cell(2, 16), cell(3, 24))[0].sizes, [16, 24])

    def test_sizes_read_as_people_write_them(self) -> None:
        texts = [figure.size_text(size) for size in (8, 1000, 1024, 3 << 19, 1 << 20, 1 << 31)]
        self.assertEqual(texts, ["8 B", "1000 B", "1 KiB", "1536 KiB", "1 MiB", "2 GiB"])


class PageTest(unittest.TestCase):
    """What a map shows of cells that are not like the others."""

    def tearDown(self) -> None:
        figure.plt.close("all")

    def drawn(self, *all_cells: dict) -> list[str]:
        return [text.get_text() for text in fastest_map.draw(sheets(*all_cells)).axes[0].texts]

    def test_rows_with_more_processes_than_cores_lie_apart(self) -> None:
        nodes = {"nodes": 4, "procs_per_node": 2, "oversubscribed": False}
        (sheet,) = sheets(cell(2), cell(6), cell(8, **nodes))  # 6 on one node
        self.assertEqual(figure.layout_texts(sheet), ["2", "8", "6*"])
        self.assertEqual([figure.row_of(sheet, each) for each in sheet.layouts], [0, 1, 2 + figure.GAP])
        self.assertIn("* more processes than cores", self.drawn(cell(2), cell(6)))
        self.assertNotIn("* more processes than cores", self.drawn(cell(2), cell(4)))

    def test_what_was_not_measured_has_a_mark_and_the_default_has_a_colour(self) -> None:
        some = (*(cell(p, 8) for p in (2, 3, 4)), *(cell(p, 16, algorithm="native") for p in (2, 3)))
        self.assertEqual(self.drawn(*some).count(figure.MISSING.text), 1)
        self.assertNotIn(figure.MISSING.text, self.drawn(*some, cell(4, 16)))
        key = [text.get_text() for axes in fastest_map.draw(sheets(*some)).axes for text in axes.texts]
        self.assertIn("not measured", key)
        self.assertNotEqual(fastest_map.DEFAULT, figure.MISSING.colour)

    def test_logarithmic_axes_have_three_labels_at_least(self) -> None:
        for low, high in ((1, 1e6), (30, 4000), (3e-7, 3.3e-7), (0.95, 1.07), (0.999, 1.02)):
            ticks = figure.nice_ticks(low, high)
            self.assertTrue(3 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low <= each <= high for each in ticks))

    def test_every_size_has_a_label(self) -> None:
        axes = fastest_map.draw(sheets(*(cell(2, size) for size in (8, 4096, 262144)))).axes[0]
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["8", "4K", "256K"])

    def test_no_name_is_cut(self) -> None:
        cpu = "a processor whose maker has given it a name that is longer than a figure is wide, of 2026 at 2.8 GHz"
        drawn = fastest_map.draw(sheets(cell(), machine={"cpu": cpu}))
        (line,) = [text for text in drawn.texts if cpu in text.get_text()]
        right = line.get_window_extent(drawn.canvas.get_renderer()).x1
        self.assertLess(right, drawn.bbox.width)


class RatioTest(unittest.TestCase):
    def test_a_cell_without_a_ratio_is_left_out(self) -> None:
        found = ratio_map.ratios(sheets(cell(), cell(size=16, best_ratio=None))[0])
        self.assertEqual([(size, each.ratio) for (_, size), each in found.items()], [(8, 2.0)])

    def test_an_interval_with_one_in_it_is_undecided(self) -> None:
        self.assertTrue(cells.Ratio(1.1, 0.9, 1.3).undecided)
        self.assertFalse(cells.Ratio(0.8, 0.7, 0.9).undecided)

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

    def test_what_a_library_does_is_told_apart_by_more_than_case(self) -> None:
        names = ["openmpi:recursive_doubling", "openmpi:ring", "native:reduce+bcast", "ring", "r_i"]
        short = list(algorithm_names.abbreviations(names).values())
        self.assertEqual(short, ["RD\u00b0", "Ri\u00b0", "RB\u00b0", "Rin", "RI"])

    def test_the_key_names_algorithms(self) -> None:
        names = ("openmpi:ring", "halving_doubling", "native:reduce+bcast")
        words = [algorithm_names.display_name(name) for name in names]
        self.assertEqual(words, ["Open MPI ring", "halving doubling", "the library's reduce+bcast"])

    def test_members_of_a_family_share_its_colour(self) -> None:
        for one, other in (
            ("ring", "openmpi:segmented_ring"),
            ("recursive_doubling", "mpich:recexch"),
            ("halving_doubling", "mpich:reduce_scatter_allgather"),
            ("bruck", "mpich:k_brucks"),
            ("binomial", "openmpi:knomial"),
        ):
            self.assertEqual(fastest_map.colour(one), fastest_map.colour(other))
        self.assertEqual(fastest_map.colour("one_of_mine"), fastest_map.OTHERS)

    def test_no_two_families_share_a_colour(self) -> None:
        colours = [colour for _, colour in fastest_map.FAMILIES]
        self.assertEqual(len({*colours, fastest_map.OTHERS, fastest_map.DEFAULT}), len(colours) + 2)
        self.assertNotEqual(fastest_map.colour("native:reduce+bcast"), fastest_map.DEFAULT)


class FileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = str(self.folder / "a.png")

    def run_plot(self, plot, *options: str, text: str = text_of(cell())) -> tuple[int, str]:
        """Exit status, and all that was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            with mock.patch("sys.stdin", io.StringIO(text)):
                status = command_line.run("?", plot.draw, list(options))
        return status, printed.getvalue()

    def refused(self, plot, *options: str, text: str = text_of(cell())) -> str:
        """The one line of a refusal that wrote no file."""
        before = sorted(self.folder.iterdir())
        status, printed = self.run_plot(plot, *options, text=text)
        self.assertEqual(status, 2, printed)
        self.assertEqual(printed.count("\n"), 1, printed)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return printed

    def test_every_format_is_written_and_named(self) -> None:
        for plot in (fastest_map, ratio_map):
            for name, begin in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
                out = self.folder / name
                self.assertEqual(self.run_plot(plot, "--out", str(out)), (0, f"{out}\n"))
                self.assertTrue(out.read_bytes().startswith(begin))
        self.assertEqual(len(list(self.folder.iterdir())), 3)

    def test_an_unknown_format_is_refused(self) -> None:
        self.assertIn("png, svg, pdf", self.refused(fastest_map, "--out", self.out + ".gif"))

    def test_a_missing_folder_is_refused(self) -> None:
        out = str(self.folder / "missing" / "a.png")
        self.assertIn(f"can't write '{out}'", self.refused(fastest_map, "--out", out))

    def test_a_missing_option_is_refused_in_one_line(self) -> None:
        self.assertIn("--out", self.refused(fastest_map))

    def test_what_can_not_be_written_leaves_no_partial_file(self) -> None:
        Path(self.out).mkdir()
        self.assertIn("Is a directory", self.refused(fastest_map, "--out", self.out))

    def test_a_model_has_no_ratio_map(self) -> None:
        text = text_of(cell(best_ratio=None), machine={"kind": "model"})
        self.assertIn("a model has none", self.refused(ratio_map, "--out", self.out, text=text))


    def test_a_ratio_map_names_what_was_divided(self) -> None:
        drawn = ratio_map.draw(cells.read_sheets(json.dumps({**json.loads(text_of(cell())), "baseline": "reduce_bcast"})))
        texts = " ".join(each.get_text() for each in drawn.texts)
        self.assertIn("Speedup of the best algorithm over reduce bcast", texts)


def curve(algorithm: str, *values: float, at: int = 8, **changed) -> dict:
    """What the program says of a line: values at sizes that double."""
    points = [
        {"at": at << i, "value": value, "low": value / 1.1, "high": value * 1.1, "launches": 5,
         "oversubscribed": False}
        for i, value in enumerate(values)
    ]  # fmt: skip
    line = {"collective": None, "algorithm": algorithm, "params": "", "mapping": "seq"}
    return {**line, "points": points, **changed}


def curves_text(*lines: dict, panels: int = 1, **changed) -> str:
    panel = {
        **{"collective": "allreduce", "datatype": "int", "op": "sum", "root": 0, "counts": "equal"},
        **{"procs": 8, "nodes": 2, "procs_per_node": 4, "least_bytes": 8, "most_bytes": 32},
        "lines": lines,
    }
    whole = {"machine": MACHINE, "by": "message_bytes", "quantity": "time", "baseline": "native"}
    return json.dumps({**whole, "baseline_mapping": "", "panels": [panel] * panels, **changed})


class CurvesTest(unittest.TestCase):
    def test_names_have_what_tells_curves_apart(self) -> None:
        stages = {"params": "stages=a4,a2"}
        alone = curves.read_curves(curves_text(curve("ring", 1), curve("recursive_multiplying", 1, **stages)))
        self.assertEqual([each.words() for each in alone.names], ["recursive multiplying a4,a2", "ring"])
        (panel,) = alone.panels
        self.assertEqual(panel.title, "allreduce, p = 8, 2 nodes of 4")
        mapped = curves.read_curves(curves_text(curve("ring", 1), curve("ring", 2, mapping="rr")))
        self.assertEqual([each.words() for each in mapped.names], ["ring rr", "ring seq"])
        mock_up = curve("native:reduce+bcast", 1, collective="allreduce")
        self.assertEqual(curves.read_curves(curves_text(mock_up)).names[0].words(), "allreduce as reduce+bcast")

    def test_values_have_a_unit_in_which_the_least_is_not_0(self) -> None:
        drawn = curves.draw(curves.read_curves(curves_text(curve("ring", 2e-6, 4e-3), panels=3)))
        self.assertEqual(len(drawn.axes), 3)
        self.assertEqual(drawn.axes[0].get_ylabel(), "time, us")
        (line,) = drawn.axes[0].get_lines()
        self.assertEqual([round(float(each), 6) for each in line.get_ydata()], [2, 4000])
        (band,) = drawn.axes[0].collections
        self.assertAlmostEqual(band.get_paths()[0].vertices[:, 1].max(), 4400)

    def test_a_ratio_says_of_what_and_over_which_sizes(self) -> None:
        text = curves_text(
            *(curve("ring", 1, 2, at=1), curve("ring", 2, 4, at=1, mapping="rr")),
            **{"by": "procs_per_node", "quantity": "relative_time", "baseline": "ring", "baseline_mapping": "seq"},
        )
        drawn = curves.draw(curves.read_curves(text))
        texts = " ".join(each.get_text() for each in drawn.texts).replace("\n", " ")
        self.assertIn("Time / time of ring seq", texts)
        self.assertIn("Mean over messages of 8 B to 32 B", texts)

    def test_nothing_to_divide_by_is_refused(self) -> None:
        with self.assertRaisesRegex(cells.UsageError, "nothing was measured together with 'native'"):
            curves.read_curves(curves_text(panels=0))


class SpreadTest(unittest.TestCase):
    def test_a_box_is_drawn_from_the_numbers_of_the_program(self) -> None:
        box = {
            **{"at": 2, "algorithm": "ring", "params": "", "samples": 6, "launches": 3},
            **{"whisker_low": 1e-6, "quartile_low": 2e-6, "median": 3e-6, "quartile_high": 4e-6},
            **{"whisker_high": 5e-6, "median_low": 2.5e-6, "median_high": 3.5e-6},
            **{"below": [], "above": [1e-4]},
        }
        panel = {"collective": "allreduce", "procs": 0, "mapping": "seq", "message_bytes": 8}
        text = json.dumps({"machine": MACHINE, "by": "procs", "panels": [{**panel, "boxes": [box]}]})
        (axes,) = spread.draw(spread.read_spread(text)).axes
        self.assertEqual(axes.get_ylabel(), "time, us")
        drawn = sorted({round(float(y), 6) for line in axes.get_lines() for y in line.get_ydata()})
        self.assertEqual(drawn, [1, 2, 3, 4, 5, 100])
        self.assertGreaterEqual(len(axes.get_yticks()), 3)


class ProfileGains(unittest.TestCase):
    """The picture of a program's time."""

    def text_of(self, *all_cells: dict) -> str:
        whole = {"machine": MACHINE, "program": {"wall_s": 10.0, "collectives_s": 8.0}}
        return json.dumps({**whole, "cells": all_cells})

    def spent(self, *all_cells: dict) -> profile_gains.Spent:
        return profile_gains.read_spent(self.text_of(*all_cells))

    def test_time_is_divided_by_the_speedup_and_summed_over_processes(self) -> None:
        twice = {"ratio": 2.0, "low": 1.6, "high": 2.5}
        spent = self.spent(
            cell(2, 8, program_time_s=4.0, speedup=twice),
            cell(4, 8, program_time_s=1.0, speedup=None),
            cell(4, 64, program_time_s=0, speedup=twice),
        )
        self.assertEqual(list(spent.bars["allreduce"]), [8])
        bar = spent.bars["allreduce"][8]
        self.assertEqual((bar.before, bar.after), (5, 3))
        self.assertAlmostEqual(bar.low, 4 / 2.5 + 1)
        self.assertAlmostEqual(bar.high, 4 / 1.6 + 1)

    def test_the_collective_with_most_time_comes_first(self) -> None:
        twice = {"ratio": 2.0, "low": 2.0, "high": 2.0}
        drawn = profile_gains.draw(
            self.spent(
                cell(program_time_s=1.0, speedup=twice),
                cell(collective="bcast", program_time_s=3.0, speedup=None),
            )
        )
        titles = [axes.get_title(loc="left") for axes in drawn.axes]
        self.assertEqual(titles, ["bcast: 3 s, 0 % saved", "allreduce: 1 s, 50 % saved"])
        texts = " ".join(each.get_text() for each in drawn.texts)
        self.assertIn("8 s of 10 s; measured: 4 s, 12 % saved, which is 5.0 % of all", texts)

    def test_without_time_there_is_nothing_to_draw(self) -> None:
        with self.assertRaisesRegex(cells.UsageError, "nothing that the program calls"):
            profile_gains.draw(self.spent(cell(program_time_s=0, speedup=None)))


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
        texts = [figure.time_text(each) for each in (1e-9, 2e-5, 0.003, 10)]
        self.assertEqual(texts, ["1 ns", "20 us", "3 ms", "10 s"])


def finding(right: str, ratio: float, verdict: str = "holds", size: int = 8, **other_right) -> dict:
    left = {"collective": "allreduce", "algorithm": "native", "procs": 4, "message_bytes": size}
    return {
        "oversubscribed": False,
        **{"left": left, "right": {**left, "algorithm": right, **other_right}, "verdict": verdict},
        "ratio": {"ratio": ratio, "low": ratio / 1.1, "high": ratio * 1.1},
    }


class GuidelineTimesTest(unittest.TestCase):
    def compared(self, *findings: dict) -> guideline_times.Compared:
        machine = {key: MACHINE[key] for key in ("name", "library_version", "cpu", "settings")}
        return guideline_times.read_compared(
            json.dumps({"machine": machine, "tolerance": 0.05, "findings": findings})
        )

    def test_what_is_compared_in_one_problem_has_a_line(self) -> None:
        compared = self.compared(
            finding("native:reduce+bcast", 2, "violated"),
            finding("mpich:ring", 0.5),
            finding("mpich:brucks", 0.8),
            finding("native", 1, message_bytes=16),
            finding("native", 1),
        )
        lines = compared.panels["allreduce"][4]
        self.assertEqual(set(lines), {"reduce+bcast", guideline_times.OWN})
        self.assertEqual(lines["reduce+bcast"][8].ratio, 2)
        self.assertTrue(lines["reduce+bcast"][8].violated)
        self.assertEqual(lines[guideline_times.OWN][8].ratio, 0.8)  # the faster one
        (axes,) = guideline_times.draw(compared).axes
        self.assertIn([1.05, 1.05], [list(line.get_ydata()) for line in axes.get_lines()])
        self.assertGreaterEqual(len(axes.get_yticks()), 3)

    def test_nothing_to_compare_is_refused(self) -> None:
        with self.assertRaisesRegex(cells.UsageError, "nothing compares [^:]*: sweep .*mock_ups"):
            guideline_times.draw(self.compared(finding("native", 1, message_bytes=16)))


if __name__ == "__main__":
    unittest.main()
