# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of a mapping study: bandwidth by message size, and what a mapping costs by Q."""
from __future__ import annotations

from collections import defaultdict

from figure import FAINT, INK, plt, size_text
from mapping_data import CURVES, HIERARCHICAL, RR, SEQ, STAR, Curve, Estimate, Panel

from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH, HEIGHT = 2.9, 2.4  # of a panel, inches
# Paul Tol's "bright" scheme, and a mark for each, so that no one needs the colours.
LOOKS = {
    SEQ: ("#4477aa", "o", "-"),
    RR: ("#ee6677", "s", "-"),
    STAR: ("#228833", "x", "--"),
    HIERARCHICAL: ("#999933", "^", ":"),
}
# In terms of time: above 1 the first is the slower one.
COSTS: list[tuple[str, Curve, Curve, str, str]] = [
    ("ring RR / ring SEQ", RR, SEQ, "#ee6677", "s"),
    ("Ring* RR / ring SEQ", STAR, SEQ, "#228833", "x"),
    ("hierarchical RR / Ring* RR", HIERARCHICAL, STAR, "#999933", "^"),
]
NOTE = "Mark: median over launches. Bar: its 95% interval, of fewer than six launches their range."


def draw_bandwidths(panels: list[Panel], procs_per_node: dict[str, int]) -> Figure:
    """A line of panels for each machine, one for each number of nodes."""
    shown = [p for p in panels if p.place.procs_per_node == procs_per_node[p.place.machine]]
    machines = sorted({each.place.machine for each in shown})
    nodes = sorted({each.place.nodes for each in shown})
    figure, grid = plt.subplots(
        len(machines),
        len(nodes),
        figsize=(WIDTH * len(nodes) + 0.9, HEIGHT * len(machines) + 1.1),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for row, machine in zip(grid, machines):
        for axes, count in zip(row, nodes):
            found = [p for p in shown if (p.place.machine, p.place.nodes) == (machine, count)]
            if found:
                _draw_panel(axes, found[0])
            else:
                axes.set_axis_off()
        row[0].set_ylabel("bandwidth, MB/s", fontsize=8, color=FAINT)
    note = f"Message: the whole vector. {NOTE}"
    _frame(figure, grid[0][0], "Bandwidth of allreduce by mapping", note)
    return figure


def _frame(figure: Figure, first: Axes, title: str, note: str) -> None:
    """Title, key below it and note; its empty lines make room for the key."""
    figure.suptitle(f"{title}\n\n", x=0.02, ha="left", fontsize=12, fontweight="bold", color=INK)
    handles, labels = first.get_legend_handles_labels()
    where = (0.5, 1 - 0.25 / figure.get_figheight())
    place = {"loc": "upper center", "bbox_to_anchor": where, "ncol": 4}
    figure.legend(handles, labels, **place, fontsize=8, frameon=False)
    figure.supxlabel(note, fontsize=7, color=FAINT, x=0.02, ha="left")


def _bars(estimates: list[Estimate], scale: float) -> list[list[float]]:
    return [
        [(each.value - each.low) * scale for each in estimates],
        [(each.high - each.value) * scale for each in estimates],
    ]


def _draw_panel(axes: Axes, panel: Panel) -> None:
    place, sizes = panel.place, panel.sizes
    for curve in CURVES:
        found = [(size, panel.bandwidth(curve, size)) for size in sizes]
        points = [(size, estimate) for size, estimate in found if estimate is not None]
        if not points:
            continue
        estimates = [estimate for _, estimate in points]
        colour, mark, line = LOOKS[curve]
        axes.errorbar(
            [size for size, _ in points],
            [each.value / 1e6 for each in estimates],
            yerr=_bars(estimates, 1e-6),
            **{"color": colour, "marker": mark, "ls": line, "label": curve.label},
            **{"lw": 1.2, "ms": 4, "elinewidth": 0.8, "capsize": 1.5},
        )
    axes.set_xscale("log", base=2)
    labelled = sizes if len(sizes) <= 5 else sizes[::2]
    axes.set_xticks(labelled, [size_text(size) for size in labelled], fontsize=7, rotation=30)
    axes.set_xticks([], minor=True)
    axes.set_ylim(bottom=0)
    title = f"{place.machine}, M = {place.nodes}, Q = {place.procs_per_node}"
    axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.tick_params(labelsize=7, labelcolor=INK, length=2)
    axes.grid(axis="y", color=FAINT, alpha=0.15)
    axes.spines[["top", "right"]].set_visible(False)


def growing_nodes(panels: list[Panel]) -> dict[str, list[Panel]]:
    """By machine: the panels of the most nodes that several numbers of processes were put on."""
    by_nodes: dict[tuple[str, int], list[Panel]] = defaultdict(list)
    for panel in panels:
        by_nodes[panel.place.machine, panel.place.nodes].append(panel)
    found: dict[str, list[Panel]] = {}
    for (machine, _), several in sorted(by_nodes.items()):  # the later ones have more nodes
        if len(several) > 1:
            found[machine] = sorted(several, key=lambda panel: panel.place)
    return found


def draw_growth(chosen: dict[str, list[Panel]]) -> Figure:
    """What the mapping costs as nodes get more processes: means over the sizes that all have."""
    figure, grid = plt.subplots(
        1,
        len(chosen),
        figsize=(max(WIDTH * len(chosen) + 0.9, 5.5), HEIGHT + 1.1),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, (machine, panels) in zip(grid[0], chosen.items()):
        sizes = sorted(set.intersection(*(set(panel.sizes) for panel in panels)))
        for label, above, below, colour, mark in COSTS:
            found = [(p.place.procs_per_node, p.mean_ratio(above, below, sizes)) for p in panels]
            points = [(each, estimate) for each, estimate in found if estimate is not None]
            axes.errorbar(
                [each for each, _ in points],
                [estimate.value for _, estimate in points],
                yerr=_bars([estimate for _, estimate in points], 1),
                **{"color": colour, "marker": mark, "label": label},
                **{"lw": 1.2, "ms": 4, "elinewidth": 0.8, "capsize": 1.5},
            )
        axes.axhline(1, color=FAINT, lw=0.6)
        axes.set_ylim(bottom=0)
        counts = [panel.place.procs_per_node for panel in panels]
        axes.set_xticks(counts, [str(each) for each in counts])
        axes.set_xlabel("Q, processes on a node", fontsize=8, color=FAINT)
        title = f"{machine}, M = {panels[0].place.nodes}"
        axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
        _plain(axes)
    grid[0][0].set_ylabel("time / time, mean over sizes", fontsize=8, color=FAINT)
    _frame(figure, grid[0][0], "What the mapping costs as nodes get more processes", NOTE)
    return figure
