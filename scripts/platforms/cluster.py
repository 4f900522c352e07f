# SPDX-License-Identifier: BSD-3-Clause
"""The platforms that SimGrid makes of a <cluster> with a topology: equal hosts, equal links."""
from __future__ import annotations

from argparse import Namespace
from xml.etree import ElementTree

from platform_file import (
    MOST_HOSTS,
    Parser,
    UsageError,
    not_negative,
    positive,
    rate,
    speed,
    time,
    write_platform,
)


def add_links(parser: Parser) -> None:
    """Options for the links between hosts and within one."""
    parser.add_argument(
        "--link-bytes-per-s", type=positive, default=12.5e9, help="of every link, in each direction [12.5e9]"
    )
    parser.add_argument("--link-latency-s", type=not_negative, default=3e-7, help="[3e-7]")
    parser.add_argument(
        "--host-bytes-per-s",
        type=positive,
        default=10e9,
        help="of each message within a host; messages do not share it [10e9]",
    )
    parser.add_argument("--host-latency-s", type=not_negative, default=2e-7, help="[2e-7]")


def write_cluster(options: Namespace, hosts: int, topology: str, parameters: str) -> None:
    """Writes hosts node-0, node-1, ... under SimGrid's topology of that name."""
    if hosts > MOST_HOSTS:
        raise UsageError(f"{hosts} hosts asked for; {MOST_HOSTS} at most")
    cluster = ElementTree.Element(
        "cluster",
        id="cluster",
        prefix="node-",
        suffix="",
        radical=f"0-{hosts - 1}",
        speed=speed(options.core_flop_per_s),
        core=str(options.cores),
        bw=rate(options.link_bytes_per_s),
        lat=time(options.link_latency_s),
        loopback_bw=rate(options.host_bytes_per_s),
        loopback_lat=time(options.host_latency_s),
        sharing_policy="SPLITDUPLEX",
        topology=topology,
        topo_parameters=parameters,
    )
    write_platform(cluster, f"{topology} of {hosts} hosts", options.out)
