# SPDX-License-Identifier: BSD-3-Clause
"""Plays programs of calls that MPI permits under tables, and shows the smallest one that goes wrong.

  python3 tests/legal_calls --mpi openmpi --version "Open MPI 4.1.4" \\
      --player build/release/bin/legal_calls_player_openmpi --procs 2,3 --seeds 1:10 tables/openmpi_rules.conf
  python3 tests/legal_calls --mpi openmpi --version "Open MPI 4.1.4" \\
      --player build/release/bin/legal_calls_player_openmpi --collectives reduce \\
      --set OMPI_MCA_coll_tuned_use_dynamic_rules=1 --set OMPI_MCA_coll_tuned_reduce_algorithm=chain

  python3 tests/legal_calls --mpi mpich --version "MPICH 4.0.2" --breakeven build/release/bin/breakeven \\
      --player build/release/bin/legal_calls_player_mpich --yield build/release/bin/libbreakeven_yield.so

Without a table it tests the library itself, with --breakeven the C++ library. Exit status 1: some
program went wrong.
"""
import argparse
import pathlib
import sys

import jobs
from c_program import c_program
from generate import FORMS, program
from known_faults import avoided
from shrink import shrink
from steps import COLLECTIVES


def arguments():
    words = __doc__.splitlines()
    parser = argparse.ArgumentParser(prog="legal_calls", description=words[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(words[1:]))
    parser.add_argument("tables", nargs="*", help="files that `breakeven tune` wrote")
    parser.add_argument("--mpi", choices=["mpich", "openmpi"], required=True)
    parser.add_argument("--player", required=True, help="legal_calls_player of that library")
    parser.add_argument("--yield", dest="preload", help="libbreakeven_yield.so, for MPICH")
    parser.add_argument("--version", required=True,
                        help="\"MPICH 4.0.2\": faults of its own are avoided")
    parser.add_argument("--procs", default="2,3,4", help="process counts [2,3,4]")
    parser.add_argument("--seeds", default="1:3", help="first:last [1:3]")
    parser.add_argument("--calls", type=int, default=1000, help="steps of each program [1000]")
    parser.add_argument("--collectives", default=",".join(COLLECTIVES))
    parser.add_argument("--form", default="blocking", choices=sorted(FORMS),
                        help="of most calls [blocking]")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="in the jobs' environment")
    parser.add_argument("--breakeven", default="", help="its algorithms, by this program's list, "
                        "perform the calls through the C++ library")
    parser.add_argument("--patience-s", type=float, default=60)
    return parser.parse_args()


def main():
    asked = arguments()
    environment = dict(each.split("=", 1) for each in asked.set) | jobs.in_force(asked.tables)
    library = jobs.library(asked.mpi, asked.player, asked.preload, environment)
    library.breakeven = asked.breakeven
    first, _, last = asked.seeds.partition(":")
    played = 0
    for procs in map(int, asked.procs.split(",")):
        for seed in range(int(first), int(last or first) + 1):
            steps = program(seed, procs, asked.calls, avoided(asked.version),
                            asked.collectives.split(","), asked.form)
            failure = jobs.play(library, steps, procs, asked.patience_s)
            played += 1
            if failure:
                tell(steps, procs, seed, failure, library)
                return 1
    print(f"{played} programs of {asked.calls} steps: all right")
    return 0


def tell(steps, procs, seed, failure, library):
    print(f"seed {seed}, p = {procs}: step {failure.line}: {failure.reason}")

    def fails(smaller, ranks):
        return jobs.play(library, smaller, ranks, patience_s=5)

    steps, procs, failure = shrink(steps, procs, fails)
    print(f"The smallest that goes wrong, p = {procs}: {failure.reason if failure else 'none'}")
    for step in steps:
        print(f"  {step}")
    text = c_program(steps, procs, failure.reason.replace("*/", "* /") if failure else "")
    if text:
        file = pathlib.Path("legal_call.c")
        file.write_text(text, encoding="utf-8")
        print(f"as C: {file}")


if __name__ == "__main__":
    sys.exit(main())
