#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much do the samples of each candidate differ?

Their distribution (seconds) by number of processes, or by how many consecutive samples were
averaged: boxes from quartile to quartile, notched at the median's 95 % interval over launches,
whiskers to the last sample within 1.5 interquartile ranges; as Ruefenacht, Bull and Booth,
"Generalisation of Recursive Doubling for AllReduce" (Parallel Computing 2017), figures 8, 9, 13, 16.
"""
from __future__ import annotations

import sys

from curves import COLOURS, UNITS
from figure import FAINT, INK, LETTER, NOTE_LINE, Page, count_text, describe, label_log, label_panel, note_lines, plt, run

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PANEL_HEIGHT = 2.9  # inches, as all below
BOX, GROUP_GAP, LEFT, KEY = 0.26, 0.2, 0.75, 0.7
ABOVE, BELOW, HEAD = 0.3, 0.45, 0.75
KEY_ROWS = 18  # as high as a panel
HATCHES = ("", "//////", "......", "xxxxxx")
AXES = {"procs": "processes", "block": "consecutive samples that a value is the mean of"}


# As matplotlib calls the numbers of a box.
NUMBERS = {
    **{"whislo": "whisker_low", "q1": "quartile_low", "med": "median"},
    **{"q3": "quartile_high", "whishi": "whisker_high", "cilo": "median_low", "cihi": "median_high"},
}


def _width(panel: dict) -> float:
    return max(2.5, sum(_group_width(panel, at) + GROUP_GAP for at in panel["places"]) + 0.2)


def _group_width(panel: dict, at: str) -> float:
    """Of the boxes at a place, or of its label."""
    return max(BOX * sum(box["at"] == at for box in panel["boxes"]), LETTER * len(at))


def _names(panel: dict) -> list[str]:
    return sorted({box["name"] for box in panel["boxes"]})


def _key_columns(panel: dict) -> int:
    return -(-len(_names(panel)) // KEY_ROWS)


def _look(number: int) -> dict:
    """How a candidate's boxes are filled; colours that return are hatched."""
    around, look = divmod(number, len(COLOURS))
    return {"facecolor": COLOURS[look] + "33", "edgecolor": COLOURS[look], "hatch": HATCHES[around % len(HATCHES)]}


def _draw_box(axes: Axes, x: float, box: dict, look: dict, scale: float) -> None:
    colour = look["edgecolor"]
    stats = {key: box[field] / scale for key, field in NUMBERS.items()}
    stats["fliers"] = [value / scale for value in (*box["below"], *box["above"])]
    lines = {"color": colour, "lw": 1}
    axes.bxp(
        [stats],
        positions=[x],
        widths=BOX * 0.75,
        shownotches=box["launches"] > 1,
        patch_artist=True,
        manage_ticks=False,
        boxprops={**look, "lw": 1},
        medianprops={"color": INK, "lw": 1.2},
        whiskerprops=lines,
        capprops=lines,
        flierprops={"marker": ".", "ms": 2, "mec": colour, "mfc": colour},
    )


def _draw_panel(axes: Axes, panel: dict, by: str, scale: float) -> None:
    looks = {name: _look(number) for number, name in enumerate(_names(panel))}
    ticks, x = {}, GROUP_GAP
    for at in panel["places"]:
        here = sorted((box for box in panel["boxes"] if box["at"] == at), key=lambda box: box["name"])
        width = _group_width(panel, at)
        middle = x + (width - BOX) / 2
        ticks[middle] = at
        for number, box in enumerate(here):
            place = middle + BOX * (number - (len(here) - 1) / 2)
            _draw_box(axes, place, box, looks[box["name"]], scale)
        x += width + GROUP_GAP
    label_panel(axes, panel["title"], AXES[by])
    axes.set_xlim(0, x)
    axes.set_xticks(list(ticks), list(ticks.values()), fontsize=7)
    axes.set_yscale("log")
    label_log(axes.yaxis)
    handles = [plt.Rectangle((0, 0), 1, 1, **look) for look in looks.values()]
    where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "fontsize": 8, "frameon": False}
    axes.legend(handles, list(looks), **where, ncols=_key_columns(panel))


def draw(spread: dict) -> Figure:
    """One panel below the other, each with its key to the right."""
    panels = spread["panels"]
    boxes = [box for panel in panels for box in panel["boxes"]]
    key = KEY + LETTER * max(len(box["name"]) for box in boxes)
    width = max(6.0, LEFT + max(_width(panel) + key * _key_columns(panel) for panel in panels))
    launches = [box["launches"] for box in boxes]
    note = (
        f"A box: {count_text([box['samples'] for box in boxes], 'sample', 'samples')} of"
        f" {count_text(launches, 'launch', 'launches')}. Notch: 95 % interval of the median over launches. Dots:"
        " samples beyond the whiskers."
        + ("" if min(launches) == max(launches) else " Boxes of different launches don't compare.")
    )
    notes = note_lines([note], width)
    step = ABOVE + PANEL_HEIGHT + BELOW
    page = Page(width, HEAD + len(panels) * step + NOTE_LINE * len(notes) + 0.2)
    units = UNITS["time"]
    least = min(box["median"] for box in boxes)
    scale, unit = next((each for each in units if least >= each[0]), units[-1])
    for number, panel in enumerate(panels):
        axes = page.axes(LEFT, HEAD + number * step + ABOVE, _width(panel), PANEL_HEIGHT)
        _draw_panel(axes, panel, spread["by"], scale)
        axes.set_ylabel(f"time, {unit}", fontsize=8, color=FAINT)
    page.head("How much samples differ", describe(spread["machine"]))
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
