#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a folder includes one that the tables below don't allow, when its names are not in its
own namespace, when two folders define types of one name, and when two tests of one namespace define
functions or constants of one name.

usage: check_layers.py [ROOT]
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# The folders of tables' formats, and those that a format may include: no other format's.
FORMATS = {"tables/formats", "tables/formats/common"}
FORMATS |= {f"tables/formats/{each}" for each in ("mpich", "openmpi", "own")}
FORMAT = {"core", "stats", "kernels", "libraries", "tables", "tables/formats/common"}

# A folder may include itself and these. The longest name that begins a file's path counts.
MODEL = {"core", "stats", "kernels", "libraries", "mock_ups", "sim"}  # what is known without MPI
HARNESS = {f"harness/{room}" for room in ("protocol", "plan", "launch", "doctor", "session")}
TUNER = {"tuner", "tuner/verify", "tables", *FORMATS}
# Folders whose code runs within MPI programs, and all of them with tables.
CALLS = {"core", "stats", "kernels", "libraries", "libraries/forced", "executor", "mock_ups", "mock_ups/composed"}
PROGRAM = {*CALLS, "tables", "tables/formats/common", "tables/formats/own"}
MAY_INCLUDE = {
    "core": set(),
    "stats": {"core"},
    "mock_ups": {"core"},
    "kernels": {"core"},
    "libraries": {"core", "kernels"},
    "sim": {"core", "stats", "kernels"},
    "executor": {"core", "kernels"},
    "libraries/forced": {"core", "kernels", "libraries", "executor"},
    "mock_ups/composed": {"core", "kernels", "mock_ups", "executor"},
    "harness/protocol": {"core", "stats"},
    "harness/plan": {*MODEL, "harness/protocol"},
    "harness/launch": {"core", "harness/protocol"},
    "harness/doctor": {"core", "stats", "harness/protocol"},
    "harness/session": {*MODEL, *HARNESS, *TUNER, "results"},
    "harness/worker": {*CALLS, "harness/protocol", "harness/plan", "harness/doctor"},
    "harness/yield": set(),
    "results": {"core", "stats"},
    "tables": {"core", "stats", "kernels", "libraries", "mock_ups"},
    "tuner": {*MODEL, "tables", "tables/formats", "tables/formats/common"},
    **{folder: FORMAT for folder in FORMATS},
    "tables/formats/own": {*FORMAT, "mock_ups"},
    "tables/formats": {"core", "kernels", "libraries", "tables", *FORMATS},
    "tables/formats/common": {"core", "libraries", "tables"},
    "tuner/verify": {*MODEL, "tuner", "tables", *FORMATS},
    "api": PROGRAM,
    "interpose": {*PROGRAM, "api", "tables/formats/mpich"},  # of its own choices
    "guidelines": {"core", "kernels", "libraries", "mock_ups", "stats"},
    "report": {*MODEL, "results", "tables", "tuner", "guidelines"},
    "bench": {"core", "kernels", "sim", "executor", "results", "tuner", "guidelines"},
    "cli": {*MODEL, *HARNESS, *TUNER, "results", "guidelines", "report"},
    "tests": {*MODEL, *HARNESS, *TUNER, "results", "guidelines", "executor", "harness/worker", "cli"},
    "tests/legal_calls": {"api"},
    "testbed": set(),
}
# A header of another project, or all below a folder of it, and the only folders that may include it.
ONLY_IN = {
    "mpi.h": {"executor", "libraries/forced", "mock_ups/composed", "harness/worker", "api", "interpose", "bench", "tests/legal_calls"},
    "benchmark/": {"bench"},
    "hwloc.h": {"harness/doctor"},
    "simgrid/": {"executor", "harness/worker"},
    "smpi/": {"executor", "harness/worker"},
    "sqlite3.h": {"results"},
    "SQLiteCpp/": {"results"},
    "CLI/": {"cli"},
    "toml++/": {"guidelines", "harness/plan", "sim"},
}

# A folder's namespace in `breakeven` is its last name, but for these.
NAMESPACES = {"core": "", "api": "", "tests": ""}
NAMESPACES |= {folder: "formats" for folder in FORMATS}

SOURCES = {".hpp", ".cpp", ".h", ".c"}
NO_SOURCES = {"build", "quickstart"}  # at the root, as are hidden folders
TESTDATA = "testdata"  # files that a test compiles as another project's
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def layer_of(path: str) -> str | None:
    """The row of the table that a path from the root belongs to."""
    fitting = [layer for layer in MAY_INCLUDE if path.startswith(f"{layer}/")]
    return max(fitting, key=len, default=None)


def namespace_of(layer: str) -> str:
    return NAMESPACES.get(layer, layer.rpartition("/")[2])


def sources(root: Path) -> Iterator[Path]:
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and folder.name not in NO_SOURCES and folder.name[0] != ".":
            for file in sorted(folder.rglob("*")):
                if file.suffix in SOURCES and TESTDATA not in file.parts:
                    yield file


def complaint(layer: str, quote: str, header: str) -> str | None:
    """The fault of an include in a file of `layer`, or None."""
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


NAMESPACE = re.compile(r"namespace breakeven((?:::\w+)*) \{")


def strays(root: Path) -> Iterator[str]:
    """Names in the namespace of another folder."""
    for file in sources(root):
        where = file.relative_to(root).as_posix()
        layer = layer_of(where) or ""
        own = namespace_of(layer)
        for number, line in enumerate(file.read_text().splitlines(), start=1):
            match = NAMESPACE.match(line)
            if match and own and not f"{match[1]}::".startswith(f"::{own}::"):
                yield f"{where}:{number}: names of {layer}/ belong in breakeven::{own}"


# The beginning of a scope with its name, an alias, which is a type too, and the end of a scope. Template
# parameters, variables and specialisations don't look like these.
SCOPE = re.compile(
    r"\bnamespace\s*(?P<space>[\w:]*)\s*\{"
    r"|\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\([^)]*\)\s*)?"
    r"(?P<type>\w+(?:::\w+)*)\s*(?:final\s*)?(?::(?!:)[^;{}()]*)?\{"
    r"|\busing\s+(?P<alias>\w+)\s*="
    r"|[{}]"
)
NO_CODE = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/|^\s*#[^\n]*',
    re.DOTALL | re.MULTILINE,
)


def types_in(code: str) -> Iterator[str]:
    """The types that other files can see, by their whole names."""
    scopes: list[str | None] = []  # None: of a function, a type, or a namespace without a name
    for match in SCOPE.finditer(NO_CODE.sub(" ", code)):
        space, name, alias = match["space"], match["type"], match["alias"]
        visible = None not in scopes
        if visible and (name or alias):
            yield "::".join([*(scope for scope in scopes if scope), name or alias])
        if match[0] == "}":
            if scopes:
                scopes.pop()
        elif match[0].endswith("{"):
            scopes.append(space or None)


def collisions(root: Path) -> Iterator[str]:
    """Types of one name in two rows of the table; within a row each MPI library has its own."""
    seen: dict[str, str] = {}
    for file in sources(root):
        where = file.relative_to(root).as_posix()
        for name in types_in(file.read_text()):
            first = seen.setdefault(name, where)
            if layer_of(first) != layer_of(where):
                yield f"{where}: {name} is a type of {first} too"


# At the beginning of a line, with its type: a function or a constant.
DEFINED = re.compile(
    r"^(?!TEST|INSTANTIATE|return|namespace|using|template|class|struct|enum)[A-Za-z_][\w:<>,&* ]*[ &*>](\w+)(?=\(|\{| =|\[)",
    re.MULTILINE,
)
APART = ("_mpi_test.cpp", "_study_test.cpp")  # compiled one by one


def shared_names(root: Path) -> Iterator[str]:
    """Tests are compiled together: a call would take the other file's function where it fits better."""
    seen: dict[tuple[str, str], str] = {}
    for file in sources(root):
        where = file.relative_to(root).as_posix()
        if not where.endswith("_test.cpp") or where.endswith(APART):
            continue
        space = namespace_of(layer_of(where) or "")
        for name in set(DEFINED.findall(NO_CODE.sub(" ", file.read_text()))):
            first = seen.setdefault((space, name), where)
            if first != where:
                yield f"{where}: {name} is a name of {first} too"


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    if not root.is_dir():
        print(f"check_layers.py: no folder '{root}'", file=sys.stderr)
        return 2
    found = [*violations(root), *strays(root), *collisions(root), *shared_names(root)]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
