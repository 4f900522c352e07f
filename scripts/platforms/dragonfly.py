#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a SimGrid platform: a dragonfly of groups, each of chassis with routers, over equal hosts.

Links join all routers of a chassis, all routers at the same position in the chassis of a group, and
every two groups. Messages within a host do not share bandwidth.
"""
from __future__ import annotations

import sys

from cluster import add_links, write_cluster
from platform_file import Parser, UsageError, run, whole

EXAMPLES = """\
  dragonfly.py --groups 4 --chassis 2 --routers 4 --hosts 2 --out dragonfly.xml
  dragonfly.py --groups 8 --chassis 4 --routers 8 --hosts 4 --group-links 3 --out large.xml
  breakeven sweep --machine smpi:dragonfly.xml,hosts=64 --procs 64 --db simulated.db"""


def make(arguments: list[str]) -> None:
    parser = Parser(__doc__ or "", EXAMPLES)
    parser.add_argument("--groups", required=True, type=whole)
    parser.add_argument("--chassis", required=True, type=whole, help="chassis in a group")
    parser.add_argument("--routers", required=True, type=whole, help="routers in a chassis")
    parser.add_argument("--hosts", required=True, type=whole, help="hosts of a router")
    for name, between in (("group", "groups"), ("chassis", "chassis"), ("router", "routers")):
        parser.add_argument(
            f"--{name}-links", type=whole, default=1, help=f"in parallel between two {between} [1]"
        )
    add_links(parser)
    options = parser.parse_args(arguments)
    # SimGrid finds the way to a group by its number among the routers of one chassis.
    if options.groups > options.routers:
        raise UsageError(
            f"{options.groups} groups asked for; SimGrid takes as many as a chassis has routers, "
            f"{options.routers}, at most"
        )
    parameters = (
        f"{options.groups},{options.group_links};{options.chassis},{options.chassis_links};"
        f"{options.routers},{options.router_links};{options.hosts}"
    )
    hosts = options.groups * options.chassis * options.routers * options.hosts
    write_cluster(options, hosts, "DRAGONFLY", parameters)


if __name__ == "__main__":
    sys.exit(run(make))
