#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a library of ours has a function that no installed program reaches.

usage: ci/check_reachable.py BUILD, the folder of a build with debug information (release)

The linker leaves out of a program what nothing in it calls (--gc-sections), so a function is
reached if a program has its symbol, or says in its debug information where it is inlined. Looked
at are the global functions of our static libraries. Templates and what a header defines are not:
a library has of them only what something uses. Nor are destructors, copies and moves, which come
with their class, and SMPI's worker, which is the same sources without symbols. A function that
its own file alone calls, and that comes to nothing there, leaves no trace: it wants internal
linkage.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping

# The objects of the public interface, by library: no program of ours calls it. Applications do.
PUBLIC = {
    "breakeven_executor": (
        *("call_key", "call_terms", "collectives", "comm_plans", "element_type"),
        *("mpi_call", "mpi_types", "plan_cache", "run_call"),
    )
}
GLOBAL_FUNCTION = re.compile(r".*/lib(\w+)\.a\[(.*?)\.[\w.]*\]: (_ZN?K?9breakeven\S*) T .*")
SPECIAL = re.compile(
    r".*::~\w+\(\)"  # destructors
    r"|(.*::)?(\w+)::\2\((\w+::)*\2( const&|&&)\)"  # copies and moves
    r"|.*::operator=\(.*"
)
DEBUG_LINES = r"""
readelf --debug-dump=info --debug-dump=no-follow-links "$0" 2> /dev/null |
  grep -A8 -E 'DW_TAG_(subprogram|inlined_subroutine)' |
  grep -E 'Abbrev Number|DW_AT_(linkage_name|specification|abstract_origin|entry_pc)'
"""


def lines(*command: str) -> list[str]:
    return subprocess.check_output(command, text=True).splitlines()


def inlined(program: pathlib.Path) -> set[str]:
    """The mangled names of the functions that are inlined in what the program contains."""
    names, declarations, origins = {}, {}, set()
    here = origin = 0
    command = ["sh", "-c", DEBUG_LINES, str(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as dump:
        for line in dump.stdout:
            # <2><1a0c>: Abbrev Number: 57 (DW_TAG_subprogram), then a line for each attribute
            what = line[line.find("DW_") :]
            if what.startswith("DW_TAG"):
                here, origin = int(line[line.index("><") + 2 : line.index(">:")], 16), 0
            elif what.startswith("DW_AT_linkage_name"):
                names[here] = what.split()[-1]
            elif what.startswith("DW_AT_specification"):
                declarations[here] = int(what.split()[-1].strip("<>"), 16)
            elif what.startswith("DW_AT_abstract_origin"):
                origin = int(what.split()[-1].strip("<>"), 16)
            elif what.startswith("DW_AT_entry_pc") and not what.endswith(" 0\n"):
                # At 0 is what the linker left out.
                origins.add(origin)
    return {names.get(each) or names.get(declarations.get(each), "") for each in origins}


def contained(program: pathlib.Path) -> set[str]:
    """The mangled names of the functions that the program contains, inlined or not."""
    symbols = lines("nm", "--defined-only", "--format=posix", str(program))
    # GCC names parts and variants of a function by what follows a point.
    return {line.split()[0].split(".")[0] for line in symbols} | inlined(program)


def demangled(names: Iterable[str]) -> set[str]:
    """Without the differences between the forms of a constructor."""
    text = "\n".join(name for name in names if "9breakeven" in name)
    return set(subprocess.check_output(["c++filt"], input=text, text=True).splitlines())


def unreached(build: pathlib.Path, public: Mapping[str, tuple[str, ...]]) -> list[str]:
    """A line for each function that no program reaches, and each exception without such a one."""
    programs = [each for each in build.glob("bin/breakeven*") if not each.name.endswith("-smpi")]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reached = demangled(set().union(*pool.map(contained, programs)))
    archives = [str(each) for each in build.rglob("libbreakeven_*.a")]
    objects = collections.defaultdict(set)
    for line in lines("nm", "--print-file-name", "--defined-only", "--format=posix", *archives):
        if (found := GLOBAL_FUNCTION.fullmatch(line)) and not found[1].endswith("_smpi"):
            library = re.sub("_(mpich|openmpi)$", "", found[1])
            objects[library, found[2]].add(found[3])
    complaints = []
    for (library, name), functions in sorted(objects.items()):
        missing = {f for f in demangled(functions) - reached if not SPECIAL.fullmatch(f)}
        if name not in public.get(library, ()):
            complaints += [f"no installed program reaches {each}" for each in sorted(missing)]
        elif not missing:
            complaints.append(f"programs reach all of {library}/{name}: it needs no exception")
    return complaints


def main() -> int:
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "bin/breakeven").is_file():
        print("usage: ci/check_reachable.py BUILD, where BUILD/bin/breakeven is", file=sys.stderr)
        return 2
    complaints = unreached(pathlib.Path(sys.argv[1]), PUBLIC)
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
