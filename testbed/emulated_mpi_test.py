# SPDX-License-Identifier: BSD-3-Clause
"""A real MPI library on an emulated cluster: an unmodified launcher puts its ranks where they were
asked to be, on nodes that share no memory."""

import csv
import json
import pathlib
import re
import shutil
import signal
import tempfile
import unittest

from emulated import SCRIPT, EmulatedTest, require_namespaces
from support import BREAKEVEN, LONGEST_RUN_S, MACHINE, descendants, wait_until, workers_below

NODES, EACH = 2, 4
PROCS = NODES * EACH
PLACES = {
    "seq": [f"node{rank // EACH}" for rank in range(PROCS)],
    "rr": [f"node{rank % NODES}" for rank in range(PROCS)],
}
ON_NODES = ["--machine", MACHINE, "--nodes", str(NODES), "--procs", str(PROCS)]
WORKER = pathlib.Path(BREAKEVEN).parent / f"breakeven-worker-{MACHINE}"
YIELD = pathlib.Path(BREAKEVEN).parent / "libbreakeven_yield.so"


def sweep(mapping: str, *options: str) -> list[str]:
    return [
        BREAKEVEN, "sweep", *ON_NODES, "--mapping", mapping, "--db", "results.db", "--no-doctor",
        "--collectives", "allreduce", "--algorithms", "ring,hierarchical", *options,
    ]  # fmt: skip


class EmulatedMpi(EmulatedTest):
    def on_cluster(self, *command: str) -> str:
        """The output of a command on the head of a cluster with fast links."""
        shape = ["--nodes", str(NODES), "--rate", "1gbit"]
        return self.emulated("run", *shape, "--", *command).stdout

    def test_a_sweep_stores_where_its_ranks_were(self) -> None:
        for mapping in PLACES:
            short = ["--bytes", "8,64K", "--launches", "1", "--repetitions", "5"]
            run = self.on_cluster(*sweep(mapping, *short, "--min-repetitions", "3"))
            self.assertIn("4 measured, 0 failed", run)
        self.assertEqual(self.failures(), [])
        launches = self.rows(
            "SELECT nodes, procs_per_node, mapping, placement, outcome FROM launch ORDER BY id"
        )
        self.assertEqual(
            [(*launch[:3], json.loads(launch[3]), launch[4]) for launch in launches],
            [(NODES, EACH, mapping, places, "complete") for mapping, places in PLACES.items()],
        )

    def test_the_library_finds_no_shared_memory_between_nodes(self) -> None:
        """Ranks of one node know the truth about each other's clocks; here there is none."""
        short = ["--clocks", "none", "--duration-s", "0.1", "--csv", "clocks.csv"]
        self.on_cluster(BREAKEVEN, "clocks", *ON_NODES, *short)
        with (self.folder / "clocks.csv").open(newline="") as lines:
            truths = [row["truth_s"] for row in csv.DictReader(lines)]
        self.assertTrue(truths)
        self.assertEqual(set(truths), {""})

    def test_what_goes_between_nodes_goes_over_their_links(self) -> None:
        """Ranks on different nodes that found another way would leave the links all but unused."""
        script = (
            f"cluster={SCRIPT}; bytes() {{ $cluster exec node0 -- cat"
            ' /sys/class/net/eth0/statistics/tx_bytes; }; before=$(bytes); "$@"; after=$(bytes);'
            " echo sent $((after - before))"
        )
        size, repetitions = 1 << 20, 5
        exactly = ["--repetitions", str(repetitions), "--min-repetitions", str(repetitions)]
        one_size = sweep("rr", "--bytes", str(size), "--launches", "1", *exactly)
        printed = self.on_cluster("sh", "-euc", script, "sh", *one_size)
        # In a ring that changes nodes at each step every rank's 2 (p-1)/p vectors leave its node.
        ring = EACH * 2 * (PROCS - 1) / PROCS * size * repetitions
        self.assertGreater(int(re.search(r"sent (\d+)", printed)[1]), ring)

    def test_ranks_end_in_time(self) -> None:
        """MPICH over tcp hangs in every second MPI_Finalize without our preload."""
        start = [f"mpiexec.{MACHINE}", "-n", str(PROCS)]
        if MACHINE == "mpich":
            start += ["-ppn", str(EACH), "-genv", "LD_PRELOAD", str(YIELD)]
        for _ in range(5):
            printed = self.on_cluster("timeout", "20", *start, str(WORKER))
            self.assertIn('"event":"launch_end"', printed)

    def test_a_profiled_program_ends(self) -> None:
        """MPICH over tcp hangs if rank 0, which writes the profile, comes late to MPI_Finalize."""
        profile = ["profile", "--machine", MACHINE, "--out", "p.json", "--", f"mpiexec.{MACHINE}", "-n", "2"]
        for _ in range(3):
            self.on_cluster("timeout", "20", BREAKEVEN, *profile, str(WORKER))

    def test_a_table_that_a_node_cannot_read_is_used_by_no_rank(self) -> None:
        own = f"{MACHINE}:recursive_doubling"
        tables = self.tables(own, own)
        with tempfile.TemporaryDirectory(prefix="unshared") as unseen:
            shutil.copytree(tables, unseen, dirs_exist_ok=True)
            places = f"for f in {unseen}/*.json {unseen}/*.conf; do [ -f $f ] && $cluster exec node0 -- tee $f < $f; done"
            run = [BREAKEVEN, "run", "--tables", unseen, "--", f"mpiexec.{MACHINE}"]
            if MACHINE == "mpich":
                run += ["-genv", "LD_PRELOAD", str(YIELD)]
            for script, blind in (("", "node0, node1"), (f"{places}; ", "node1")):
                script = f"cluster={SCRIPT}; $cluster exec node0 -- mkdir -p {unseen} < /dev/null; {script}"
                command = ["run", "--nodes", "2", "--rate", "1gbit", "--", "sh", "-c", f'{script}"$@"', "sh"]
                ran = self.emulated(*command, *run, "-n", "2", str(WORKER))
                told = [line for line in ran.stderr.splitlines() if line.startswith("breakeven: ")]
                self.assertEqual(len(told), 1, ran.stderr)
                self.assertIn(f": {blind} can't read {unseen}/", told[0])
                self.assertIn('"event":"launch_end"', ran.stdout)

    def test_a_killed_cluster_takes_its_ranks_along(self) -> None:
        long = ["--bytes", "1M", "--repetitions", "1000000", "--case-budget-s", "60"]
        for number, status in [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 4)]:
            mounts = pathlib.Path("/proc/self/mounts").read_text()
            command = ["run", "--nodes", str(NODES), "--", *sweep("rr", *long)]
            with self.start(*command, program=SCRIPT) as process:
                self.addCleanup(process.kill)
                started = wait_until(lambda: len(workers_below(process.pid)) >= PROCS, 60)
                processes = descendants(process.pid)
                process.send_signal(number)
                _, errors = process.communicate(timeout=LONGEST_RUN_S)
            self.assertTrue(started, errors)
            self.assertEqual(process.returncode, status, errors)
            for path in self.folder.iterdir():
                path.unlink()
            self.assert_nothing_left(processes, mounts)


if __name__ == "__main__":
    require_namespaces()
    unittest.main()
