# SPDX-License-Identifier: BSD-3-Clause
"""The network of a cluster: a bridge on the head, and from it a shaped link to each node."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from node import Node
from outcome import Denied, Failure, Refusal

DEVICE = "eth0"  # on the head and on every node
SUBNET = "10.77.0"
MOST_NODES = 200
HEAD = f"{SUBNET}.254"
# An idle link passes a whole frame at once, which no real link does: the smaller the frames, the
# better. But each frame costs a core some 20 us, and cores that carry frames don't run ranks.
LEAST_FRAME, MOST_FRAME = 4000, 16384
FRAMES_PER_CORE_S = 6000
LARGEST_MTU = 9000
HEADERS = 200  # of the packets that a frame stands for
# Longer than any TCP window gets, so that nothing is dropped: clusters' networks are lossless.
QUEUE = "limit 64mb"
TAP_FRAMES = 10000
TOOL_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
# Messages of ip and tc about the kernel, not about the request.
KERNEL_LACKS = re.compile(r"not permitted|not supported|Unknown device type|kind is unknown|denied")


@dataclass(frozen=True)
class Shape:
    """Rate and delay of each link, in both directions; without a rate the kernel's copies limit it."""

    rate: str | None  # as tc writes it: 100mbit
    frame_bytes: int
    delay_us: int = 0

    @property
    def rate_arguments(self) -> str:
        return f"tbf rate {self.rate} burst {self.frame_bytes + HEADERS} {QUEUE}"


def frame_bytes(nodes: int, rate: str | None, cores: int) -> int:
    """The smallest frames that these cores can carry when all links are busy."""
    if rate is None:
        return MOST_FRAME
    bits_per_s = int(rate[:-4]) * {"k": 1e3, "m": 1e6, "g": 1e9}[rate[-4]]
    needed = nodes * bits_per_s / 8 / (FRAMES_PER_CORE_S * cores)
    return round(min(max(needed, LEAST_FRAME), MOST_FRAME))


def address_of(number: int) -> str:
    return f"{SUBNET}.{number + 1}"


def tool(name: str) -> str:
    """The path of a program of the system."""
    found = shutil.which(name, path=TOOL_PATH)
    if found is None:
        package = "util-linux" if name == "nsenter" else "iproute2"
        raise Refusal(f"needs '{name}', which is not in PATH (Debian: {package})")
    return found


def batch(name: str, lines: list[str], node: Node | None = None) -> None:
    """Runs commands of ip or tc, on the head or in the network of a node."""
    where = [] if node is None else [tool("nsenter"), "-t", str(node.pid), "-n"]
    done = subprocess.run(
        [*where, tool(name), "-batch", "-"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode == 0:
        return
    # The last line only says which line of the batch it was.
    said = [line for line in done.stderr.splitlines() if not line.startswith("Command failed")]
    words = f"{name}: {said[-1].strip() if said else f'exit status {done.returncode}'}"
    raise (Denied if KERNEL_LACKS.search(words) else Failure)(words)


def make_bridge() -> None:
    batch("ip", [
        "link set lo up",
        f"link add {DEVICE} type bridge",
        f"link set {DEVICE} up",
        f"address add {HEAD}/24 dev {DEVICE}",
    ])


def make_cables(nodes: list[Node]) -> None:
    """A device in each node, and its port at the bridge."""
    for node in nodes:
        batch("ip", [f"link add {port_of(node)} type veth peer name {DEVICE} netns {node.pid}"])


def port_of(node: Node) -> str:
    return f"to-{node.name}"


def configure(nodes: list[Node], shape: Shape) -> None:
    """Sets addresses, and shapes each link where it leaves the node and where it leaves the bridge.

    `shape` has a delay where the kernel is to see to it.
    """
    mtu = min(shape.frame_bytes, LARGEST_MTU)
    for node in nodes:
        port = port_of(node)
        size = f"mtu {mtu} gso_max_size {shape.frame_bytes} txqueuelen {TAP_FRAMES}"
        batch("ip", [f"link set {port} {size}", f"link set {port} master {DEVICE} up"])
        batch("ip", [
            "link set lo up",
            f"link set {DEVICE} {size} up",
            f"address add {node.address}/24 dev {DEVICE}",
            # A lost packet must not cost the 200 ms that TCP's timer waits at least by default.
            f"route replace {SUBNET}.0/24 dev {DEVICE} src {node.address} rto_min 10ms",
        ], node)
        if shape.rate is not None:
            batch("tc", [f"qdisc add dev {DEVICE} root {shape.rate_arguments}"], node)
        _shape_port(port, shape)


def _shape_port(port: str, shape: Shape) -> None:
    """Delays packets on the way to a node only, since a message passes one port of a receiver."""
    lines, parent = [], "root"
    if shape.delay_us > 0:
        netem = f"netem delay {shape.delay_us}us limit 100000"
        lines.append(f"qdisc add dev {port} root handle 1: {netem}")
        parent = "parent 1: handle 2:"
    if shape.rate is not None:
        lines.append(f"qdisc add dev {port} {parent} {shape.rate_arguments}")
    if lines:
        batch("tc", lines)


def kernel_has_netem() -> bool:
    """Whether this kernel can delay packets; tried on a device that nothing uses."""
    try:
        batch("tc", ["qdisc add dev lo root netem delay 1us"])
    except Denied:
        return False
    batch("tc", ["qdisc delete dev lo root"])
    return True
