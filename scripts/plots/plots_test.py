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

import clock_offsets
import curves
import figure
import guideline_times
import maps
import predicted_map
import prediction
import profile_gains
import spread

MACHINE = {"name": "m", "kind": "library", "library_version": "MPICH Version:  4.0.2", "cpu": "a cpu",
           "settings": "none"}  # fmt: skip


RING = {"look": 0, "text": "Ri", "light": False, "hatched": False}
DEFAULT = {"look": 1, "text": "", "light": True, "hatched": True}


def panel(*cells: list, apart: int = 0, **changed) -> dict:
    """A map: rows of cells, sizes that double."""
    rows = [str(2 << row) for row in range(len(cells))]
    sizes = [str(8 << column) for column in range(len(cells[0]))]
    of_rows = {"rows": rows, "apart": apart, "sizes": sizes, "cells": cells}
    return {"title": "allreduce  (int, sum)", "axis": "message, bytes: whole vector", **of_rows, **changed}


def map_of(*panels: dict, **changed) -> dict:
    key = [
        {"colour": "#ee8866", "pale": "#f7c9ba", "text": "Ri", "hatched": False, "name": "ring"},
        {"colour": "#d3d8de", "pale": "#ebedf0", "text": "", "hatched": False, "name": "library's default"},
        {"colour": "#ffffff", "pale": "#ffffff", "text": maps.MISSING, "hatched": False, "name": "not measured"},
    ]
    whole = {"title": "Choices", "machine": MACHINE, "launches": "3 launches", "key": key}
    return {**whole, "notes": ["A note."], "lines": True, "panels": panels, **changed}


def predicted(**changed) -> dict:
    """Recursive doubling but for long messages among few processes."""
    cell = {"pale": False, "hatched": False, "dotted": False, **changed}
    key = [
        {"colour": "#77aadd", "pale": "#b4d0ec", "text": "RD", "name": "recursive doubling (RD)"},
        {"colour": "#ee8866", "pale": "#f6beab", "text": "Ri", "name": "ring (Ri)"},
    ]
    cells = [[{"look": look, **cell} for look in row] for row in ((0, 1), (0, 0))]
    whole = {"title": "Predicted", "machine": {"name": "postal"}, "key": key, "notes": ["In doubt."]}
    return {**whole, "axis": "message", "procs": [2, 4], "sizes": [8, 64], "cells": cells}


def on_page(drawn: figure.Figure, artist: matplotlib.artist.Artist) -> bool:
    drawn.canvas.draw()  # which places labels
    box = artist.get_window_extent()
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= drawn.bbox.width and box.y1 <= drawn.bbox.height


class PredictedMapTest(unittest.TestCase):
    def test_neighbours_with_one_look_are_an_area(self) -> None:
        sizes = {look: len(area) for look, area in predicted_map.areas([[0, 1], [0, 0]])}
        self.assertEqual(sizes, {0: 3, 1: 1})

    def test_borders_lie_between_on_a_logarithmic_axis(self) -> None:
        self.assertEqual(predicted_map.edges([4, 16, 64]), [2, 8, 32, 128])

    def test_break_even_lines_key_and_notes_are_drawn(self) -> None:
        drawn = predicted_map.draw(predicted())
        texts = [text.get_text() for axes in drawn.axes for text in axes.texts]
        self.assertIn("ring (Ri)", texts)
        self.assertIn("RD", texts)
        self.assertEqual(len(drawn.axes[0].lines), 2)  # left of the corner, and above it
        self.assertIn("In doubt.", [text.get_text() for text in drawn.texts])

    def test_doubt_is_hatched_and_extrapolation_pale(self) -> None:
        def colours(drawn) -> set:
            return {tuple(map(float, each)) for each in drawn.axes[0].collections[0].cmap.colors}

        plain, doubtful = predicted_map.draw(predicted()), predicted_map.draw(predicted(pale=True, hatched=True))
        self.assertEqual([each.get_hatch() for each in doubtful.axes[0].collections], [None, *["////"] * 4])
        self.assertEqual(len(plain.axes[0].collections), 1)
        self.assertGreater(min(colours(doubtful)), min(colours(plain)))

    def test_labels_stand_where_there_is_room(self) -> None:
        wide = [(0, 0), (0, 1), (0, 2)]
        self.assertEqual(predicted_map.label_place(wide, [0, 1, 2, 3], [0, 1], 0.3), (1.5, 0.5))
        self.assertIsNone(predicted_map.label_place(wide, [0, 1, 2, 3], [0, 0.1], 0.3))


class MapTest(unittest.TestCase):
    def tearDown(self) -> None:
        figure.plt.close("all")

    def drawn(self, *panels: dict) -> list[str]:
        return [text.get_text() for text in maps.draw(map_of(*panels)).axes[0].texts]

    def test_rows_with_more_processes_than_cores_lie_apart(self) -> None:
        rows = panel([RING], [RING], [RING], apart=1)
        self.assertEqual([maps.row_of(rows, row) for row in range(3)], [0, 1, 2 + maps.GAP])
        self.assertIn("* more processes than cores", self.drawn(rows))
        self.assertNotIn("* more processes than cores", self.drawn(panel([RING])))
        colours = [each.get_facecolor() for each in maps.draw(map_of(rows)).axes[0].patches]
        self.assertEqual(colours[0], colours[1])
        self.assertNotEqual(colours[1], colours[2])  # pale

    def test_what_was_not_measured_has_a_mark(self) -> None:
        self.assertEqual(self.drawn(panel([RING, None], [RING, RING])).count(maps.MISSING), 1)

    def test_lines_lie_between_different_looks(self) -> None:
        rows = panel([RING, DEFAULT], [RING, RING])
        self.assertEqual(len(maps.draw(map_of(rows)).axes[0].lines), 2)
        self.assertEqual(len(maps.draw(map_of(rows, lines=False)).axes[0].lines), 0)
        self.assertEqual(len(maps.draw(map_of(panel([RING, None]))).axes[0].lines), 0)

    def test_every_size_has_a_label(self) -> None:
        axes = maps.draw(map_of(panel([RING] * 3, sizes=["8", "4K", "256K"]))).axes[0]
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["8", "4K", "256K"])

    def test_the_title_of_one_size_is_on_the_page(self) -> None:
        for panels in (1, 2):
            drawn = maps.draw(map_of(*[panel([RING], axis="message, bytes: one process's block")] * panels))
            labels = [axes.xaxis.label for axes in drawn.axes if axes.get_xlabel()]
            self.assertEqual([on_page(drawn, label) for label in labels], [True] * panels)

    def test_the_key_has_each_look(self) -> None:
        key = [text.get_text() for axes in maps.draw(map_of(panel([RING]))).axes[1:] for text in axes.texts]
        self.assertEqual(key, ["Ri", "ring", "", "library's default", maps.MISSING, "not measured"])

    def test_no_name_is_cut(self) -> None:
        cpu = "a processor whose maker has given it a name that is longer than a figure is wide, of 2026 at 2.8 GHz"
        drawn = maps.draw(map_of(panel([RING]), machine={**MACHINE, "cpu": cpu}))
        (line,) = [text for text in drawn.texts if cpu in text.get_text()]
        right = line.get_window_extent(drawn.canvas.get_renderer()).x1
        self.assertLess(right, drawn.bbox.width)


class TextTest(unittest.TestCase):
    def test_a_machine_is_described_without_what_repeats(self) -> None:
        self.assertEqual(figure.describe(MACHINE), "m, MPICH Version 4.0.2, a cpu")
        self.assertEqual(figure.describe({"name": "postal"}), "postal")
        version = "Open MPI v4.1.4, package: Debian OpenMPI"
        self.assertEqual(figure.describe({"name": "m", "library_version": version}), "m, Open MPI v4.1.4")

    def test_logarithmic_axes_have_three_labels_at_least(self) -> None:
        for low, high in ((1, 1e6), (30, 4000), (3e-7, 3.3e-7), (0.95, 1.07), (0.999, 1.02)):
            ticks = figure.nice_ticks(low, high)
            self.assertTrue(3 <= len(ticks) <= 9, (low, high, ticks))
            self.assertTrue(all(low <= each <= high for each in ticks))

    def test_sizes_read_as_people_write_them(self) -> None:
        texts = [figure.size_text(size) for size in (8, 1000, 1024, 3 << 19, 1 << 20, 1 << 31)]
        self.assertEqual(texts, ["8 B", "1000 B", "1 KiB", "1536 KiB", "1 MiB", "2 GiB"])


class FileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = str(self.folder / "a.png")

    def run_plot(self, *options: str) -> tuple[int, str]:
        """Exit status, and all that was printed."""
        printed = io.StringIO()
        text = json.dumps(map_of(panel([RING])))
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            with mock.patch("sys.stdin", io.StringIO(text)):
                status = figure.run("?", maps.draw, list(options))
        return status, printed.getvalue()

    def refused(self, *options: str) -> str:
        """The one line of a refusal that wrote no file."""
        before = sorted(self.folder.iterdir())
        status, printed = self.run_plot(*options)
        self.assertEqual(status, 2, printed)
        self.assertEqual(printed.count("\n"), 1, printed)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return printed

    def test_every_format_is_written_and_named(self) -> None:
        for name, begin in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
            out = self.folder / name
            self.assertEqual(self.run_plot("--out", str(out)), (0, f"{out}\n"))
            self.assertTrue(out.read_bytes().startswith(begin))
        self.assertEqual(len(list(self.folder.iterdir())), 3)

    def test_an_unknown_format_is_refused(self) -> None:
        self.assertIn("png, svg, pdf", self.refused("--out", self.out + ".gif"))

    def test_a_missing_folder_is_refused(self) -> None:
        out = str(self.folder / "missing" / "a.png")
        self.assertIn(f"can't write '{out}'", self.refused("--out", out))

    def test_a_missing_option_is_refused_in_one_line(self) -> None:
        self.assertIn("--out", self.refused())

    def test_what_can_not_be_written_leaves_no_partial_file(self) -> None:
        Path(self.out).mkdir()
        self.assertIn("Is a directory", self.refused("--out", self.out))


def curve(name: str, *values: float, at: int = 8) -> dict:
    """A line as the program describes it: values at sizes that double."""
    points = [
        {"at": at << i, "value": value, "low": value / 1.1, "high": value * 1.1, "launches": 5,
         "oversubscribed": False}
        for i, value in enumerate(values)
    ]  # fmt: skip
    return {"name": name, "points": points}


def curves_of(*lines: dict, panels: int = 1, **changed) -> dict:
    one = {"title": "allreduce, p = 8", "axis": "message", "least_bytes": 8, "most_bytes": 32, "lines": lines}
    names = [line["name"] for line in lines]
    whole = {"title": "Time", "machine": MACHINE, "by": "message_bytes", "quantity": "time", "near_best": 0.03}
    return {**whole, "names": names, "panels": [one] * panels, **changed}


class CurvesTest(unittest.TestCase):
    def test_values_have_a_unit_in_which_the_least_is_not_0(self) -> None:
        drawn = curves.draw(curves_of(curve("ring", 2e-6, 4e-3), panels=3))
        self.assertEqual(len(drawn.axes), 3)
        self.assertEqual(drawn.axes[0].get_ylabel(), "time, us")
        (line,) = drawn.axes[0].get_lines()
        self.assertEqual([round(float(each), 6) for each in line.get_ydata()], [2, 4000])
        (band,) = drawn.axes[0].collections
        self.assertAlmostEqual(band.get_paths()[0].vertices[:, 1].max(), 4400)

    def test_a_ratio_says_over_which_sizes(self) -> None:
        drawn = curves.draw(
            curves_of(
                *(curve("ring seq", 1, 2, at=1), curve("ring rr", 2, 4, at=1)),
                **{"by": "procs_per_node", "quantity": "relative_time", "title": "Time / time of ring"},
            )
        )
        texts = " ".join(each.get_text() for each in drawn.texts).replace("\n", " ")
        self.assertIn("Time / time of ring", texts)
        self.assertIn("Mean over messages of 8 B to 32 B", texts)
        (legend,) = drawn.legends
        self.assertEqual([each.get_text() for each in legend.get_texts()], ["ring seq", "ring rr"])
        drawn_lines = [line.get_color() for line in drawn.axes[0].get_lines()][:2]
        self.assertEqual(drawn_lines, list(curves.COLOURS[:2]))


    def test_no_two_curves_look_alike(self) -> None:
        looks = {(style["color"], style["marker"]) for style in map(curves._style, range(50))}
        self.assertEqual(len(looks), 50)


class SpreadTest(unittest.TestCase):
    def drawn(self, *boxes: dict) -> spread.Figure:
        panels = [{"title": "allreduce, 8 B", "places": sorted({box["at"] for box in boxes}), "boxes": boxes}]
        return spread.draw({"machine": MACHINE, "by": "procs", "panels": panels})

    def test_a_box_is_drawn_from_the_numbers_of_the_program(self) -> None:
        box = {
            **{"at": "2", "name": "ring", "samples": 6, "launches": 3},
            **{"whisker_low": 1e-6, "quartile_low": 2e-6, "median": 3e-6, "quartile_high": 4e-6},
            **{"whisker_high": 5e-6, "median_low": 2.5e-6, "median_high": 3.5e-6},
            **{"below": [], "above": [1e-4]},
        }
        (axes,) = self.drawn(box).axes
        self.assertEqual(axes.get_ylabel(), "time, us")
        drawn = sorted({round(float(y), 6) for line in axes.get_lines() for y in line.get_ydata()})
        self.assertEqual(drawn, [1, 2, 3, 4, 5, 100])
        self.assertGreaterEqual(len(axes.get_yticks()), 3)
        others = [{**box, "name": f"algorithm {number}", "at": "4 (2\u00d72)"} for number in range(39)]
        drawn = self.drawn(box, *others)
        (axes,) = drawn.axes
        self.assertEqual([each.get_text() for each in axes.get_xticklabels()], ["2", "4 (2\u00d72)"])
        self.assertTrue(on_page(drawn, axes.get_legend()))
        looks = {(patch.get_edgecolor(), patch.get_hatch()) for patch in axes.get_legend().get_patches()}
        self.assertEqual(len(looks), 40)


class ProfileGains(unittest.TestCase):
    """The picture of a program's time."""

    def test_the_collective_with_most_time_comes_first(self) -> None:
        bars = [
            {"collective": name, "message_bytes": 8, "before_s": before, "after_s": after, "low_s": after, "high_s": after}
            for name, before, after in (("allreduce", 1, 0.5), ("bcast", 3, 3))
        ]
        drawn = profile_gains.draw({"machine": MACHINE, "wall_s": 10.0, "collectives_s": 8.0, "bars": bars})
        titles = [axes.get_title(loc="left") for axes in drawn.axes]
        self.assertEqual(titles, ["bcast: 3 s, 0 % saved", "allreduce: 1 s, 50 % saved"])
        texts = " ".join(each.get_text() for each in drawn.texts)
        self.assertIn("8 s of 10 s; measured: 4 s, 12 % saved, which is 5.0 % of all", texts)
        heights = [patch.get_height() for patch in drawn.axes[1].patches]
        self.assertEqual(heights, [1, 0.5])
        alone = profile_gains.draw({"machine": MACHINE, "wall_s": 10.0, "collectives_s": 8.0, "bars": bars[:1]})
        self.assertTrue(all(on_page(alone, text) for text in alone.texts))


class PredictionTest(unittest.TestCase):
    def test_measured_stands_over_predicted(self) -> None:
        case = {"collective": "bcast", "procs": 4, "measured_s": 2e-6, "predicted_s": 1e-6}
        parts = {f"relative_difference_{part}": value for part, value in (("low", 0.5), ("median", 1), ("high", 2))}
        all_procs, of_4 = ({"collective": "bcast", "procs": p, "correlation": 0.9, **parts} for p in (None, 4))
        whole = {"machine": MACHINE, "predictor": "a  model", "cases": [case], "agreements": [all_procs, of_4]}
        drawn = prediction.draw(whole)
        self.assertIn("predicted by a model", [text.get_text() for text in drawn.texts])
        cases, differences = drawn.axes
        self.assertEqual(list(cases.lines[0].get_ydata()), [2e-6])
        self.assertEqual([label.get_text() for label in differences.get_xticklabels()], ["4"])
        self.assertEqual(list(differences.lines[0].get_ydata()), [50, 200])

    def test_a_long_key_lies_on_the_page(self) -> None:
        case = {"collective": "bcast", "measured_s": 2e-6, "predicted_s": 1e-6}
        cases = [{**case, "procs": procs} for procs in range(2, 42)]
        drawn = prediction.draw({"machine": MACHINE, "predictor": "a model", "cases": cases, "agreements": []})
        (key,) = drawn.legends
        self.assertTrue(on_page(drawn, key))
        self.assertGreater(key.get_window_extent().y0, drawn.axes[0].get_window_extent().y1)


class ClockOffsets(unittest.TestCase):
    """The picture of what `breakeven clocks --csv` writes."""

    NAMES = "clock,synchronised_in_s,rank,elapsed_s,offset_s,round_trip_s,truth_s"

    def read(self, *rows: str) -> clock_offsets.Clocks:
        return clock_offsets.read_clocks("\n".join([self.NAMES, *rows]) + "\n")

    def test_median_and_worst_rank_by_time(self) -> None:
        clocks = self.read(
            *("hca3,0.2,1,0,1e-7,1e-6,", "hca3,0.2,2,0,-3e-7,1e-6,"),
            *("hca3,0.2,1,5,-2e-7,1e-6,", "hca3,0.2,2,5,4e-7,1e-6,"),
        )
        figure = clock_offsets.draw(clocks)
        self.assertEqual(len(figure.axes), 1)  # there is no truth to draw
        line, uncertainty = figure.axes[0].get_lines()
        self.assertEqual(list(line.get_xdata()), [0, 5])
        self.assertEqual([f"{each:.1e}" for each in line.get_ydata()], ["2.0e-07", "3.0e-07"])
        self.assertEqual(uncertainty.get_ydata()[0], 5e-7)
        (band,) = figure.axes[0].collections
        self.assertEqual(f"{band.get_paths()[0].vertices[:, 1].max():.1e}", "4.0e-07")

    def test_truth_has_a_panel_where_it_is_known(self) -> None:
        clocks = self.read("jk,0.2,1,0,1e-7,1e-6,0", "none,0,1,0,-1.5,1e-6,-1.5")
        figure = clock_offsets.draw(clocks)
        self.assertEqual(len(figure.axes), 2)
        jk, none = figure.axes[1].get_lines()
        self.assertEqual((jk.get_ydata()[0], none.get_ydata()[0]), (clock_offsets.LEAST, 1.5))

    def test_refuses_in_words(self) -> None:
        with self.assertRaisesRegex(figure.UsageError, "holds no offsets"):
            self.read()
        with self.assertRaisesRegex(figure.UsageError, "isn't from `breakeven clocks --csv`"):
            self.read("hca3,0.2,1,soon,1e-7,1e-6,")

    def test_durations_are_short(self) -> None:
        texts = [figure.time_text(each) for each in (1e-9, 2e-5, 0.003, 10)]
        self.assertEqual(texts, ["1 ns", "20 us", "3 ms", "10 s"])


def finding(right: str, ratio: float, verdict: str = "holds", size: int = 8, **other_right) -> dict:
    problem = {
        **{"collective": "allreduce", "form": "blocking", "datatype": "int", "op": "sum", "root": 0},
        **{"procs": 4, "nodes": 1, "procs_per_node": 4, "mapping": "seq", "comms_per_node": 1},
        **{"counts": "equal", "message_bytes": size},
    }
    left = {**problem, "algorithm": "native"}
    return {
        "guideline": "any",
        "oversubscribed": False,
        **{"left": left, "right": {**left, "algorithm": right, **other_right}, "verdict": verdict},
        "ratio": {"ratio": ratio, "low": ratio / 1.1, "high": ratio * 1.1},
    }


class GuidelineTimesTest(unittest.TestCase):
    def compared(self, *findings: dict) -> dict:
        return {"machine": MACHINE, "tolerance": 0.05, "findings": findings}

    def drawn(self, *findings: dict) -> dict[str, list[str]]:
        """The lines of each panel by its title."""
        panels = guideline_times.panels_of(findings)
        axes = guideline_times.draw(self.compared(*findings)).axes
        titles = [each.get_title(loc="left").replace("\n", " ") for each in axes]
        lines = [list(lines) for _, by_layout in sorted(panels.items()) for lines in by_layout.values()]
        return dict(zip(titles, lines, strict=True))

    def test_what_is_compared_in_one_problem_has_a_line(self) -> None:
        compared = self.compared(
            finding("native:reduce+bcast", 2, "violated"),
            finding("mpich:ring", 0.5),
            finding("mpich:brucks", 0.8),
            finding("native", 1, message_bytes=16),
            finding("native", 1),
        )
        ((_, by_layout),) = guideline_times.panels_of(compared["findings"]).items()
        ((_, lines),) = by_layout.items()
        self.assertEqual(set(lines), {"reduce+bcast", guideline_times.OWN})
        self.assertEqual(lines["reduce+bcast"][8]["ratio"]["ratio"], 2)
        self.assertEqual(lines[guideline_times.OWN][8]["ratio"]["ratio"], 0.8)  # the faster one
        (axes,) = guideline_times.draw(compared).axes
        self.assertEqual([list(each.get_ydata()) for each in axes.get_lines() if each.get_marker() == "o"][-1], [2])
        self.assertIn("x", [each.get_marker() for each in axes.get_lines()])  # one size makes no line
        self.assertIn([1.05, 1.05], [list(line.get_ydata()) for line in axes.get_lines()])
        self.assertGreaterEqual(len(axes.get_yticks()), 3)

    def test_calls_with_work_and_other_forms_are_apart(self) -> None:
        worked = {**finding("native:blocking", 1.2), "guideline": "allreduce_overlap"}
        for each in (worked["left"], worked["right"]):
            each["form"] = "nonblocking"
        drawn = self.drawn(finding("native:reduce+bcast", 2), worked)
        self.assertEqual(
            drawn, {"allreduce, p = 4": ["reduce+bcast"], "allreduce, nonblocking, p = 4": ["blocking, with work"]}
        )

    def test_problems_have_panels_of_their_own(self) -> None:
        others = [finding("native:reduce+bcast", ratio) for ratio in (2, 3, 4)]
        changes = ({"datatype": "double"}, {"nodes": 2, "procs_per_node": 2}, {"comms_per_node": 2})
        for each, change in zip(others, changes):
            each["left"].update(change)
            each["right"].update(change)
        drawn = self.drawn(finding("native:reduce+bcast", 1), *others)
        titles = ["int, p = 4, 1\u00d74", "double, p = 4, 1\u00d74", "int, p = 4, 2\u00d72", "int, p = 4, 1\u00d74, 2 at once"]
        self.assertEqual(set(drawn), {f"allreduce, {each}" for each in titles})

    def test_points_without_a_size_lie_on_the_page(self) -> None:
        (axes,) = guideline_times.draw(self.compared(finding("native:reduce+bcast", 2, size=0))).axes
        low, high = axes.get_xlim()
        self.assertTrue(low < 0 < high)

    def test_nothing_to_compare_is_refused(self) -> None:
        with self.assertRaisesRegex(figure.UsageError, "nothing compares [^:]*: sweep .*mock_ups"):
            guideline_times.draw(self.compared(finding("native", 1, message_bytes=16)))


if __name__ == "__main__":
    unittest.main()
