# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on simulated platforms: exact, repeatable, told apart, and refused where they make no sense."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tomllib
import unittest

from support import LONGEST_RUN_S, ProgramTest, alive, picoseconds, programs_below, wait_until

MAKER = pathlib.Path(__file__).parents[1] / "scripts/make_platform.py"
BUS = 5.6e9  # bytes per second, the maker's usual one
LINK = 3.2e9  # the same
MIB = 1 << 20


def simulators_below(ancestor: int) -> list[int]:
    """The running simulations that descend from a process."""
    return programs_below(ancestor, "smpimain")


class Simulation(ProgramTest):
    """With a platform of 8 nodes with 8 cores, and a folder of its own for temporary files."""

    def setUp(self) -> None:
        super().setUp()
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        os.environ["TMPDIR"] = str(self.temporary)
        self.make("two_level", "--nodes", "8", "--cores", "8")

    def make(self, *arguments: str, out: str = "platform.xml") -> None:
        command = [sys.executable, MAKER, *arguments, "--out", self.folder / out]
        subprocess.run(command, check=True, timeout=60)

    def sweep(self, machine: str, *arguments: str, database: str = "results.db", **how):
        """An allreduce sweep of one launch and size, unless the arguments say otherwise."""
        usual = {"--collectives": "allreduce", "--procs": "16", "--bytes": "8K", "--launches": "1",
                 "--algorithms": "ring"}  # fmt: skip
        for flag, value in usual.items():
            if flag not in arguments:
                arguments = (*arguments, flag, value)
        return self.breakeven("sweep", "--machine", machine, "--db", database, *arguments, **how)

    def medians(self) -> dict[tuple[str, str, str], float]:
        """Seconds by algorithm, parameters and mapping."""
        return {
            (algorithm, params, mapping): median
            for algorithm, params, mapping, median in self.rows(
                """SELECT algorithm, params, mapping, median_s
                   FROM measurement JOIN "case" ON "case".id = case_id"""
            )
        }

    def samples(self, database: str) -> list[tuple]:
        with contextlib.closing(sqlite3.connect(self.folder / database)) as connection:
            return connection.execute(
                """SELECT algorithm, params, message_bytes, repeat, median_s, local_ps
                   FROM durations JOIN measurement ON measurement.id = measurement_id
                   JOIN "case" ON "case".id = case_id ORDER BY 1, 2, 3, 4"""
            ).fetchall()


class Exact(Simulation):
    def test_the_same_sweep_gives_the_same_numbers(self) -> None:
        machine = "smpi:platform.xml,hosts=2,mapping=rr"
        algorithms = "native,ring,ring:reorder_ranks=seq,hierarchical,recursive_doubling"
        arguments = ["--algorithms", algorithms, "--bytes", "8,64K", "--launches", "2", "--racing", "false"]
        for database in ("first.db", "second.db"):
            self.sweep(machine, *arguments, database=database)
        first = self.samples("first.db")
        self.assertEqual(len(first), 5 * 2 * 2)
        self.assertEqual(first, self.samples("second.db"))

    def test_a_ring_takes_what_its_fullest_bus_says(self) -> None:
        """Of 8 ranks of a node, 7 send within it, 1 out of it and 1 into it; dealt out, 8 and 8."""
        for mapping in ("seq", "rr"):
            algorithms = "ring" if mapping == "seq" else "ring,ring:reorder_ranks=seq"
            self.sweep(
                f"smpi:platform.xml,hosts=4,mapping={mapping}", "--procs", "32", "--bytes", "4M",
                "--algorithms", algorithms, "--repetitions", "2", "--batch", "2",
            )  # fmt: skip
        found = self.medians()
        for mapping, flows in (("seq", 9), ("rr", 16)):
            expected = 2 * 31 * flows * (4 * MIB / 32) / BUS
            # A bound: latencies come on top, and ranks that drift apart leave the bus idle at times.
            self.assertGreaterEqual(found["ring", "", mapping] / expected, 1)
            self.assertLessEqual(found["ring", "", mapping] / expected, 1.05)
        reordered = found["ring", "reorder_ranks=seq", "rr"]
        # Not to the last digit: SimGrid takes what happens at one moment in the order of the ranks.
        self.assertAlmostEqual(reordered / found["ring", "", "seq"], 1, delta=0.015)

    def test_without_noise_the_first_block_is_precise(self) -> None:
        self.sweep(
            "smpi:platform.xml,hosts=2", "--repetitions", "1000", "--batch", "20",
            "--sync", "dissemination", "--run-time", "local",
        )  # fmt: skip
        [(samples, stopped)] = self.rows("SELECT samples, stopped FROM measurement")
        self.assertEqual((samples, stopped), (20, "precise"))

    def test_gamma_charges_each_byte_that_is_reduced(self) -> None:
        """Of 2 ranks each reduces one half; SMPI's own collective is charged too."""
        gamma = 1e-8
        arguments = ["--procs", "2", "--bytes", "1M", "--algorithms", "native,ring"]
        machine = "smpi:platform.xml,hosts=2"
        self.sweep(machine, *arguments)
        free = self.medians()
        self.database.unlink()
        self.sweep(f"{machine},gamma={gamma}", *arguments)
        charged = self.medians()
        ring, native = (("ring", "", "seq"), ("native", "", "seq"))
        self.assertAlmostEqual((charged[ring] - free[ring]) / (gamma * MIB / 2), 1, delta=1e-6)
        self.assertGreaterEqual(charged[native] - free[native], gamma * MIB / 2 * (1 - 1e-6))

    def test_a_fit_finds_the_platform(self) -> None:
        self.breakeven(
            *("fit", "--machine", "smpi:platform.xml,hosts=2,gamma=1e-10", "--procs", "2"),
            *("--bytes", "8:32K", "--model", "postal", "--out", "platform.toml"),
        )
        machine = tomllib.loads((self.folder / "platform.toml").read_text())
        (postal,) = machine["ranges"]
        # There and back, one message has a link to itself; in an exchange two share each bus.
        for found, truth in [
            (postal["alpha"] * postal.get("f_alpha", 1), 2 * 1e-7 + 2 * 7.5e-7),
            (postal["alpha"], 2 * 1e-7 + 2 * 7.5e-7),
            (postal["beta"] * postal["f_beta"], 1 / LINK),
            (postal["beta"], 2 / BUS),
            (postal["gamma"], 1e-10),
        ]:
            self.assertAlmostEqual(found / truth, 1, delta=0.03, msg=str(postal))

    def test_all_ranks_begin_at_the_same_moment(self) -> None:
        """From the first start to the last end is then as long as the slowest rank takes."""
        self.sweep("smpi:platform.xml,hosts=2")
        [(local, global_)] = self.rows("SELECT local_ps, global_ps FROM durations")
        for own, of_all in zip(picoseconds(local), picoseconds(global_), strict=True):
            self.assertAlmostEqual(own, of_all, delta=1)  # each is rounded to whole picoseconds

    def test_windows_stay_as_long_as_their_repetitions(self) -> None:
        """Of blocks that wait for windows, each would make the next one's twice as long.

        Samples may be equal to the last bit; this precision needs more of them than there are.
        """
        self.sweep(
            "smpi:platform.xml,hosts=2", "--repetitions", "100", "--batch", "5", "--stop-rule",
            "cov_mean", "--stop-window", "200", "--case-budget-s", "0.1",
        )  # fmt: skip
        [(samples, stopped)] = self.rows("SELECT samples, stopped FROM measurement")
        self.assertEqual((samples, stopped), (100, "repetitions"))

    def test_every_way_to_begin_together_works_in_simulated_time(self) -> None:
        for start in ("dissemination", "library", "round_time"):
            for clock in ("jk", "hca3", "two_level"):
                self.sweep("smpi:platform.xml,hosts=2", "--sync", start, "--clock-sync", clock)
                [(samples,)] = self.rows("SELECT samples FROM measurement")
                self.assertEqual(samples, 5, (start, clock))
                self.database.unlink()

    def test_fat_trees_and_dragonflies(self) -> None:
        self.make("fat_tree", "--down", "4,4", "--up", "1,2", out="tree.xml")
        dragonfly = ["--groups", "4", "--chassis", "1", "--routers", "4", "--hosts", "1"]
        self.make("dragonfly", *dragonfly, out="dragonfly.xml")
        for platform in ("tree.xml", "dragonfly.xml"):
            machine = f"smpi:{platform},hosts=16,network=smpi,selector=mpich"
            # Every rank hears from every other: each route is taken.
            self.sweep(machine, "--collectives", "gather", "--algorithms", "native")
            self.sweep(machine, "--algorithms", "recursive_doubling,ring")
        names = [name for (name,) in self.rows("SELECT name FROM machine ORDER BY name")]
        options = ",network=smpi,selector=mpich"
        self.assertEqual(names, [f"smpi:dragonfly.xml{options}", f"smpi:tree.xml{options}"])


class Recorded(Simulation):
    def test_a_launch_says_where_its_ranks_were(self) -> None:
        self.sweep("smpi:platform.xml,hosts=2,mapping=rr", "--procs", "4")
        [(placement, nodes, mapping, timer, oversubscribed)] = self.rows(
            "SELECT placement, nodes, mapping, timer, oversubscribed FROM launch"
        )
        self.assertEqual(json.loads(placement), ["node-0", "node-1"] * 2)
        self.assertEqual((nodes, mapping, timer, oversubscribed), (2, "rr", "wtime", 0))

    def test_ranks_of_a_host_are_a_node(self) -> None:
        """Reduced on each node first, nothing but one vector leaves a node: mappings are alike."""
        for mapping in ("seq", "rr"):
            self.sweep(f"smpi:platform.xml,ppn=8,mapping={mapping}", "--algorithms", "hierarchical")
        seq, dealt_out = (self.medians()["hierarchical", "", each] for each in ("seq", "rr"))
        self.assertAlmostEqual(dealt_out / seq, 1, delta=1e-6)

    def test_mappings_are_cases_of_one_machine(self) -> None:
        for mapping in ("seq", "rr"):
            self.sweep(f"smpi:platform.xml,hosts=2,mapping={mapping}")
        self.assertEqual(self.rows("SELECT count(*) FROM machine"), [(1,)])
        self.assertEqual(len(self.medians()), 2)
        self.breakeven("tune", "--db", "results.db", "--machine", "smpi:platform.xml", "--out", "t")
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn("2 measured, 0 failed, 0 remaining", status)

    def test_break_even_points_are_drawn_in_on_with_native_at_every_size(self) -> None:
        """On a real worker, whose library competes, and yet without luck: simulations are exact."""
        sweep = ["smpi:platform.xml,hosts=2", "--refine", "--bytes", "8,1M", "--launches", "3",
                 "--algorithms", "native,recursive_doubling,ring"]  # fmt: skip
        run = self.sweep(*sweep)
        self.assertIn("Done: more measurements would not change a choice by 0.01 %.", run.stdout)
        sizes: dict[int, set[str]] = {}
        for algorithm, size in self.rows('SELECT algorithm, message_bytes FROM "case"'):
            sizes.setdefault(size, set()).add(algorithm)
        self.assertGreater(len(sizes), 5)
        for size, algorithms in sizes.items():
            self.assertIn("native", algorithms, size)
            self.assertGreater(len(algorithms), 1, size)
        found = sorted(sizes)
        closest = min(above / below for below, above in zip(found, found[1:]))
        self.assertLessEqual(closest, 1.2)
        self.assertIn(": 0 measured, 0 failed", self.sweep(*sweep).stdout)

    def test_another_platform_is_another_machine(self) -> None:
        self.sweep("smpi:platform.xml,hosts=2")
        (self.folder / "elsewhere").mkdir()
        shutil.copy(self.folder / "platform.xml", self.folder / "elsewhere")
        again = self.sweep("smpi:elsewhere/platform.xml,hosts=2")
        self.assertIn("0 measured, 0 failed, 1 stored before", again.stdout)
        self.make("two_level", "--nodes", "8", "--cores", "8", "--bus-bytes-per-s", "1e9")
        other = self.sweep("smpi:platform.xml,hosts=2")
        self.assertIn("1 measured, 0 failed, 0 stored before", other.stdout)
        self.assertEqual(self.rows("SELECT count(*) FROM machine"), [(2,)])

    def test_a_simulation_leaves_no_file(self) -> None:
        self.sweep("smpi:platform.xml,hosts=2")
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(
            {file.name for file in self.folder.iterdir()}, {"platform.xml", "results.db", "tmp"}
        )


class Fault(Simulation):
    LONG = ["--procs", "64", "--bytes", "1M", "--algorithms", "ring,recursive_doubling",
            "--repetitions", "80", "--batch", "20"]  # fmt: skip

    def test_a_crash_loses_only_its_case(self) -> None:
        arguments = ["sweep", "--machine", "smpi:platform.xml,hosts=8", "--db", "results.db",
                     "--collectives", "allreduce", "--launches", "1", *self.LONG]  # fmt: skip
        with self.start(*arguments) as process:
            self.assertTrue(wait_until(lambda: self.rows("SELECT id FROM launch")), "no launch")
            self.assertTrue(wait_until(lambda: simulators_below(process.pid)), "no simulation")
            for pid in simulators_below(process.pid):
                os.kill(pid, signal.SIGKILL)
            output, errors = process.communicate(timeout=LONGEST_RUN_S)
        self.assertEqual(process.returncode, 1, errors)
        [(*_, reason)] = self.failures()
        self.assertRegex(reason, "^crashed: ")
        self.assertEqual(len(self.measured()), 1)

    def test_an_interrupt_ends_the_simulation_and_leaves_nothing(self) -> None:
        arguments = ["sweep", "--machine", "smpi:platform.xml,hosts=8", "--db", "results.db",
                     "--collectives", "allreduce", "--launches", "1", *self.LONG]  # fmt: skip
        with self.start(*arguments) as process:
            self.assertTrue(wait_until(lambda: simulators_below(process.pid)), "no simulation")
            simulation = simulators_below(process.pid)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=LONGEST_RUN_S)
        self.assertEqual(process.returncode, 4)
        self.assertTrue(wait_until(lambda: not any(map(alive, simulation)), 5), "still running")
        self.assertEqual(list(self.temporary.iterdir()), [])


class Refused(Simulation):
    def refused(self, words: str, *arguments: str) -> None:
        """Exit status 2, one line that holds `words`, and no file added."""
        before = sorted(self.folder.rglob("*"))
        run = self.breakeven(*arguments, status=2)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn(words, run.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def refused_sweep(self, words: str, machine: str, *arguments: str) -> None:
        self.refused(
            words, "sweep", "--machine", machine, "--procs", "16", "--bytes", "8", "--db", "new.db",
            *arguments,
        )  # fmt: skip

    def test_a_layout_said_twice_and_differently(self) -> None:
        self.refused_sweep("says hosts=2, the sweep 1 nodes", "smpi:platform.xml,hosts=2", "--nodes", "1")
        self.refused_sweep(
            "says mapping=rr, the sweep mapping seq", "smpi:platform.xml,hosts=2,mapping=rr",
            "--mapping", "seq",
        )  # fmt: skip
        self.refused_sweep("says ppn=8", "smpi:platform.xml,hosts=4,ppn=8")

    def test_a_platform_that_is_not_there_or_too_small(self) -> None:
        self.refused_sweep("can't read platform 'none.xml'", "smpi:none.xml")
        self.refused_sweep("16 hosts asked for; platform 'platform.xml' has 8", "smpi:platform.xml,hosts=16")

    def cluster(self, name: str) -> None:
        (self.folder / "named.xml").write_text(
            f"<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
            f"<platform version='4.1'><cluster id='c' prefix='{name}' suffix='' radical='0-3'"
            " speed='1Gf' bw='1GBps' lat='10us'/></platform>\n"
        )

    def test_a_name_that_a_host_file_can_not_have(self) -> None:
        for name in ("a:", " a"):
            self.cluster(name)
            self.refused_sweep(f"has host '{name}0', which smpirun would take", "smpi:named.xml,hosts=4")
        for name in ("rack 1 node ", "&amp;#$;*"):
            self.cluster(name)
            self.sweep("smpi:named.xml,hosts=4", "--procs", "8", "--bytes", "8")
        places = [json.loads(text)[0] for (text,) in self.rows("SELECT placement FROM launch")]
        self.assertEqual(places, ["rack 1 node 0", "&#$;*0"])
        self.database.unlink()

    def test_hosts_without_a_way_to_each_other(self) -> None:
        (self.folder / "apart.xml").write_text(
            "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
            "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
            "<host id='b' speed='1Gf'/></zone></platform>\n"
        )
        self.refused_sweep("no connecting path between these two hosts", "smpi:apart.xml,hosts=2")

    def test_a_launch_places_ranks_as_a_sweep_does(self) -> None:
        machine = ["--machine", "smpi:platform.xml,hosts=2,mapping=rr", "--procs", "4"]
        run = self.breakeven("launch", *machine)
        self.assertEqual(run.stdout.splitlines()[1:], ["  2 times node-[0-1]"])
        dry = self.breakeven("launch", *machine, "--dry-run").stdout
        self.sweep(machine[1], "--procs", "4")
        [(sweeps,)] = self.rows("SELECT command FROM launch")
        file = re.compile(r"/proc/\S+")  # each process has its own
        for command in (run.stdout.splitlines()[0], dry.strip()):
            self.assertEqual(file.sub("", command), file.sub("", sweeps))

    def test_a_platform_that_simgrid_refuses(self) -> None:
        (self.folder / "broken.xml").write_text("<platform version='4.1'><zone/></platform>\n")
        self.refused_sweep("SimGrid can't read platform 'broken.xml'", "smpi:broken.xml")

    def test_what_there_is_nothing_of(self) -> None:
        self.refused_sweep("names no platform", "smpi")
        self.refused_sweep("no such key", "smpi:platform.xml,nodes=2")
        self.refused(
            "p = 1 asked for", "sweep", "--machine", "smpi:platform.xml", "--procs", "1", "--bytes",
            "8", "--db", "new.db",
        )  # fmt: skip
        for command in ("doctor", "clocks"):
            self.refused("looks at real nodes", command, "--machine", "smpi:platform.xml")


if __name__ == "__main__":
    unittest.main()
