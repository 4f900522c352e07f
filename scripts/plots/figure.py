# SPDX-License-Identifier: BSD-3-Clause
"""The page that the maps share: panels of cells, message sizes across, processes upwards.

Everything is placed in inches, so that a cell has the same size on a page of one row or of twenty
and nothing overlaps.
"""
from __future__ import annotations

import math
import sys
import textwrap
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from cells import COUNTS_ONE_BLOCK, Layout, Sheet

try:
    import matplotlib.pyplot as plt
except Exception as error:  # a broken one raises others than ImportError too
    if isinstance(error, ModuleNotFoundError) and error.name == "matplotlib":
        words = "the plots need matplotlib for Python 3 (Debian: python3-matplotlib)"
    else:
        words = f"matplotlib can't be imported: {type(error).__name__}: {' '.join(str(error).split())}"
    print(words, file=sys.stderr)
    sys.exit(2)
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

plt.switch_backend("Agg")
plt.rcParams.update({"svg.hashsalt": "breakeven", "savefig.dpi": 150, "hatch.linewidth": 0.6})

INK = "#222222"
FAINT = "#666666"

# Inches.
CELL_WIDTH, CELL_HEIGHT = 0.36, 0.29
MARGIN = 0.25
HEAD = 0.7  # title and headline
ABOVE_PANEL, BELOW_PANEL = 0.3, 0.5  # a panel's own title; its x labels
KEY_LINE, NOTE_LINE = 0.36, 0.15
LEAST_WIDTH = 7.0  # room for title, key and notes over a narrow panel
LETTER = 0.063  # about a letter's width at 8 points
GAP = 0.5  # of a row, below those with more processes than cores


@dataclass(frozen=True)
class Cell:
    """How one cell looks; the text of an undecided one is light."""

    colour: str
    text: str
    undecided: bool = False
    hatched: bool = False


MISSING = Cell("#ffffff", "\u00d7", undecided=True)  # not measured


Key = list[tuple[Cell, str]]  # what each colour means


def size_text(size: int) -> str:
    """8 B, 64 KiB, 1 MiB; sizes between the units stay in bytes, so the text is exact."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def short_size(size: int) -> str:
    """8, 64K, 1M: as `breakeven` reads it."""
    return size_text(size).replace(" B", "").replace(" ", "").replace("iB", "")


# Of each power of ten, ever more: a hundred values between 1 and 10 at last.
STEPS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), *([1 + each / parts for each in range(9 * parts)] for parts in (10, 100)))


def nice_ticks(low: float, high: float) -> list[float]:
    """Round values of a logarithmic axis, three to nine."""
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    for steps in STEPS:
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= 3:
            break
    return ticks[:: -(-len(ticks) // 9)]


def number_text(value: float) -> str:
    """Three digits: 0.25, 12.5, 1000."""
    return f"{float(f'{value:.3g}'):g}"


def time_text(seconds: float) -> str:
    """1 ns, 20 us, 3 ms"""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= 0.999 * unit:
            return f"{number_text(seconds / unit)} {name}"
    return f"{number_text(seconds / 1e-9)} ns"


def label_log(axis: Axis, text: Callable[[float], str] = number_text) -> None:
    """A logarithmic axis with labels at nice_ticks."""
    low, high = axis.get_view_interval()
    ticks = nice_ticks(low, high)
    axis.set_ticks(ticks, [text(tick) for tick in ticks])
    axis.set_minor_locator(NullLocator())
    axis.axes.set(**{f"{axis.axis_name}lim": (low, high)})


def layout_texts(sheet: Sheet) -> list[str]:
    """The number of processes, with nodes and mapping where it doesn't tell two layouts apart."""
    often = Counter(layout.procs for layout in sheet.layouts)

    def text(layout: Layout) -> str:
        where = f" ({layout.nodes}x{layout.procs_per_node} {layout.mapping})"
        mark = "*" if layout in sheet.oversubscribed else ""
        return f"{layout.procs}{where if often[layout.procs] > 1 else ''}{mark}"

    return [text(layout) for layout in sheet.layouts]


def paler(colour: str) -> str:
    return to_hex([0.45 * part + 0.55 for part in to_rgb(colour)])


def draw_cell(axes: Axes, column: float, row: float, cell: Cell) -> None:
    """Fills the unit square whose lower left corner is (column, row)."""
    hatch = {"hatch": "////", "edgecolor": "#00000050"} if cell.hatched else {}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=cell.colour, lw=0, **hatch))
    axes.text(
        column + 0.5,
        row + 0.47,
        cell.text,
        ha="center",
        va="center",
        fontsize=7,
        color=FAINT if cell.undecided else INK,
        fontweight="normal" if cell.undecided else "bold",
    )


def row_of(sheet: Sheet, layout: Layout) -> float:
    """The lower edge of its row."""
    return sheet.layouts.index(layout) + (GAP if layout in sheet.oversubscribed else 0)


def rows_high(sheet: Sheet) -> float:
    return len(sheet.layouts) + (GAP if sheet.oversubscribed else 0)


def fill(axes: Axes, sheet: Sheet, looks: dict[tuple[Layout, int], Cell]) -> None:
    """Draws each cell, a cross where there is none; those with more processes than cores are pale."""
    for layout in sheet.layouts:
        for column, size in enumerate(sheet.sizes):
            look = looks.get((layout, size), MISSING)
            if layout in sheet.oversubscribed:
                look = replace(look, colour=paler(look.colour), undecided=True)
            draw_cell(axes, column, row_of(sheet, layout), look)
    if sheet.oversubscribed:
        below = row_of(sheet, next(each for each in sheet.layouts if each in sheet.oversubscribed))
        axes.text(0.1, below - GAP / 2, "* more processes than cores", va="center", fontsize=7, color=FAINT)


class Page:
    """Places axes and text in inches from the upper left corner, from top to bottom."""

    def __init__(self, width: float, height: float) -> None:
        self.figure = plt.figure(figsize=(width, height))
        self.width, self.height = width, height

    def axes(self, x: float, y: float, width: float, height: float, **how) -> Axes:
        bottom = self.height - y - height
        return self.figure.add_axes(
            (x / self.width, bottom / self.height, width / self.width, height / self.height), **how
        )

    def text(self, y: float, text: str, **how) -> None:
        where = (MARGIN / self.width, 1 - y / self.height)
        self.figure.text(*where, text, va="top", **{"fontsize": 8, "color": FAINT, **how})

    def line(self, y: float, text: str) -> None:
        """In letters that are as small as the width needs."""
        room = (self.width - 2 * MARGIN) / LETTER
        self.text(y, text, fontsize=8 * min(1, room / max(1, len(text))))


def _size(sheet: Sheet) -> tuple[float, float]:
    return len(sheet.sizes) * CELL_WIDTH, rows_high(sheet) * CELL_HEIGHT


def _heading(sheet: Sheet) -> str:
    return f"{sheet.problem.collective}  ({sheet.problem.describe()})"


def _headline(sheets: list[Sheet]) -> str:
    least = min(min(sheet.launches) for sheet in sheets)
    most = max(max(sheet.launches) for sheet in sheets)
    count = str(least) if least == most else f"{least} to {most}"
    return f"{sheets[0].machine.describe()}, {count} {'launch' if most == 1 else 'launches'}"


def make_page(
    sheets: list[Sheet], title: str, key: Key, notes: list[str]
) -> tuple[Figure, list[Axes]]:
    """A page with the empty, labelled panels of the sheets, two in a line, above key and note."""
    across = min(2, len(sheets))
    left = 0.5 + LETTER * max(len(text) for sheet in sheets for text in layout_texts(sheet))
    heading = 1.25 * LETTER * max(len(_heading(sheet)) for sheet in sheets)
    step = left + max(heading, *(_size(sheet)[0] for sheet in sheets)) + MARGIN
    width = max(LEAST_WIDTH, step * across)
    skipped = {size for sheet in sheets for size in sheet.skipped}
    if skipped:
        between = f"{size_text(min(skipped))} and {size_text(max(skipped))}"
        notes = [
            *notes,
            f"Not shown: {len(skipped)} sizes between {between} that at most half of the numbers"
            " of processes have.",
        ]
    if any(sheet.oversubscribed for sheet in sheets):
        notes = [*notes, "*: more processes than cores, which take turns: such times compare with no others."]
    letters = int((width - 2 * MARGIN) / (LETTER * 0.83))
    note_lines = [line for note in notes for line in textwrap.wrap(note, letters)]
    lines = [sheets[first : first + across] for first in range(0, len(sheets), across)]
    heights = [max(_size(each)[1] for each in line) + ABOVE_PANEL + BELOW_PANEL for line in lines]
    key_step = CELL_WIDTH + 0.25 + LETTER * max(len(label) for _, label in key)
    key_across = int((width - 2 * MARGIN) / key_step)
    key_height = KEY_LINE * -(-len(key) // key_across)

    foot = NOTE_LINE * len(note_lines) + 0.1
    page = Page(width, HEAD + sum(heights) + key_height + foot + MARGIN)
    page.text(0.15, title, fontsize=12, fontweight="bold", color=INK)
    page.line(0.42, _headline(sheets))
    panels = []
    y = HEAD
    for line, height in zip(lines, heights):
        for number, sheet in enumerate(line):
            panels.append(page.axes(left + number * step, y + ABOVE_PANEL, *_size(sheet)))
            _label(panels[-1], sheet)
        y += height
    for number, (cell, label) in enumerate(key):
        x = MARGIN + number % key_across * key_step
        axes = page.axes(x, y + number // key_across * KEY_LINE, CELL_WIDTH, CELL_HEIGHT)
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        axes.spines[:].set_linewidth(0.4)
        draw_cell(axes, 0, 0, cell)
        axes.text(1.25, 0.47, label, va="center", fontsize=8, color=INK)
    for number, line in enumerate(note_lines):
        page.text(y + key_height + 0.1 + number * NOTE_LINE, line, fontsize=7)
    return page.figure, panels


def _label(axes: Axes, sheet: Sheet) -> None:
    problem, sizes, layouts = sheet.problem, sheet.sizes, layout_texts(sheet)
    axes.set(xlim=(0, len(sizes)), ylim=(0, rows_high(sheet)))
    axes.tick_params(length=0, labelcolor=INK)
    axes.spines[:].set_linewidth(0.8)
    texts = [short_size(size) for size in sizes]
    step = 1 if max(map(len, texts)) <= 4 else 2  # a cell is as wide as "512K"
    axes.set_xticks([column + 0.5 for column in range(0, len(sizes), step)], texts[::step], fontsize=7)
    axes.set_yticks([row_of(sheet, each) + 0.5 for each in sheet.layouts], layouts, fontsize=8)
    if len(layouts) > 2:
        axes.set_ylabel("processes", fontsize=8, color=FAINT)
    else:  # "processes" is higher than two rows
        axes.set_ylabel("p", fontsize=8, color=FAINT, rotation=0, va="center")
    counted = "one process's block" if problem.collective in COUNTS_ONE_BLOCK else "whole vector"
    axes.set_xlabel(f"message, bytes: {counted}", fontsize=8, color=FAINT)
    axes.set_title(_heading(sheet), loc="left", fontsize=9, fontweight="bold", color=INK)
