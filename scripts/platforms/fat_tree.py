#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a SimGrid platform: a fat tree of switches over equal hosts.

Levels are counted from the hosts up. With --down 4,8 a leaf switch has 4 hosts and a switch above it
reaches 8 leaf switches, 32 hosts in all; with --up 1,4 a host has one leaf switch and a leaf switch
4 switches above it. A tree with fewer links up than down (4 hosts, --up 1,2) is oversubscribed.
Messages within a host do not share bandwidth.
"""
from __future__ import annotations

import math
import sys

from cluster import add_links, write_cluster
from platform_file import Parser, UsageError, run, wholes

EXAMPLES = """\
  fat_tree.py --down 4,4 --up 1,4 --out fat_tree.xml
  fat_tree.py --down 32,32 --up 1,16 --link-bytes-per-s 12.5e9 --out oversubscribed.xml
  breakeven sweep --machine smpi:fat_tree.xml,hosts=16 --procs 16 --db simulated.db"""


def make(arguments: list[str]) -> None:
    parser = Parser(__doc__ or "", EXAMPLES)
    parser.add_argument("--down", required=True, type=wholes, help="links down from a switch of each level")
    parser.add_argument("--up", required=True, type=wholes, help="links up from each host or switch of each level")
    parser.add_argument("--parallel", type=wholes, help="parallel links per connection at each level [1]")
    add_links(parser)
    options = parser.parse_args(arguments)
    levels = len(options.down)
    parallel = options.parallel or [1] * levels
    if not levels == len(options.up) == len(parallel):
        raise UsageError(
            f"--down has {levels} levels, --up {len(options.up)}, --parallel {len(parallel)}; "
            "as many in each"
        )
    parts = [",".join(map(str, counts)) for counts in (options.down, options.up, parallel)]
    parameters = ";".join([str(levels), *parts])
    write_cluster(options, math.prod(options.down), "FAT_TREE", parameters)


if __name__ == "__main__":
    sys.exit(run(make))
