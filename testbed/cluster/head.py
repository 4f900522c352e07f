# SPDX-License-Identifier: BSD-3-Clause
"""The head of a cluster: makes the nodes and their network.

All processes are below one, the first of a PID namespace. When that ends, for whatever reason, the
kernel ends the others and removes namespaces, devices and mounts. Nothing is written to disk.
"""
from __future__ import annotations

import dataclasses
import socket
from dataclasses import dataclass
from pathlib import Path

import delay
import launchers
import links
from namespaces import BIND, mount
from node import start_node

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
FOLDER = HERE / "private"
AGENT = HERE / "agent.sh"
NAME = "head"


@dataclass(frozen=True)
class Cluster:
    """A requested cluster; without nodes it has just a network and process ids of its own."""

    nodes: int
    shape: links.Shape
    shared: tuple[str, ...] = ()  # folders that the nodes see even below /tmp


def make_cluster(cluster: Cluster) -> None:
    """Makes nodes and network, in the first process of the head's namespaces: they end with it."""
    mount("proc", "/proc", "proc")
    mount("tmpfs", str(FOLDER), "tmpfs", data="mode=755")
    socket.sethostname(NAME)
    links.make_bridge()
    shape, delay_line = cluster.shape, None
    if shape.delay_us > 0 and not links.kernel_has_netem():
        delay_line = delay.find_program(PROJECT, shape.delay_us)
    hosts = {f"node{number}": links.address_of(number) for number in range(cluster.nodes)}
    _own_hosts_file({NAME: links.HEAD, **hosts})
    shared = [str(PROJECT), *cluster.shared]
    nodes = [start_node(name, address, shared) for name, address in hosts.items()]
    if delay_line is None:
        links.make_cables(nodes)
    else:
        delay.start(delay_line, nodes, shape.delay_us)
        shape = dataclasses.replace(shape, delay_us=0)
    links.configure(nodes, shape)
    launchers.write_host_files(FOLDER, nodes)


def _own_hosts_file(hosts: dict[str, str]) -> None:
    """Gives the head a file of host names, and the nodes too, which start later."""
    lines = [f"{address} {name}\n" for name, address in hosts.items()]
    own = FOLDER / "hosts"
    own.write_text("127.0.0.1 localhost\n" + "".join(lines))
    mount(str(own), "/etc/hosts", flags=BIND)


def node_names() -> list[str]:
    """The nodes of the cluster whose head this is; none elsewhere."""
    return sorted((path.stem for path in FOLDER.glob("*.pid")), key=lambda name: (len(name), name))


def node_pid(name: str) -> int | None:
    """The node's first process, as the head counts them."""
    try:
        return int((FOLDER / f"{name}.pid").read_text())
    except OSError:
        return None
