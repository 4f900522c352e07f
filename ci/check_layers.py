#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a folder includes what it must not see: the tables below are the architecture.

usage: check_layers.py [ROOT]
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# All that holds tables' formats, and what a format may see: no other one's folder.
FORMATS = {"tuner/formats", "tuner/formats/common"}
FORMATS |= {f"tuner/formats/{each}" for each in ("mpich", "openmpi", "own")}
FORMAT = {"core", "kernels", "libraries", "tuner", "tuner/formats", "tuner/formats/common"}

# A folder may include itself and these. The longest name that begins a file's path counts.
MAY_INCLUDE = {
    "core": set(),
    "kernels": {"core"},
    "libraries": {"core", "kernels"},
    "sim": {"core", "kernels"},
    "executor": {"core", "kernels"},
    "harness": {"core", "kernels", "libraries", "sim"},
    "harness/worker": {"core", "kernels", "libraries", "sim", "executor", "harness"},
    "results": {"core"},
    "tuner": {"core", "kernels", "libraries", "sim"},
    **{folder: FORMAT for folder in FORMATS},
    "tuner/formats": {"core", "libraries", "tuner", *FORMATS},
    "tuner/formats/common": {"core", "libraries", "tuner"},
    "guidelines": {"core"},
    "bench": {"core", "kernels", "executor", "results", "tuner", "guidelines"},
    "bench/same_algorithm": {
        *("core", "kernels", "libraries", "executor", "harness", "harness/worker"),
    },
    "cli": {
        *("core", "kernels", "libraries", "sim", "harness", "results", "tuner", "guidelines"),
        *FORMATS,
    },
    "tests": {
        *("core", "kernels", "libraries", "sim", "harness", "results", "tuner", "guidelines"),
        *("harness/worker", "cli"),
        *FORMATS,
    },
    "tests/legal_calls": set(),
}
# A header of another project, or all below a folder of it, and the only folders that may see it.
ONLY_IN = {
    "mpi.h": {
        *("executor", "harness/worker", "bench", "bench/same_algorithm", "tests/legal_calls"),
    },
    "benchmark/": {"bench"},
    "hwloc.h": {"harness"},
    "simgrid/": {"executor", "harness/worker"},
    "smpi/": {"executor", "harness/worker"},
    "sqlite3.h": {"results"},
    "SQLiteCpp/": {"results"},
    "CLI/": {"cli", "bench/same_algorithm"},
    "toml++/": {"cli"},
}

SOURCES = {".hpp", ".cpp", ".h", ".c"}
NO_SOURCES = {"build", "quickstart"}  # at the root, as are hidden folders
TESTDATA = "testdata"  # files that a test compiles as another project's
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def layer_of(path: str) -> str | None:
    """The row of the table that a path from the root belongs to."""
    fitting = [layer for layer in MAY_INCLUDE if path.startswith(f"{layer}/")]
    return max(fitting, key=len, default=None)


def sources(root: Path) -> Iterator[Path]:
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and folder.name not in NO_SOURCES and folder.name[0] != ".":
            for file in sorted(folder.rglob("*")):
                if file.suffix in SOURCES and TESTDATA not in file.parts:
                    yield file


def complaint(layer: str, quote: str, header: str) -> str | None:
    """What is wrong with an include in a file of `layer`, or None."""
    for other, allowed in ONLY_IN.items():
        hit = header.startswith(other) if other.endswith("/") else header == other
        if hit and layer not in allowed:
            return f"only {', '.join(sorted(allowed))} may include <{header}>"
    if quote == "<":
        return None
    target = layer_of(header)
    if target is None:
        return f'"{header}" is not a path from the root into a known folder'
    if target != layer and target not in MAY_INCLUDE[layer]:
        return f"{layer}/ must not include {target}/"
    return None


def violations(root: Path) -> Iterator[str]:
    for file in sources(root):
        where = file.relative_to(root).as_posix()
        layer = layer_of(where)
        if layer is None:
            yield f"{where}: its folder is not in the table of ci/check_layers.py"
            continue
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            match = INCLUDE.match(line)
            wrong = complaint(layer, match[1], match[2]) if match else None
            if wrong is not None:
                yield f"{where}:{number}: {wrong}"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    if not root.is_dir():
        print(f"check_layers.py: no folder '{root}'", file=sys.stderr)
        return 2
    found = list(violations(root))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
