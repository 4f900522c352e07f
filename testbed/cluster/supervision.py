# SPDX-License-Identifier: BSD-3-Clause
"""Waits for one child, forwards signals to it, and reaps all other processes."""
from __future__ import annotations

import os
import signal

FORWARDED = {
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2),
}
WATCHED = FORWARDED | {signal.SIGCHLD}
FROM_KERNEL = 0x80  # si_code of a terminal's signals, which the child gets by itself


def hold_signals() -> set[signal.Signals]:
    """Blocks signals until `supervise`, so that none is lost while the child starts.

    Returns the mask for the child.
    """
    return signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)


def supervise(child: int) -> int:
    """The exit status of the child: 128 and the signal's number if a signal ended it."""
    while True:
        got = signal.sigwaitinfo(WATCHED)
        if got.si_signo == signal.SIGCHLD:
            status = _reap(child)
            if status is not None:
                return status
        elif got.si_code != FROM_KERNEL:
            os.kill(child, got.si_signo)


def _reap(child: int) -> int | None:
    """Reaps all processes that ended; the child's exit status if it is one of them."""
    found = None
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            found = code if code >= 0 else 128 - code


def start_command(
    command: list[str], environment: dict[str, str], mask: set[signal.Signals]
) -> int:
    """Turns a child of namespaces.fork into the command; returns only if that fails."""
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        os.write(2, f"emulated-cluster: can't start '{command[0]}': {error.strerror}\n".encode())
    return 2
