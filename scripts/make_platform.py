#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a platform for SimGrid: equal hosts named node-0, node-1, ... and the network between them."""
from __future__ import annotations

import argparse
import inspect
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

EXAMPLES = """\
examples:
  make_platform.py two_level --nodes 8 --cores 8 --out two_level.xml
  make_platform.py two_level --nodes 4 --cores 16 --bus-bytes-per-s 2e10 --out fast.xml
  make_platform.py fat_tree --down 4,4 --up 1,4 --out fat_tree.xml
  make_platform.py fat_tree --down 32,32 --up 1,16 --link-bytes-per-s 12.5e9 --out oversubscribed.xml
  make_platform.py dragonfly --groups 4 --chassis 2 --routers 4 --hosts 2 --out dragonfly.xml
  breakeven sweep --machine smpi:two_level.xml,hosts=8,mapping=rr --procs 64 --db simulated.db"""
DOCTYPE = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
MOST_NODES = 1024  # SimGrid finds all routes at once, in time that grows with the cube
MOST_HOSTS = 1 << 16


class UsageError(Exception):
    """A request that can't be met: one line that says why."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def whole(text: str) -> int:
    """1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of 1 or more")
    return int(text)


def wholes(text: str) -> list[int]:
    """A list with commas."""
    return [whole(part) for part in text.split(",")]


def positive(text: str) -> float:
    return _number(text, "positive", lambda value: 0 < value < math.inf)


def not_negative(text: str) -> float:
    return _number(text, "non-negative", lambda value: 0 <= value < math.inf)


def _number(text: str, words: str, possible: Callable[[float], bool]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not possible(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a {words} number")
    return value


def two_level(options: argparse.Namespace) -> tuple[str, Element]:
    """Nodes with a memory bus each, joined by one switch.

    A message within a node crosses the node's bus; a message to another node crosses the bus, the link
    up, the link down and the bus there. All messages on a bus share it, which makes a ring of consecutive
    ranks on one node much faster. The switch has no limit.
    """
    if options.nodes > MOST_NODES:
        raise UsageError(f"{options.nodes} nodes asked for; {MOST_NODES} at most")
    zone = Element("zone", id="cluster", routing="Floyd")
    for node in range(options.nodes):
        SubElement(zone, "host", id=f"node-{node}", speed=f"{options.core_flop_per_s!r}f", core=str(options.cores))
    SubElement(zone, "router", id="switch")
    for node in range(options.nodes):
        for name, sharing in (("bus", "SHARED"), ("link", "SPLITDUPLEX")):
            rate, latency = (getattr(options, f"{name}_{what}") for what in ("bytes_per_s", "latency_s"))
            SubElement(zone, "link", id=f"{name}-{node}", bandwidth=f"{rate!r}Bps", latency=f"{latency!r}s",
                       sharing_policy=sharing)  # fmt: skip
    for node in range(options.nodes):
        host, bus = f"node-{node}", (f"bus-{node}", "NONE")
        for source, target, links in (
            (host, host, [bus]),  # without it, messages within a node would not disturb each other
            (host, "switch", [bus, (f"link-{node}", "UP")]),
            ("switch", host, [(f"link-{node}", "DOWN"), bus]),
        ):
            route = SubElement(zone, "route", src=source, dst=target, symmetrical="NO")
            for name, direction in links:
                SubElement(route, "link_ctn", id=name, direction=direction)
    return f"{options.nodes} nodes x {options.cores} cores, each node with a shared bus", zone


def fat_tree(options: argparse.Namespace) -> tuple[str, Element]:
    """A fat tree of switches over hosts.

    Levels are counted from the hosts up. With --down 4,8 a leaf switch has 4 hosts and a switch above it
    reaches 8 leaf switches, 32 hosts in all; with --up 1,4 a host has one leaf switch and a leaf switch
    4 switches above it. A tree with fewer links up than down (4 hosts, --up 1,2) is oversubscribed.
    Messages within a host do not share bandwidth.
    """
    parts = options.down, options.up, options.parallel or [1] * len(options.down)
    levels = [len(part) for part in parts]
    if len(set(levels)) > 1:
        raise UsageError("--down has {} levels, --up {}, --parallel {}; as many in each".format(*levels))
    lists = (",".join(map(str, part)) for part in parts)
    return cluster(options, math.prod(options.down), "FAT_TREE", [levels[0], *lists])


def dragonfly(options: argparse.Namespace) -> tuple[str, Element]:
    """A dragonfly of groups, each of chassis with routers, over hosts.

    Links join all routers of a chassis, all routers at the same position in the chassis of a group, and
    every two groups. Messages within a host do not share bandwidth.
    """
    # SimGrid finds the way to a group by its number among the routers of one chassis.
    if options.groups > options.routers:
        raise UsageError(
            f"{options.groups} groups asked for; SimGrid takes as many as a chassis has routers, "
            f"{options.routers}, at most"
        )
    hosts = options.groups * options.chassis * options.routers * options.hosts
    counts = (options.groups, options.chassis, options.routers)
    links = (options.group_links, options.chassis_links, options.router_links)
    parts = [f"{count},{parallel}" for count, parallel in zip(counts, links)]
    return cluster(options, hosts, "DRAGONFLY", [*parts, options.hosts])


def cluster(
    options: argparse.Namespace, hosts: int, topology: str, parameters: list[object]
) -> tuple[str, Element]:
    """Hosts and links that SimGrid itself joins to a topology."""
    if hosts > MOST_HOSTS:
        raise UsageError(f"{hosts} hosts asked for; {MOST_HOSTS} at most")
    # SimGrid 4 crashes on a cluster that is in no zone.
    zone = Element("zone", id="all", routing="Full")
    SubElement(
        zone, "cluster", id="cluster", prefix="node-", suffix="", radical=f"0-{hosts - 1}",
        speed=f"{options.core_flop_per_s!r}f", core=str(options.cores),
        bw=f"{options.link_bytes_per_s!r}Bps", lat=f"{options.link_latency_s!r}s",
        loopback_bw=f"{options.host_bytes_per_s!r}Bps", loopback_lat=f"{options.host_latency_s!r}s",
        sharing_policy="SPLITDUPLEX", topology=topology, topo_parameters=";".join(map(str, parameters)),
    )  # fmt: skip
    return f"{topology} of {hosts} hosts", zone


def parse(arguments: list[str]) -> argparse.Namespace:
    raw = {"formatter_class": argparse.RawDescriptionHelpFormatter, "epilog": EXAMPLES}
    parser = Parser(description=__doc__, **raw)
    kinds = parser.add_subparsers(required=True, dest="kind")
    two, tree, fly = (
        kinds.add_parser(make.__name__, description=inspect.getdoc(make), **raw) for make in (two_level, fat_tree, dragonfly)
    )
    two.add_argument("--nodes", required=True, type=whole)
    add_link(two, "bus", 5.6e9, 1e-7, "of a node, shared by all its messages")
    add_link(two, "link", 3.2e9, 7.5e-7, "of a node, in each direction")
    tree.add_argument("--down", required=True, type=wholes, help="links down from a switch of each level")
    tree.add_argument("--up", required=True, type=wholes, help="links up from each host or switch of each level")
    tree.add_argument("--parallel", type=wholes, help="parallel links per connection at each level [1]")
    fly.add_argument("--groups", required=True, type=whole)
    fly.add_argument("--chassis", required=True, type=whole, help="chassis in a group")
    fly.add_argument("--routers", required=True, type=whole, help="routers in a chassis")
    fly.add_argument("--hosts", required=True, type=whole, help="hosts of a router")
    for name, between in (("group", "groups"), ("chassis", "chassis"), ("router", "routers")):
        fly.add_argument(f"--{name}-links", type=whole, default=1, help=f"in parallel between two {between} [1]")
    for each in (tree, fly):
        add_link(each, "link", 12.5e9, 3e-7, "of every link, in each direction")
        add_link(each, "host", 10e9, 2e-7, "of each message within a host; messages do not share it")
    for kind, make in ((two, two_level), (tree, fat_tree), (fly, dragonfly)):
        kind.set_defaults(make=make)
        kind.add_argument("--cores", type=whole, default=1, help="cores of a host [1]")
        kind.add_argument("--core-flop-per-s", type=positive, default=1e10, help="speed of a core [1e10]")
        kind.add_argument("--out", required=True, type=Path, metavar="FILE.xml")
    return parser.parse_args(arguments)


def add_link(kind: Parser, name: str, bytes_per_s: float, latency_s: float, whose: str) -> None:
    kind.add_argument(f"--{name}-bytes-per-s", type=positive, default=bytes_per_s, help=f"{whose} [{bytes_per_s:g}]")
    kind.add_argument(f"--{name}-latency-s", type=not_negative, default=latency_s, help=f"[{latency_s:g}]")


def write(comment: str, content: Element, out: Path) -> None:
    """Writes the whole file or none."""
    platform = Element("platform", version="4.1")
    platform.append(ElementTree.Comment(f" {comment} "))
    platform.append(content)
    ElementTree.indent(platform)
    body = ElementTree.tostring(platform, encoding="unicode")
    partial = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        partial.write_text(f"<?xml version='1.0'?>\n{DOCTYPE}\n{body}\n", encoding="utf-8")
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"can't write '{out}': {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


if __name__ == "__main__":
    try:
        options = parse(sys.argv[1:])
        write(*options.make(options), options.out)
    except UsageError as error:
        print(f"make_platform.py: {error}", file=sys.stderr)
        sys.exit(2)
