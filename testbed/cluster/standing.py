# SPDX-License-Identifier: BSD-3-Clause
"""Clusters that stay up between commands: a process in the background holds each.

It listens at an abstract socket, by which others find it. There is no file that could outlive it.
"""
from __future__ import annotations

import hashlib
import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import namespaces
from head import FOLDER
from node import silence
from outcome import attempt

DESCRIPTION, FIRST_PROCESS = FOLDER / "description", FOLDER / "first_process"
PEER = struct.Struct("3i")  # pid, user, group
LONGEST_END_S = 10
LOOK_EVERY_S = 0.5
UP = b"."


@dataclass(frozen=True)
class Standing:
    """A cluster that is up."""

    holder: int
    first_process: int  # of its head's PID namespace, both as we count processes
    description: str

    def enter(self) -> None:
        """Puts this process, and its children wholly, onto the head, in the same folder."""
        folder = os.getcwd()
        namespaces.enter(self.first_process)
        os.chdir(folder)


def _address(name: str) -> bytes:
    checkout = hashlib.sha256(os.fsencode(FOLDER)).hexdigest()[:16]
    return f"\0breakeven-emulated-cluster-{os.getuid()}-{checkout}-{name}".encode()


def _holder(name: str) -> int | None:
    """The process that listens there, which may not have made its cluster yet."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(5)
        try:
            asking.connect(_address(name))
        except OSError:
            return None
        peer = asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
    pid, user, _ = PEER.unpack(peer)
    return pid if user == os.getuid() else None


def find(name: str) -> Standing | None:
    """The cluster of this user and checkout that is up under this name."""
    holder = _holder(name)
    if holder is None:
        return None
    own_files = Path(f"/proc/{holder}/root")
    try:
        first_process = int((own_files / FIRST_PROCESS.relative_to("/")).read_text())
        description = (own_files / DESCRIPTION.relative_to("/")).read_text()
    except (OSError, ValueError):
        return None  # still being made, or ending
    return Standing(holder, first_process, description)


def start(name: str, description: str, make: Callable[[], int]) -> int:
    """Starts a cluster in the background; 0, or the exit status of what went wrong and said so.

    `make` makes the cluster within its namespaces and returns such a status.
    """
    told, tell = os.pipe()
    holder = os.fork()
    if holder == 0:
        os.close(told)
        os._exit(attempt(lambda: _hold(name, description, make, tell)))
    os.close(tell)
    if os.read(told, 1) == UP:
        return 0
    return os.waitstatus_to_exitcode(os.waitpid(holder, 0)[1])


def _hold(name: str, description: str, make: Callable[[], int], tell: int) -> int:
    """The holder's life: it ends when the head's first process does."""
    os.setsid()
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    door.bind(_address(name))
    door.listen(64)
    door.settimeout(LOOK_EVERY_S)
    namespaces.enter_new()
    made, say = os.pipe()
    first = namespaces.fork(lambda: _be_head(make, say))
    os.close(say)
    if os.read(made, 1) != UP:
        return os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
    DESCRIPTION.write_text(description)
    FIRST_PROCESS.write_text(str(first))
    silence()
    os.write(tell, UP)
    os.close(tell)
    while os.waitpid(first, os.WNOHANG) == (0, 0):
        try:
            door.accept()[0].close()  # or the queue of those who asked fills up
        except TimeoutError:
            pass
    return 0


def _be_head(make: Callable[[], int], say: int) -> int:
    status = make()
    if status != 0:
        return status
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # what ends on the head leaves no zombies
    silence()
    os.write(say, UP)
    os.close(say)
    while True:
        signal.pause()


def end(cluster: Standing, name: str) -> bool:
    """Takes a cluster down; whether it is gone."""
    os.kill(cluster.first_process, signal.SIGKILL)
    deadline = time.monotonic() + LONGEST_END_S
    while time.monotonic() < deadline:
        if _holder(name) != cluster.holder:  # it goes last, after all others
            return True
        time.sleep(0.01)
    return False
