# SPDX-License-Identifier: BSD-3-Clause
"""One node: processes with a host name, network, shared memory, /tmp, /sys and ids of their own.

If nodes had only a network and a host name, UCX would reach the others by shared memory.
"""
from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from namespaces import ISOLATED, mount, mount_over, unshare
from outcome import Denied

CGROUPS = "/sys/fs/cgroup"
READY = "ready"


@dataclass(frozen=True)
class Node:
    name: str
    address: str
    pid: int  # of the node's first process, as the head counts them


def below(folder: str, ancestor: str) -> bool:
    return folder.startswith(f"{ancestor}/")


def outermost(folders: Iterable[str], ancestor: str) -> list[str]:
    """The folders below the ancestor, without those below another of them."""
    found: list[str] = []
    for folder in sorted({os.path.realpath(each) for each in folders}):
        if below(folder, ancestor) and not any(below(folder, each) for each in found):
            found.append(folder)
    return found


def start_node(name: str, address: str, shared: Iterable[str]) -> Node:
    """Starts the node's first process, which ends with the head's first process.

    The node sees the folders of `shared`, even below its own /tmp.
    """
    told, tell = os.pipe()
    helper = os.fork()  # the new PID namespace is that of its child
    if helper == 0:
        _become_parent(name, list(shared), tell)
    os.close(tell)
    with os.fdopen(told) as words:
        lines = words.read().splitlines()
    os.waitpid(helper, 0)
    pids = [line for line in lines if line.isdecimal()]
    if READY not in lines or not pids:
        complaints = [line for line in lines if line != READY and not line.isdecimal()]
        raise Denied(f"{name}: {'; '.join(complaints) or 'its first process ended'}")
    return Node(name, address, int(pids[0]))


def _become_parent(name: str, shared: list[str], tell: int) -> None:
    try:
        unshare(ISOLATED, "namespaces for a node")
        pid = os.fork()
        if pid == 0:
            _become_first_process(name, shared, tell)
        os.write(tell, f"{pid}\n".encode())
    except (Denied, OSError) as error:
        os.write(tell, f"{error}\n".encode())
    finally:
        os._exit(0)  # the head's first process takes the node over


def _become_first_process(name: str, shared: list[str], tell: int) -> None:
    try:
        os.setsid()  # a terminal's signals are not for the node
        socket.sethostname(name)
        # UCX finds network devices in /sys, which shows those of the place where it was mounted.
        mount("proc", "/proc", "proc")
        mount_over("/sys", "sysfs", keep=[CGROUPS] if os.path.isdir(CGROUPS) else [])
        mount_over("/dev/shm", "tmpfs", data="mode=1777")
        mount_over("/tmp", "tmpfs", keep=outermost(shared, "/tmp"), data="mode=1777")
        _tune_network()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans of the node leave no zombies
        _silence()
        os.write(tell, f"{READY}\n".encode())
        os.close(tell)
        while True:
            signal.pause()
    except (Denied, OSError) as error:
        os.write(tell, f"{error}\n".encode())
    finally:
        os._exit(1)


def _silence() -> None:
    """Closes the terminal or pipes that a process in the background has from its starter."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)


def _tune_network() -> None:
    """Keeps TCP close to the link's rate, as far as the kernel permits these settings."""
    settings = {
        "ipv4/tcp_congestion_control": "cubic",  # some hosts pace by BBR
        "ipv4/tcp_no_metrics_save": "1",
        "ipv4/tcp_slow_start_after_idle": "0",
        "ipv6/conf/all/disable_ipv6": "1",
    }
    for name, value in settings.items():
        try:
            Path("/proc/sys/net", name).write_text(value)
        except OSError:
            pass
