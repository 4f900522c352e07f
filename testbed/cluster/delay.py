# SPDX-License-Identifier: BSD-3-Clause
"""Links with a delay where the kernel has no netem: a program of this project carries the frames."""
from __future__ import annotations

import os
import re
from pathlib import Path

import namespaces
from node import Node
from outcome import Denied, Failure, Refusal

PROGRAM = "breakeven-delay-line"
REFUSED = re.compile("[Pp]ermitted|denied")
CHOICE = "BREAKEVEN_DELAY_LINE"  # the program, if not the newest that was built


def find_program(project: Path, delay_us: int) -> Path:
    named = os.environ.get(CHOICE)
    built = [Path(named)] if named else project.glob(f"build/*/bin/{PROGRAM}")
    found = [path for path in built if os.access(path, os.X_OK)]
    if not found:
        raise Refusal(
            f"--delay-us {delay_us}: this kernel can't delay packets (it has no netem), and"
            f" {named or PROGRAM}, which could, is not there; build the target {PROGRAM}"
        )
    return max(found, key=lambda path: path.stat().st_mtime)


def start(program: Path, nodes: list[Node], delay_us: int) -> None:
    """Starts the program, which makes the devices of all links and ends with this process."""
    told, tell = os.pipe()
    command = [str(program), str(delay_us), *(f"{node.name}:{node.pid}" for node in nodes)]

    def carry() -> int:
        os.dup2(tell, 1)
        os.dup2(tell, 2)
        os.execv(command[0], command)

    child = namespaces.fork(carry)
    os.close(tell)
    with os.fdopen(told) as words:
        said = words.readline().strip()
    if said == "ready":
        return
    os.waitpid(child, 0)
    raise (Denied if REFUSED.search(said) else Failure)(said or f"{PROGRAM} ended without a word")
