#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What does a mapping cost the ring allreduce, and does reordering ranks give it back?

Repeats figures 3 to 6 of [ricogallego2014]: ring with the mappings seq and rr, Ring* (rr, reordered)
and hierarchical. With --breakeven it first measures on emulated clusters what the databases in --data
lack; after a kill the same command resumes. Each panel shows one machine with one number of nodes;
--db adds sweeps of other machines. Writes mapping_bandwidth.png (figures 3 to 5: M nodes) and
mapping_growth.png (figure 6: Q processes per node on the largest M), and prints the ratios as
Markdown or puts them into a document between its two comments "ratios" (--doc).

  mapping.py --data study --breakeven build/release/bin/breakeven --out docs
  mapping.py --data study --db smpi.db --out docs        # draw again, with a simulated machine
"""
from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plots"))

from cluster_sweeps import Layout, Sweeps
from command_line import Parser, save
from cells import UsageError
from mapping_data import Panel, machine_family, read_panels
from mapping_figure import draw_bandwidths, draw_growth, growing_nodes
from mapping_table import table

LIBRARIES = ("mpich", "openmpi")


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder of the study's databases")
    parser.add_argument(
        *("--db",), type=Path, action="append", default=[], metavar="FILE", help="further database"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="for pictures")
    parser.add_argument("--doc", type=Path, metavar="FILE", help="document that receives the ratios")
    parser.add_argument("--breakeven", type=Path, metavar="PATH", help="measure with this program [only draw]")
    parser.add_argument(
        "--libraries", default=",".join(LIBRARIES), metavar="LIST", help="[%(default)s]"
    )
    parser.add_argument("--nodes", default="2,4,8", metavar="LIST", help="M [%(default)s]")
    parser.add_argument("--procs-per-node", type=int, default=2, metavar="Q", help="[%(default)s]")
    parser.add_argument("--bytes", default="8K:4M", metavar="SIZES", help="[%(default)s]")
    parser.add_argument(
        "--growth", default="1,4", metavar="LIST", help="further Q on the largest M [%(default)s]"
    )
    parser.add_argument("--growth-bytes", default="256K,1M", metavar="SIZES", help="[%(default)s]")
    parser.add_argument("--rate", default="100mbit", help="of each link [%(default)s]")
    parser.add_argument("--launches", type=int, default=5, metavar="N", help="[%(default)s]")
    parser.add_argument(
        "--case-budget-s", type=float, default=0.25, metavar="S", help="per case in a launch [%(default)s]"
    )
    return parser.parse_args(arguments)


def _counts(text: str, option: str, least: int) -> list[int]:
    """2,4,8; '' is none."""
    parts = [part for part in text.split(",") if part]
    if not all(part.isdecimal() and int(part) >= least for part in parts):
        raise UsageError(f"{option} '{text}' is not a list of numbers from {least} on, as 2,4,8")
    return sorted({int(part) for part in parts})


def _sweeps(options: argparse.Namespace) -> Sweeps:
    nodes = _counts(options.nodes, "--nodes", 2)
    growth = _counts(options.growth, "--growth", 1)
    libraries = options.libraries.split(",")
    unknown = [each for each in libraries if each not in LIBRARIES]
    if unknown:
        raise UsageError(f"--libraries has '{unknown[0]}'; possible are {', '.join(LIBRARIES)}")
    if not nodes or options.procs_per_node < 1 or options.launches < 1:
        raise UsageError("--nodes, --procs-per-node and --launches have to be positive")
    if options.data is None:
        raise UsageError("--breakeven needs --data, where databases are kept")
    if not os.access(options.breakeven, os.X_OK) or options.breakeven.is_dir():
        raise UsageError(f"--breakeven '{options.breakeven}' is no program")
    layouts = [Layout(count, options.procs_per_node, options.bytes) for count in nodes]
    layouts += [
        Layout(nodes[-1], each, options.growth_bytes)
        for each in growth
        if each != options.procs_per_node
    ]
    return Sweeps(
        breakeven=options.breakeven.resolve(),
        folder=options.data.resolve(),
        libraries=libraries,
        layouts=layouts,
        rate=options.rate,
        launches=options.launches,
        case_budget_s=options.case_budget_s,
    )


def short_name(machine: str) -> str:
    """mpich, SMPI cluster: without what a panel says besides, and without folders."""
    return re.sub(r"^smpi:(?:.*/)?([^/,]*?)(?:\.xml)?(?=,|$)", r"SMPI \1", machine_family(machine))


def usual_procs_per_node(panels: list[Panel]) -> dict[str, int]:
    """By machine: the number that most panels have, as only those show what nodes do."""
    counts: dict[str, Counter[int]] = {}
    for panel in panels:
        counts.setdefault(panel.place.machine, Counter())[panel.place.procs_per_node] += 1
    return {machine: often.most_common(1)[0][0] for machine, often in counts.items()}


def _databases(options: argparse.Namespace) -> list[Path]:
    own = sorted(options.data.glob("*.db")) if options.data else []
    if not own and not options.db:
        raise UsageError("there is no database to draw; --breakeven measures, --db names some")
    return [*own, *options.db]


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except OSError as error:
        raise UsageError(f"--doc '{file}': {error.strerror}") from error


def _replace(file: Path, text: str) -> None:
    """Writes the whole file or leaves it as it was."""
    partial = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        partial.write_text(text)
        partial.replace(file)
    except OSError as error:
        raise UsageError(f"--doc '{file}': {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def with_ratios(text: str, ratios: str) -> str:
    """The document with other ratios."""
    begin, end = re.search(r"<!-- ratios.*-->\n", text), text.find("<!-- end of ratios")
    if begin is None or end < begin.end():
        raise UsageError("--doc: the document has no comments 'ratios' and 'end of ratios'")
    return f"{text[: begin.end()]}\n{ratios}\n{text[end:]}"


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 when a case failed, 2 for a bad request."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        options = _parse(arguments)
        if not options.out.is_dir():
            raise UsageError(f"--out '{options.out}' is no folder")
        if options.doc is not None:
            with_ratios(_text(options.doc), "")  # before anything is measured
        complete = options.breakeven is None or _sweeps(options).go()
        panels = read_panels(_databases(options), short_name)
        usual = usual_procs_per_node(panels)
        save(draw_bandwidths(panels, usual), options.out / "mapping_bandwidth.png")
        growth = growing_nodes(panels)
        if growth:
            save(draw_growth(growth), options.out / "mapping_growth.png")
        ratios = "\n".join(table(panel) for panel in panels)
        if options.doc is not None:
            _replace(options.doc, with_ratios(_text(options.doc), ratios))
        else:
            print(ratios, end="")
    except UsageError as error:
        print(f"mapping.py: {error}", file=sys.stderr)
        return 2
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
