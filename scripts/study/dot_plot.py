# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a study: a dot for each run, a panel for each library and message size."""
from __future__ import annotations

from figure import FAINT, INK, plt, size_text
from summary import Row

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

WIDTH, HEIGHT = 2.6, 2.5  # of a panel, inches
DOT = "#4477aa"  # Paul Tol's "bright" scheme
# Beyond this distance from the median the scale is logarithmic: one wild run hides no other.
LINEAR = 0.05
TICKS = (-0.5, -0.2, -LINEAR, 0, LINEAR, 0.2, 0.5, 2, 10, 100)
NOTE = (
    "Dot: how far a run's figure is from the median of its tool's runs, in their order from left"
    f" to right;\nthe scale is linear up to {LINEAR:.0%}, then logarithmic."
    " Bar: the 95% interval that a run states with its figure."
)


def draw(found: list[Row]) -> Figure:
    """The dots of all rows on one page; the panels of a library share their scale."""
    libraries = sorted({row.library for row in found})
    sizes = sorted({row.size for row in found})
    tools = sorted({row.tool for row in found})
    figure, panels = plt.subplots(
        len(libraries),
        len(sizes),
        figsize=(max(6.5, WIDTH * len(sizes) + 0.8), HEIGHT * len(libraries) + 1.3),
        sharey="row",
        squeeze=False,
        layout="constrained",
    )
    for library, line in zip(libraries, panels):
        for size, axes in zip(sizes, line):
            here = [row for row in found if (row.library, row.size) == (library, size)]
            _label(axes, f"{library}, {size_text(size)}", tools)
            for row in here:
                _dots(axes, tools.index(row.tool), row)
    figure.suptitle("How far a tool's figures differ from run to run", color=INK, fontsize=12)
    figure.supxlabel(NOTE, fontsize=7, color=FAINT, x=0.02, ha="left")
    return figure


def _label(axes: Axes, title: str, tools: list[str]) -> None:
    axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
    axes.axhline(0, color=FAINT, linewidth=0.6)
    axes.set_xticks(range(len(tools)), tools, fontsize=7)
    axes.set_xlim(-0.5, len(tools) - 0.5)
    axes.tick_params(labelsize=7, labelcolor=INK, length=2)
    axes.set_yscale("symlog", linthresh=LINEAR)
    axes.yaxis.set_major_locator(FixedLocator(TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    percent = FuncFormatter(lambda value, _: f"{value:+.0%}" if value else "0%")
    axes.yaxis.set_major_formatter(percent)
    axes.grid(axis="y", color=FAINT, alpha=0.15)
    axes.spines[["top", "right"]].set_visible(False)


def _dots(axes: Axes, column: int, row: Row) -> None:
    def off(seconds: float) -> float:
        return seconds / row.median_s - 1

    for number, each in enumerate(row.figures):
        x = column + 0.6 * ((number + 0.5) / len(row.figures) - 0.5)
        if each.low_s is not None and each.high_s is not None:
            axes.plot((x, x), (off(each.low_s), off(each.high_s)), color=DOT, alpha=0.4)
        axes.plot(x, off(each.seconds), "o", color=DOT, markersize=3, markeredgewidth=0)
