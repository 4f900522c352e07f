#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a SimGrid platform: nodes with a memory bus each, joined by one switch.

A message within a node crosses the node's bus; a message to another node crosses the bus, the link
up, the link down and the bus there. All messages on a bus share it, which makes a ring of consecutive
ranks on one node much faster. The switch has no limit.
"""
from __future__ import annotations

import sys
from argparse import Namespace
from xml.etree import ElementTree

from platform_file import (
    Parser,
    UsageError,
    not_negative,
    positive,
    rate,
    run,
    speed,
    time,
    whole,
    write_platform,
)

EXAMPLES = """\
  two_level.py --nodes 8 --cores 8 --out two_level.xml
  two_level.py --nodes 4 --cores 16 --bus-bytes-per-s 2e10 --link-bytes-per-s 1.25e10 --out fast.xml
  breakeven sweep --machine smpi:two_level.xml,hosts=8,mapping=rr --procs 64 --db simulated.db"""
MOST_NODES = 1024  # SimGrid finds all routes at once, in time that grows with the cube


def route(source: str, target: str, links: list[tuple[str, str]], both_ways: str) -> ElementTree.Element:
    """A route over links, each with the direction in which it is taken."""
    element = ElementTree.Element("route", src=source, dst=target, symmetrical=both_ways)
    for name, direction in links:
        ElementTree.SubElement(element, "link_ctn", id=name, direction=direction)
    return element


def zone_of(options: Namespace) -> ElementTree.Element:
    zone = ElementTree.Element("zone", id="cluster", routing="Floyd")
    nodes = range(options.nodes)
    for node in nodes:
        ElementTree.SubElement(
            zone,
            "host",
            id=f"node-{node}",
            speed=speed(options.core_flop_per_s),
            core=str(options.cores),
        )
    ElementTree.SubElement(zone, "router", id="switch")
    for node in nodes:
        for name, bandwidth, latency, sharing in (
            ("bus", options.bus_bytes_per_s, options.bus_latency_s, "SHARED"),
            ("link", options.link_bytes_per_s, options.link_latency_s, "SPLITDUPLEX"),
        ):
            ElementTree.SubElement(
                zone,
                "link",
                id=f"{name}-{node}",
                bandwidth=rate(bandwidth),
                latency=time(latency),
                sharing_policy=sharing,
            )
    for node in nodes:
        bus = (f"bus-{node}", "NONE")
        # Without this one, messages within a node would not disturb each other.
        zone.append(route(f"node-{node}", f"node-{node}", [bus], "NO"))
        zone.append(route(f"node-{node}", "switch", [bus, (f"link-{node}", "UP")], "NO"))
        zone.append(route("switch", f"node-{node}", [(f"link-{node}", "DOWN"), bus], "NO"))
    return zone


def make(arguments: list[str]) -> None:
    parser = Parser(__doc__ or "", EXAMPLES)
    parser.add_argument("--nodes", required=True, type=whole)
    parser.add_argument(
        "--bus-bytes-per-s", type=positive, default=5.6e9, help="of a node, shared by all its messages [5.6e9]"
    )
    parser.add_argument("--bus-latency-s", type=not_negative, default=1e-7, help="[1e-7]")
    parser.add_argument(
        "--link-bytes-per-s", type=positive, default=3.2e9, help="of a node, in each direction [3.2e9]"
    )
    parser.add_argument("--link-latency-s", type=not_negative, default=7.5e-7, help="[7.5e-7]")
    options = parser.parse_args(arguments)
    if options.nodes > MOST_NODES:
        raise UsageError(f"{options.nodes} nodes asked for; {MOST_NODES} at most")
    comment = f"{options.nodes} nodes x {options.cores} cores, each node with a shared bus"
    write_platform(zone_of(options), comment, options.out)


if __name__ == "__main__":
    sys.exit(run(make))
