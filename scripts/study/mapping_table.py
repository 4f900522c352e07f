# SPDX-License-Identifier: BSD-3-Clause
"""The ratios of a mapping study in Markdown, each with its interval."""
from __future__ import annotations

from figure import size_text
from mapping_data import HIERARCHICAL, RR, SEQ, STAR, Curve, Estimate, Panel

# What is compared, and what the paper says of it.
RATIOS: list[tuple[str, Curve, Curve]] = [
    ("ring RR / SEQ", RR, SEQ),
    ("Ring\\* RR / ring SEQ", STAR, SEQ),
    ("hierarchical RR / Ring\\* RR", HIERARCHICAL, STAR),
]


def ratio_text(estimate: Estimate | None) -> str:
    """2.03 (2.01 to 2.06)"""
    if estimate is None:
        return ""
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def table(panel: Panel) -> str:
    """A row for each size, and one for all sizes together."""
    place = panel.place
    heads = ["message", "ring SEQ, ms", *(name for name, _, _ in RATIOS), "launches"]
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1)]
    for size in panel.sizes:
        seconds = panel.seconds(SEQ, size)
        lines.append([
            size_text(size),
            "" if seconds is None else f"{seconds.value * 1e3:.3g}",
            *(ratio_text(panel.ratio(above, below, size)) for _, above, below in RATIOS),
            "" if seconds is None else str(seconds.count),
        ])
    means = [panel.mean_ratio(above, below, panel.sizes) for _, above, below in RATIOS]
    lines.append(["all", "", *map(ratio_text, means), ""])
    title = f"{place.machine}, {place.nodes} nodes x {place.procs_per_node}"
    return f"**{title}**\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)
