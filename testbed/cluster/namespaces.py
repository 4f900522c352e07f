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

BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
PR_SET_PDEATHSIG = 1

# The errors of kernels and containers that permit no namespaces, or no more of them.
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
    """Mounts a new file system; the folders of `keep` stay visible in it."""
    kept = [(each, os.open(each, os.O_PATH | os.O_DIRECTORY)) for each in keep]
    mount(kind, target, kind, data=data)
    for folder, descriptor in kept:
        os.makedirs(folder, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", folder, flags=BIND | RECURSIVE)
        os.close(descriptor)


def enter_new() -> None:
    """Puts this process into namespaces of its own; its next child is their first process.

    A user other than root becomes root in a user namespace, where that is permitted.
    """
    user, group = os.geteuid(), os.getegid()
    if user != 0:
        unshare(NEW_USER, "user namespaces to this user")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    unshare(ISOLATED, "new namespaces")
    mount("none", "/", flags=RECURSIVE | PRIVATE)  # or our mounts would reach the host's


def fork(body: Callable[[], int]) -> int:
    """The process id of a child that ends with the status of `body`, or at once when we die."""
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
    """Runs the body and ends the process: a child must not go on with the work of its parent."""
    status = 1
    try:
        status = body()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
