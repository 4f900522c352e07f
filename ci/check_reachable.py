#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a library of ours has a function that no installed program reaches.

usage: check_reachable.py --programs FILE... --libraries FILE... [--public REGEX...]

The linker leaves out of a program what nothing in it calls (--gc-sections). A function that a
library defines and no program holds is thus reached by tests alone, or only by its own file, where
it is inlined and wants internal linkage. REGEX: the public interface, which no program of ours
calls. Inline functions, templates and destructors are not looked at.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable

GLOBAL_FUNCTION = "T"
LINE = re.compile(r"(breakeven::.*) ([A-Za-z]) [0-9a-f]+( [0-9a-f]+)?")


def functions(files: Iterable[str]) -> set[str]:
    """The global functions of ours that archives or programs define, with their parameters."""
    command = ["nm", "--defined-only", "--demangle", "--format=posix", *files]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = filter(None, map(LINE.fullmatch, listed.splitlines()))
    return {line[1] for line in lines if line[2] == GLOBAL_FUNCTION and "~" not in line[1]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--programs", nargs="+", required=True)
    parser.add_argument("--libraries", nargs="+", required=True)
    parser.add_argument("--public", nargs="*", default=[], type=re.compile)
    asked = parser.parse_args()
    unreached = functions(asked.libraries) - functions(asked.programs)
    found = sorted(
        name for name in unreached if not any(each.match(name) for each in asked.public)
    )
    for name in found:
        print(f"no installed program reaches {name}", file=sys.stderr)
    unused = [each.pattern for each in asked.public if not any(map(each.match, unreached))]
    for pattern in unused:
        print(f"--public {pattern} fits no function that is not reached", file=sys.stderr)
    return 1 if found or unused else 0


if __name__ == "__main__":
    sys.exit(main())
