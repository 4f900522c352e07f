#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How do the candidates' times, bandwidths or speedups change with size or processes?

Seconds, bytes of the message per second, a baseline's time / this one's, or the other way round as
some papers do (no unit), by message size (bytes), number of processes, or processes per node. As
the figures of the papers that docs/results/papers.md lists.
"""
from __future__ import annotations

import sys

from figure import INK, FAINT, LETTER, count_text, NOTE_LINE, Page, describe, label_log, label_panel, note_lines, plt, run, size_text

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
LEFT, GAP, ABOVE, BELOW, HEAD, FOOT, KEY_LINE = 0.75, 0.65, 0.3, 0.6, 0.84, 0.4, 0.143
RATIOS = ("speedup", "relative_time")
UNITS = {
    "time": ((1, "s"), (1e-3, "ms"), (1e-6, "us")),
    "bandwidth": ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")),
}


def points_of(curves: dict) -> list[dict]:
    return [point for panel in curves["panels"] for line in panel["lines"] for point in line["points"]]


def _unit(quantity: str, values: list[float]) -> tuple[float, str]:
    """In which all values read well; the least one's, so that none is 0.000."""
    for scale, unit in UNITS.get(quantity, ((1, ""),)):
        if min(values) >= scale:
            return scale, unit
    return UNITS[quantity][-1] if quantity in UNITS else (1, "")


def _style(number: int) -> dict:
    """Later curves are thinner, so that they hide no earlier one; colours that return have other marks."""
    around, look = divmod(number, len(COLOURS))
    return {
        **{"color": COLOURS[look], "marker": MARKS[(look + around) % len(MARKS)]},
        **{"ms": max(3.0, 5.5 - 0.6 * number), "lw": max(1.0, 1.9 - 0.25 * number)},
        "ls": LINES[around % len(LINES)],
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


def _scale_values(axes: Axes, curves: dict, values: list[float]) -> None:
    wide = min(values) > 0 and max(values) > 12 * min(values)
    if curves["quantity"] in RATIOS:
        axes.axhline(1, color=INK, lw=0.8)
        if wide:
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, 1.08 * max(*values, 1))
    elif curves["quantity"] == "bandwidth" or not wide:
        axes.set_ylim(0, 1.08 * max(values))
    else:
        axes.set_yscale("log")
    if axes.get_yscale() == "log":
        low, high = min(values) / 1.25, max(values) * 1.25
        axes.set_ylim(low, high)
        label_log(axes.yaxis)


def _draw_panel(axes: Axes, panel: dict, curves: dict, scale: float) -> None:
    for line in panel["lines"]:
        points = line["points"]
        at, values, lows, highs = ([point[key] for point in points] for key in ("at", "value", "low", "high"))
        style = _style(curves["names"].index(line["name"]))
        if len(at) > 40:  # dots that touch hide the curve
            style["ms"] = 1.5
        axes.plot(at, [value / scale for value in values], **style)
        turns = [point for point in points if point["oversubscribed"]]
        if turns:
            hollow = {**style, "ls": "", "mfc": "white"}
            axes.plot([each["at"] for each in turns], [each["value"] / scale for each in turns], **hollow)
        band = ([low / scale for low in lows], [high / scale for high in highs])
        axes.fill_between(at, *band, color=style["color"], alpha=0.15, lw=0)
    if curves["quantity"] in RATIOS:
        near = 1 + curves["near_best"]
        axes.axhspan(1 / near, near, color="#dddddd", lw=0, zorder=0)
    places = sorted({point["at"] for line in panel["lines"] for point in line["points"]})
    label_panel(axes, panel["title"], panel["axis"])
    _label_places(axes, curves["by"], places)


def _notes(curves: dict) -> str:
    points = points_of(curves)
    launches = [point["launches"] for point in points]
    notes = [f"{count_text(launches, 'launch', 'launches')}."]
    if max(launches) > 1:
        notes.append("Bands: 95 % interval.")
        if any(point["launches"] == 1 and point["low"] == point["high"] for point in points):
            notes.append("Problems of one launch have none.")
    is_ratio = curves["quantity"] in RATIOS
    if is_ratio and curves["by"] != "message_bytes":
        ranges = sorted({(panel["least_bytes"], panel["most_bytes"]) for panel in curves["panels"]})
        texts = [f"{size_text(low)} to {size_text(high)}" for low, high in ranges if low != high]
        if texts:
            notes.append(f"Mean over messages of {', '.join(texts)}.")
    if any(point["oversubscribed"] for point in points):
        notes.append("Hollow: more processes than cores, which take turns.")
    if is_ratio:
        notes.append(f"Grey: within {100 * curves['near_best']:g} %, as good for a table.")
    return " ".join(notes)


def draw(curves: dict) -> Figure:
    """Panels in lines of three, with the same scale of values, above one key."""
    values = [point[end] for point in points_of(curves) for end in ("low", "high")]
    quantity, panels, names = curves["quantity"], curves["panels"], curves["names"]
    scale, unit = _unit(quantity, values)
    across = min(ACROSS, len(panels))
    panel_width = PANEL_WIDTH if across > 1 else ALONE_WIDTH
    step_x, step_y = panel_width + GAP, ABOVE + PANEL_HEIGHT + BELOW
    width = LEFT + across * step_x
    key_step = LETTER * max(map(len, names)) * 1.05 + 0.65
    key_across = max(1, min(len(names), int((width - 0.4) / key_step)))
    key_lines = -(-len(names) // key_across)
    notes = note_lines([_notes(curves)], width)
    height = HEAD + key_lines * KEY_LINE + -(-len(panels) // across) * step_y
    page = Page(width, height + FOOT + NOTE_LINE * (len(notes) - 1))
    for number, panel in enumerate(panels):
        left = LEFT + number % across * step_x
        top = HEAD + key_lines * KEY_LINE + number // across * step_y + ABOVE
        axes = page.axes(left, top, panel_width, PANEL_HEIGHT)
        _draw_panel(axes, panel, curves, scale)
        _scale_values(axes, curves, [value / scale for value in values])
        if number % across == 0:
            label = f"{quantity}, {unit}" if unit else quantity.replace("_", " ")
            axes.set_ylabel(label, fontsize=8, color=FAINT)
    handles = [plt.Line2D([], [], **_style(number)) for number in range(len(names))]
    corner = (0.12 / page.width, 1 - (HEAD - 0.16) / page.height)
    place = {"loc": "upper left", "bbox_to_anchor": corner, "borderpad": 0, "labelspacing": 0.3}
    page.figure.legend(handles, names, **place, ncol=key_across, fontsize=8, frameon=False)
    page.head(curves["title"], describe(curves["machine"]))
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
