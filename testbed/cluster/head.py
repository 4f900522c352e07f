# SPDX-License-Identifier: BSD-3-Clause
"""The head of a cluster: makes the nodes and their network.

All of it lives below one process, the first of a PID namespace: when that ends, however it does,
the kernel ends all others and takes namespaces, devices and mounts away. No disk is written to.
"""
from __future__ import annotations

import dataclasses
import os
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
    """What was asked for; without nodes a network and process ids of one's own are left."""

    nodes: int
    shape: links.Shape
    shared: tuple[str, ...] = ()  # folders that the nodes see even below /tmp

    def describe(self) -> str:
        return f"{self.nodes} nodes, {self.shape.describe()}"


def make_cluster(cluster: Cluster) -> None:
    """Called in the first process of the head's namespaces.

    Where that fails, what is made by then goes with this process.
    """
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
    """The nodes are started after it and so see it too."""
    lines = [f"{address} {name}\n" for name, address in hosts.items()]
    own = FOLDER / "hosts"
    own.write_text("127.0.0.1 localhost\n" + "".join(lines))
    mount(str(own), "/etc/hosts", flags=BIND)


def environment() -> dict[str, str]:
    """Of a command on the head."""
    return {**launchers.environment(FOLDER, AGENT), launchers.INSIDE: str(FOLDER)}


def node_names() -> list[str]:
    """Of the cluster that this process is in."""
    return sorted((path.stem for path in FOLDER.glob("*.pid")), key=lambda name: (len(name), name))


def node_pid(name: str) -> int | None:
    """The node's first process, as the head counts them."""
    try:
        return int((FOLDER / f"{name}.pid").read_text())
    except OSError:
        return None


def node_report(name: str) -> str:
    """What runs on a node, and what its link has carried."""
    pid = node_pid(name)
    space = os.readlink(f"/proc/{pid}/ns/pid")
    running = -1  # without the first process
    for entry in Path("/proc").iterdir():
        try:
            running += entry.name.isdecimal() and os.readlink(entry / "ns" / "pid") == space
        except OSError:
            pass  # it has just ended
    lines = Path(f"/proc/{pid}/net/dev").read_text().splitlines()
    device = next(line for line in lines if line.strip().startswith(f"{links.DEVICE}:"))
    received, *_ = fields = device.partition(":")[2].split()
    return f"{name}: {running} processes, {fields[8]} B sent, {received} B received"


def inside() -> bool:
    """Whether this process is in a cluster of this checkout already."""
    return os.environ.get(launchers.INSIDE) == str(FOLDER) and bool(node_names())
