# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command that may hang, as MPI jobs do."""
from __future__ import annotations

import os
import signal
import subprocess

from tools import ToolError


def run_bounded(command: list[str], environment: dict[str, str], limit_s: float) -> str:
    """The output of a command; a longer one is ended with all its processes, also by our end."""
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"not over after {limit_s:g} s") from error
        finally:
            _end(process)
    if process.returncode != 0:
        last = next((line for line in reversed(output.splitlines()) if line.strip()), "no output")
        raise ToolError(f"exit status {process.returncode}: {last.strip()}")
    return output


def _end(process: subprocess.Popen[str]) -> None:
    """A launcher that is asked first takes its ranks along, which may be groups of their own."""
    for way in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, way)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                pass
