#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How do the candidates' times, bandwidths or speedups change with size or processes?

Seconds, bytes of the message per second, a baseline's time / this one's, or the other way round as
some papers do (no unit), by message size (bytes), number of processes, or processes per node. As
the figures of the papers that docs/results/papers.md lists.
"""
from __future__ import annotations

import json
import sys
import textwrap
from dataclasses import dataclass, field

from algorithm_names import display_name
from cells import COUNTS_ONE_BLOCK, NATIVE, Machine, UsageError
from command_line import run
from figure import FAINT, INK, LETTER, NOTE_LINE, Page, label_log, plt, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

# Paul Tol's "bright" scheme and a few more, and a mark for each, so that no one needs the colours.
COLOURS = (
    *("#4477aa", "#ee6677", "#228833", "#aa7700", "#66ccee", "#aa3377", "#777777"),
    *("#222222", "#99aa00", "#bb88cc"),
)
MARKS = ("o", "s", "^", "D", "v", "P", "x", "<", ">", "*")
LINES = ("-", "--", ":")
ACROSS = 3
PANEL_WIDTH, ALONE_WIDTH, PANEL_HEIGHT = 3.3, 4.8, 2.5  # inches, as all below
LEFT, GAP, ABOVE, BELOW, HEAD, FOOT, KEY_LINE = 0.75, 0.65, 0.3, 0.6, 0.8, 0.4, 0.18
NEAR_BEST = 0.03  # of tuner/decision.hpp
AXES = {
    "procs": "processes",
    "procs_per_node": "processes on a node",
}
RATIOS = ("speedup", "relative_time")
UNITS = {
    "time": ((1, "s"), (1e-3, "ms"), (1e-6, "us")),
    "bandwidth": ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")),
}


@dataclass(frozen=True)
class Point:
    """A time or ratio and its interval."""

    at: int
    value: float
    low: float
    high: float
    launches: int
    oversubscribed: bool


def _what(collective: str, algorithm: str) -> str:
    """In words; a mock-up as the guideline that it is the right side of."""
    if algorithm == NATIVE and collective:
        return f"library's {collective}"
    if algorithm.startswith("native:"):
        return f"{collective} as {algorithm.removeprefix('native:')}".strip()
    return f"{collective} {display_name(algorithm)}".strip()


@dataclass(frozen=True, order=True)
class Name:
    """What a curve is of. Texts are empty where all curves of the page share them."""

    collective: str
    algorithm: str
    params: str
    mapping: str

    def words(self) -> str:
        parts = (_what(self.collective, self.algorithm), self.params.replace("stages=", ""))
        return " ".join(part for part in (*parts, self.mapping) if part)


@dataclass
class Panel:
    """One problem."""

    title: str
    collective: str  # empty where several meet at equal vectors
    least_bytes: int
    most_bytes: int
    curves: dict[Name, list[Point]] = field(default_factory=dict)


@dataclass
class Curves:
    """A page."""

    machine: Machine
    by: str
    quantity: str
    baseline: str
    panels: list[Panel]

    @property
    def names(self) -> list[Name]:
        return sorted({name for panel in self.panels for name in panel.curves})

    @property
    def points(self) -> list[Point]:
        return [each for panel in self.panels for line in panel.curves.values() for each in line]


def _heading(panel: dict) -> str:
    op = panel["op"] or "none"
    parts = [panel["collective"] or "", op if op not in ("none", "sum") else ""]
    if panel["counts"] != "equal":
        parts.append(f"{panel['counts']} counts")
    words = " ".join(part for part in parts if part)
    sizes = []
    if panel["procs"]:
        sizes.append(f"p = {panel['procs']}")
    nodes, each = panel["nodes"], panel["procs_per_node"]
    if nodes and nodes > 1:
        sizes.append(f"{nodes} nodes of {each}" if each else f"{nodes} nodes")
    elif each and not panel["procs"]:
        sizes.append(f"{each} on a node")
    if panel["least_bytes"] == panel["most_bytes"]:
        sizes.append(size_text(panel["least_bytes"]))
    return ", ".join([words, *sizes] if words else sizes)


def read_curves(text: str) -> Curves:
    whole = json.loads(text)
    mappings = {line["mapping"] for panel in whole["panels"] for line in panel["lines"]}
    panels = []
    for each in whole["panels"]:
        sizes = each["least_bytes"], each["most_bytes"]
        panel = Panel(_heading(each), each["collective"] or "", *sizes)
        for line in each["lines"]:
            mapping = line["mapping"] if len(mappings) > 1 else ""
            name = Name(line["collective"] or "", line["algorithm"], line["params"], mapping)
            panel.curves[name] = [Point(**point) for point in line["points"]]
        panels.append(panel)
    machine = Machine(**whole["machine"])
    baseline = f"{whole['baseline']} {whole['baseline_mapping']}".strip()
    if not panels:
        raise UsageError(f"nothing was measured together with '{baseline}' on {machine.describe()}")
    return Curves(machine, whole["by"], whole["quantity"], baseline, panels)


def _unit(quantity: str, values: list[float]) -> tuple[float, str]:
    """In which all values read well; the least one's, so that none is 0.000."""
    for scale, unit in UNITS.get(quantity, ((1, ""),)):
        if min(values) >= scale:
            return scale, unit
    return UNITS[quantity][-1] if quantity in UNITS else (1, "")


def _style(number: int) -> dict:
    """Later curves are thinner, so that they hide no earlier one."""
    look = number % len(COLOURS)
    return {
        **{"color": COLOURS[look], "marker": MARKS[look]},
        **{"ms": max(3.0, 5.5 - 0.6 * number), "lw": max(1.0, 1.9 - 0.25 * number)},
        "ls": LINES[number // len(COLOURS) % len(LINES)],
    }


def _label_places(axes: Axes, by: str, places: list[int]) -> None:
    """At most some seven labels; sizes and large ranges on a binary logarithmic axis."""
    if by == "message_bytes" or (len(places) > 1 and places[-1] >= 16 * max(places[0], 1)):
        axes.set_xscale("symlog" if places[0] == 0 else "log", base=2)
        if by == "procs":
            powers = [each for each in places if each & (each - 1) == 0]
            places = powers if len(powers) > 2 else places
    step = -(-len(places) // 7)
    text = size_text if by == "message_bytes" else str
    rotation = 30 if by == "message_bytes" else 0
    shown = places[::step]
    axes.set_xticks(shown, [text(each) for each in shown], fontsize=7, rotation=rotation)
    axes.xaxis.set_minor_locator(NullLocator())


def _scale_values(axes: Axes, curves: Curves, values: list[float]) -> None:
    wide = min(values) > 0 and max(values) > 12 * min(values)
    if curves.quantity in RATIOS:
        axes.axhline(1, color=INK, lw=0.8)
        if wide:
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, 1.08 * max(*values, 1))
    elif curves.quantity == "bandwidth" or not wide:
        axes.set_ylim(0, 1.08 * max(values))
    else:
        axes.set_yscale("log")
    if axes.get_yscale() == "log":
        low, high = min(values) / 1.25, max(values) * 1.25
        axes.set_ylim(low, high)
        label_log(axes.yaxis)


def _draw_panel(axes: Axes, panel: Panel, curves: Curves, scale: float) -> None:
    names = curves.names
    for name, points in panel.curves.items():
        at = [point.at for point in points]
        style = _style(names.index(name))
        if len(at) > 40:  # dots that touch hide the curve
            style["ms"] = 1.5
        axes.plot(at, [point.value / scale for point in points], **style)
        turns = [point for point in points if point.oversubscribed]
        if turns:
            hollow = {**style, "ls": "", "mfc": "white"}
            axes.plot([each.at for each in turns], [each.value / scale for each in turns], **hollow)
        band = ([each.low / scale for each in points], [each.high / scale for each in points])
        axes.fill_between(at, *band, color=style["color"], alpha=0.15, lw=0)
    if curves.quantity in RATIOS:
        axes.axhspan(1 / (1 + NEAR_BEST), 1 + NEAR_BEST, color="#dddddd", lw=0, zorder=0)
    everything = [point for line in panel.curves.values() for point in line]
    _label_places(axes, curves.by, sorted({point.at for point in everything}))
    whole = "one process's block" if panel.collective in COUNTS_ONE_BLOCK else "whole vector"
    axis = f"message: {whole}" if curves.by == "message_bytes" else AXES[curves.by]
    axes.set_xlabel(axis, fontsize=8, color=FAINT)
    axes.set_title(panel.title, loc="left", fontsize=9, fontweight="bold", color=INK)
    axes.tick_params(labelsize=7, length=2, labelcolor=INK)
    axes.grid(axis="y", color="#e5e5e5", lw=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _note(curves: Curves) -> str:
    launches = [point.launches for point in curves.points]
    few, many = min(launches), max(launches)
    notes = [f"{few if few == many else f'{few} to {many}'} launch{'' if many == 1 else 'es'}."]
    if many > 1:
        notes.append("Bands: 95 % interval.")
    if any(point.launches == 1 and point.low == point.high for point in curves.points):
        notes.append("Problems of one launch have none.")
    if curves.quantity in RATIOS and curves.by != "message_bytes":
        ranges = sorted({(panel.least_bytes, panel.most_bytes) for panel in curves.panels})
        texts = [f"{size_text(low)} to {size_text(high)}" for low, high in ranges if low != high]
        if texts:
            notes.append(f"Mean over messages of {', '.join(texts)}.")
    if any(point.oversubscribed for point in curves.points):
        notes.append("Hollow: more processes than cores, which take turns.")
    if curves.quantity in RATIOS:
        notes.append(f"Grey: within {100 * NEAR_BEST:g} %, as good for a table.")
    return " ".join(notes)


def _title(curves: Curves) -> str:
    if curves.quantity in RATIOS:
        collective, _, algorithm = curves.baseline.removeprefix("native:").rpartition("/")
        mock_up = "native:" if curves.baseline.startswith("native:") else ""
        baseline = _what(collective, mock_up + algorithm)
        if curves.quantity == "speedup":
            return f"Time of {baseline} / that of each: above 1 faster"
        return f"Time / time of {baseline}: above 1 slower"
    return "Time" if curves.quantity == "time" else "Bandwidth: message / time"


def draw(curves: Curves) -> Figure:
    """Panels in lines of three, with the same scale of values, above one key."""
    values = [each for point in curves.points for each in (point.low, point.high)]
    scale, unit = _unit(curves.quantity, values)
    panels, names = curves.panels, curves.names
    across = min(ACROSS, len(panels))
    panel_width = PANEL_WIDTH if across > 1 else ALONE_WIDTH
    step_x, step_y = panel_width + GAP, ABOVE + PANEL_HEIGHT + BELOW
    width = LEFT + across * step_x
    longest = max(len(name.words()) for name in names)
    key_step = LETTER * longest * 1.05 + 0.65
    key_across = max(1, min(len(names), int((width - 0.4) / key_step)))
    key_lines = -(-len(names) // key_across)
    lines = -(-len(panels) // across)
    notes = textwrap.wrap(_note(curves), int((width - 0.4) / (LETTER * 0.85)))
    height = HEAD + key_lines * KEY_LINE + lines * step_y + FOOT + NOTE_LINE * (len(notes) - 1)
    page = Page(width, height)
    for number, panel in enumerate(panels):
        left = LEFT + number % across * step_x
        top = HEAD + key_lines * KEY_LINE + number // across * step_y + ABOVE
        axes = page.axes(left, top, panel_width, PANEL_HEIGHT)
        _draw_panel(axes, panel, curves, scale)
        _scale_values(axes, curves, [value / scale for value in values])
        if number % across == 0:
            label = f"{curves.quantity}, {unit}" if unit else curves.quantity.replace("_", " ")
            axes.set_ylabel(label, fontsize=8, color=FAINT)
    handles = [plt.Line2D([], [], **_style(number)) for number in range(len(names))]
    corner = (0.12 / width, 1 - (HEAD - 0.12) / height)
    place = {"loc": "upper left", "bbox_to_anchor": corner, "borderpad": 0}
    page.figure.legend(
        *(handles, [name.words() for name in names]),
        **{**place, "ncol": key_across, "fontsize": 8, "frameon": False, "labelspacing": 0.3},
    )
    page.text(0.15, _title(curves), fontsize=12, fontweight="bold", color=INK)
    page.line(0.42, curves.machine.describe())
    page.text(height - FOOT - NOTE_LINE * (len(notes) - 1) + 0.1, "\n".join(notes), fontsize=7)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_curves))
