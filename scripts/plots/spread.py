#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much do the samples of each candidate differ?

Their distribution (seconds) by number of processes, or by how many consecutive samples were
averaged: boxes from quartile to quartile, notched at the median's 95 % interval over launches,
whiskers to the last sample within 1.5 interquartile ranges; as Ruefenacht, Bull and Booth,
"Generalisation of Recursive Doubling for AllReduce" (Parallel Computing 2017), figures 8, 9, 13, 16.
"""
from __future__ import annotations

import json
import sys
import textwrap
from dataclasses import dataclass

from algorithm_names import display_name
from cells import Machine
from command_line import run
from curves import COLOURS, UNITS
from figure import FAINT, INK, LETTER, NOTE_LINE, Page, label_log, plt, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PANEL_HEIGHT = 2.9  # inches, as all below
BOX, GROUP_GAP, LEFT, KEY = 0.26, 0.2, 0.75, 0.7
ABOVE, BELOW, HEAD, FOOT = 0.3, 0.45, 0.75, 0.4
AXES = {"procs": "processes", "block": "consecutive samples that a value is the mean of"}


@dataclass(frozen=True)
class Panel:
    title: str
    boxes: list[dict]


@dataclass(frozen=True)
class Spread:
    machine: Machine
    by: str
    panels: list[Panel]


def _name(box: dict) -> str:
    params = box["params"].removeprefix("stages=")
    return f"{display_name(box['algorithm'])} {params}".strip()


def read_spread(text: str) -> Spread:
    whole = json.loads(text)
    panels = []
    for each in whole["panels"]:
        parts = [each["collective"]]
        if each["procs"]:
            parts.append(f"p = {each['procs']}")
        if each["mapping"] != "seq":
            parts.append(f"mapping {each['mapping']}")
        panels.append(Panel(", ".join([*parts, size_text(each["message_bytes"])]), each["boxes"]))
    return Spread(Machine(**whole["machine"]), whole["by"], panels)


def _width(panel: Panel) -> float:
    groups = len({box["at"] for box in panel.boxes})
    return max(2.5, len(panel.boxes) * BOX + groups * GROUP_GAP + 0.2)


def _draw_panel(axes: Axes, panel: Panel, by: str, scale: float) -> None:
    names = sorted({_name(box) for box in panel.boxes})
    ticks, x = {}, GROUP_GAP
    for at in sorted({box["at"] for box in panel.boxes}):
        here = sorted((box for box in panel.boxes if box["at"] == at), key=_name)
        ticks[x + BOX * (len(here) - 1) / 2] = str(at)
        for box in here:
            colour = COLOURS[names.index(_name(box)) % len(COLOURS)]
            keys = {
                **{"whislo": "whisker_low", "q1": "quartile_low", "med": "median"},
                **{"q3": "quartile_high", "whishi": "whisker_high"},
                **{"cilo": "median_low", "cihi": "median_high"},
            }
            stats = {key: box[field] / scale for key, field in keys.items()}
            stats["fliers"] = [value / scale for value in (*box["below"], *box["above"])]
            lines = {"color": colour, "lw": 1}
            axes.bxp(
                [stats],
                positions=[x],
                widths=BOX * 0.75,
                shownotches=box["launches"] > 1,
                patch_artist=True,
                manage_ticks=False,
                boxprops={"facecolor": colour + "33", "edgecolor": colour, "lw": 1},
                medianprops={"color": INK, "lw": 1.2},
                whiskerprops=lines,
                capprops=lines,
                flierprops={"marker": ".", "ms": 2, "mec": colour, "mfc": colour},
            )
            x += BOX
        x += GROUP_GAP
    axes.set_xlim(0, x)
    axes.set_xticks(list(ticks), list(ticks.values()), fontsize=7)
    axes.set_xlabel(AXES[by], fontsize=8, color=FAINT)
    axes.set_yscale("log")
    label_log(axes.yaxis)
    axes.set_title(panel.title, loc="left", fontsize=9, fontweight="bold", color=INK)
    axes.tick_params(labelsize=7, length=2, labelcolor=INK)
    axes.grid(axis="y", color="#e5e5e5", lw=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    handles = [plt.Rectangle((0, 0), 1, 1, fc=f"{each}33", ec=each) for each in colours]
    where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "fontsize": 8, "frameon": False}
    axes.legend(handles, names, **where)


def _range(counts: list[int]) -> str:
    few, many = min(counts), max(counts)
    return str(few) if few == many else f"{few} to {many}"


def draw(spread: Spread) -> Figure:
    """A panel below the other, each with its key beside it."""
    key = KEY + LETTER * max(len(_name(box)) for panel in spread.panels for box in panel.boxes)
    width = max(6.0, LEFT + max(_width(panel) for panel in spread.panels) + key)
    step = ABOVE + PANEL_HEIGHT + BELOW
    page = Page(width, HEAD + len(spread.panels) * step + FOOT)
    medians = [box["median"] for panel in spread.panels for box in panel.boxes]
    units = UNITS["time"]
    scale, unit = next((each for each in units if min(medians) >= each[0]), units[-1])
    for number, panel in enumerate(spread.panels):
        top = HEAD + number * step + ABOVE
        axes = page.axes(LEFT, top, _width(panel), PANEL_HEIGHT)
        _draw_panel(axes, panel, spread.by, scale)
        axes.set_ylabel(f"time, {unit}", fontsize=8, color=FAINT)
    counts = [box["samples"] for panel in spread.panels for box in panel.boxes]
    launches = [box["launches"] for panel in spread.panels for box in panel.boxes]
    page.text(0.15, "How much samples differ", fontsize=12, fontweight="bold", color=INK)
    page.line(0.42, spread.machine.describe())
    note = (
        f"A box: {_range(counts)} samples of {_range(launches)} launches. Notch: 95 % interval of"
        " the median over launches. Dots: samples beyond the whiskers."
        + ("" if min(launches) == max(launches) else " Boxes of different launches don't compare.")
    )
    lines = textwrap.wrap(note, int((width - 0.4) / (LETTER * 0.85)))
    page.text(page.height - 0.12 - NOTE_LINE * len(lines), "\n".join(lines), fontsize=7)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_spread))
