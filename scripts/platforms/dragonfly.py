#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a SimGrid platform: a dragonfly of groups, each of chassis with routers, over equal hosts.

The routers of a chassis are all joined, as are those in the same place of each chassis of a group,
and every two groups by a link. Messages within a host don't disturb each other.
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
    parser.add_argument("--chassis", required=True, type=whole, help="of a group")
    parser.add_argument("--routers", required=True, type=whole, help="of a chassis")
    parser.add_argument("--hosts", required=True, type=whole, help="of a router")
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
