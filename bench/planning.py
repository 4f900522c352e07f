#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what planning a sweep costs as the number of processes grows, on nodes of 64: seconds of
CPU time and MB of memory of `breakeven submit --dry-run` (mpich, the default collectives, 8 B to
1 MiB), and by which power of p both grew since the line before.

With --commands it then prints the same of what reads a database: a model's sweep at each p, which
is planned again, shown, tuned, reported and compared. (A check needs a library's own collectives.)
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile

MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.02"


def cost(command):
    """CPU seconds and MB of a command. A model has no time of some cases: exit status 1 will do."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    error = child.stderr.read()
    status, usage = os.wait4(child.pid, 0)[1:]
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(command)} failed: {error}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def exponent(now, before, procs):
    """By which power of p something grew."""
    return math.log(now / before[1]) / math.log(procs / before[0])


def print_costs(name, costs):
    """costs: (p, (seconds, MB)) of each p."""
    before = None
    for procs, (seconds, megabytes) in costs:
        grown = ""
        if before and seconds > 0:
            powers = [exponent(now, (before[0], then), procs)
                      for now, then in zip((seconds, megabytes), before[1:])]
            grown = "p^{:+.2f} p^{:+.2f}".format(*powers)
        print(f"{name:<14} {procs:>6} {seconds:>8.2f} s {megabytes:>6.0f} MB  {grown}", flush=True)
        before = (procs, max(seconds, 0.01), megabytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("breakeven")
    parser.add_argument("--procs", default="64,128,256,512,1024,2048,4096,8192,16384,32768,65536")
    parser.add_argument("--commands", action="store_true")
    options = parser.parse_args()
    all_procs = [int(procs) for procs in options.procs.split(",")]
    with tempfile.TemporaryDirectory() as folder:

        def place(procs):
            return ["--procs", str(procs), "--nodes", str(max(procs // 64, 1))]

        def run(*words):
            return cost([options.breakeven, *words])

        submit = ["submit", "--slurm", "--time", "1h", "--dry-run", "--out", folder, "--"]
        print_costs("planning", ((procs, run(*submit, "--machine", "mpich", *place(procs)))
                                 for procs in all_procs))
        if not options.commands:
            return
        database = {procs: f"{folder}/{procs}.db" for procs in all_procs}

        def sweep(procs, *more):
            return run("sweep", "--machine", MODEL, *place(procs), "--launches", "2", "--db",
                       database[procs], *more)

        print_costs("model's sweep", ((procs, sweep(procs)) for procs in all_procs))
        print_costs("resumption", ((procs, sweep(procs, "--dry-run")) for procs in all_procs))
        for name, more in (("show", []), ("status", []), ("tune", ["--out", f"{folder}/tables"]),
                           ("report", ["--out", f"{folder}/report.html"])):
            print_costs(name, ((procs, run(name, "--db", database[procs], *more))
                               for procs in all_procs))
        print_costs("compare", ((procs, run("compare", database[procs], database[procs]))
                                for procs in all_procs))


if __name__ == "__main__":
    main()
