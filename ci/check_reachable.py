#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a library of ours has a function that no installed program reaches.

usage: ci/check_reachable.py BUILD, the folder of the preset asan

The linker removes functions that nothing calls (--gc-sections), and that preset inlines only functions
declared inline: a function is reached if a program has its symbol. The check covers the global functions
of our static libraries. It leaves out templates and functions in headers, of which a library has only the
used ones; destructors, copies and moves, which come with their class; and SMPI's worker, which has the
same sources without symbols.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable

GLOBAL_FUNCTION = re.compile(r".*/lib\w+\.a\[.*\]: (_ZN?K?9breakeven\S*) T .*")
SPECIAL = re.compile(
    r".*::~\w+\(\)"  # destructors
    r"|(.*::)?(\w+)::\2\((\w+::)*\2( const&|&&)\)"  # copies and moves
    r"|.*::operator=\(.*"
)


def lines(*command: str) -> list[str]:
    return subprocess.check_output(command, text=True).splitlines()


def symbols(program: pathlib.Path) -> set[str]:
    return {line.split()[0] for line in lines("nm", "--defined-only", "--format=posix", str(program))}


def demangled(names: Iterable[str]) -> set[str]:
    """Without the differences between the forms of a constructor."""
    text = "\n".join(name for name in names if "9breakeven" in name)
    return set(subprocess.check_output(["c++filt"], input=text, text=True).splitlines())


def unreached(build: pathlib.Path) -> list[str]:
    """A line for each function that no program reaches."""
    programs = [p for p in build.glob("bin/breakeven*") if not p.name.endswith("-smpi")]
    programs += build.glob("bin/libbreakeven-*.so")
    archives = [a for a in build.rglob("libbreakeven_*.a") if not a.stem.endswith("_smpi")]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reached = demangled(set().union(*pool.map(symbols, programs)))
    listed = lines("nm", "--print-file-name", "--defined-only", "--format=posix", *map(str, archives))
    ours = demangled(found[1] for line in listed if (found := GLOBAL_FUNCTION.fullmatch(line)))
    missing = sorted(each for each in ours - reached if not SPECIAL.fullmatch(each))
    return [f"no installed program reaches {each}" for each in missing]


def main() -> int:
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "bin/breakeven").is_file():
        print("usage: ci/check_reachable.py BUILD, where BUILD/bin/breakeven is", file=sys.stderr)
        return 2
    complaints = unreached(pathlib.Path(sys.argv[1]))
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
