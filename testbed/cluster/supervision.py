# SPDX-License-Identifier: BSD-3-Clause
"""Waits for one child, hands signals on to it, and reaps whatever else ends."""
from __future__ import annotations

import os
import signal

FORWARDED = {
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2),
}
WATCHED = FORWARDED | {signal.SIGCHLD}
FROM_KERNEL = 0x80  # si_code: of a terminal, whose signals reach the child without us


def hold_signals() -> set[signal.Signals]:
    """To be called before the child starts, so that none gets lost; returns what it restores."""
    return signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)


def supervise(child: int) -> int:
    """The exit status of the child; that of one which a signal ended is as a shell's."""
    while True:
        got = signal.sigwaitinfo(WATCHED)
        if got.si_signo == signal.SIGCHLD:
            status = _reap(child)
            if status is not None:
                return status
        elif got.si_code != FROM_KERNEL:
            os.kill(child, got.si_signo)


def _reap(child: int) -> int | None:
    """Takes all that has ended; an exit status once the child has."""
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
    """Becomes the command, in a child of namespaces.fork; returns only when that fails."""
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    try:
        os.execvpe(command[0], command, environment)
    except OSError as error:
        os.write(2, f"emulated-cluster: can't start '{command[0]}': {error.strerror}\n".encode())
    return 2
