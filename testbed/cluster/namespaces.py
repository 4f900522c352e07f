# SPDX-License-Identifier: BSD-3-Clause
"""Linux namespaces and mounts, by the C library: Python has these calls from 3.12 on only."""
from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from outcome import Denied

NEW_MOUNT = 0x00020000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PID = 0x20000000
NEW_NET = 0x40000000
ISOLATED = NEW_MOUNT | NEW_UTS | NEW_IPC | NEW_PID | NEW_NET
KINDS = {"mnt": NEW_MOUNT, "uts": NEW_UTS, "ipc": NEW_IPC, "net": NEW_NET, "pid": NEW_PID}

BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
PR_SET_PDEATHSIG = 1

# What kernels and containers answer where they permit no namespaces, or no more of them.
REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENOSPC, errno.EUSERS}

_libc = ctypes.CDLL(None, use_errno=True)


def _call(what: str, function: Callable[..., int], *arguments: object) -> None:
    if function(*arguments) == 0:
        return
    number = ctypes.get_errno()
    if number in REFUSALS:
        raise Denied(f"this machine does not permit {what}: {os.strerror(number)}")
    raise OSError(number, os.strerror(number), what)


def unshare(flags: int, what: str) -> None:
    _call(what, _libc.unshare, flags)


def mount(
    source: str, target: str, kind: str | None = None, flags: int = 0, data: str = ""
) -> None:
    kind_bytes = kind.encode() if kind else None
    texts = (os.fsencode(source), os.fsencode(target), kind_bytes)
    _call(f"a mount on {target}", _libc.mount, *texts, ctypes.c_ulong(flags), data.encode() or None)


def mount_over(target: str, kind: str, keep: Iterable[str] = (), data: str = "") -> None:
    """Mounts a new file system there; the folders of `keep` show through at their places."""
    kept = [(each, os.open(each, os.O_PATH | os.O_DIRECTORY)) for each in keep]
    mount(kind, target, kind, data=data)
    for folder, descriptor in kept:
        os.makedirs(folder, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", folder, flags=BIND | RECURSIVE)
        os.close(descriptor)


def enter_new() -> None:
    """Puts this process into namespaces of its own, and its next child too as their first process.

    Who isn't root becomes it in a user namespace, where that is permitted.
    """
    user, group = os.geteuid(), os.getegid()
    if user != 0:
        unshare(NEW_USER, "user namespaces to this user")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    unshare(ISOLATED, "new namespaces")
    mount("none", "/", flags=RECURSIVE | PRIVATE)  # or our mounts would reach the host's


def enter(pid: int) -> None:
    """Puts this process into all namespaces of another one, its children into its PID namespace."""
    there = Path(f"/proc/{pid}/ns")
    kinds = dict(KINDS)
    if _own_user_namespace() not in (None, (there / "user").stat().st_ino):
        kinds = {"user": NEW_USER, **kinds}
    opened = [(os.open(there / name, os.O_RDONLY), flag) for name, flag in kinds.items()]
    for descriptor, flag in opened:
        _call("a way into the cluster's namespaces", _libc.setns, descriptor, flag)
        os.close(descriptor)


def _own_user_namespace() -> int | None:
    """None for a process that is on its way: it sees the head's /proc, and is not counted there."""
    try:
        return os.stat("/proc/self/ns/user").st_ino
    except FileNotFoundError:
        return None


def fork(body: Callable[[], int]) -> int:
    """The process id of a child that ends with what `body` returns, or at once when we die."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(tell)
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.read(told, 1) == b"":  # the parent was dead before it could take us along
            os._exit(1)
        os.close(told)
        _leave(body)
    os.close(told)
    os.write(tell, b".")
    os.close(tell)
    return child


def _leave(body: Callable[[], int]) -> None:
    """Ends a child; it must not run on into what its parent was about to do."""
    status = 1
    try:
        status = body()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
