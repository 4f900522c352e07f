# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven predict` and `timeline`: what models say, against closed forms, and what they refuse."""

import itertools
import json
import unittest
import xml.etree.ElementTree

from support import ProgramTest

CLUSTER = "loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9"
POSTAL = "postal:alpha=1e-6,beta=1e-9,gamma=0"
ROUND_S = 5542e-9  # of 8 bytes on the cluster


class PredictTest(ProgramTest):
    def predicted(self, *arguments: str, machine: str = CLUSTER) -> dict[tuple[int, int], dict]:
        return {
            (cell["procs"], cell["message_bytes"]): {
                f"{each['algorithm']}:{each['params']}".rstrip(":"): each["time_s"] for each in cell["times"]
            }
            for cell in self.cells(*arguments, machine=machine)
        }

    def cells(self, *arguments: str, machine: str = CLUSTER) -> list[dict]:
        said = self.breakeven("predict", *arguments, "--machine", machine, "--format", "json")
        return json.loads(said.stdout)["cells"]

    def lines(self, *arguments: str, machine: str = CLUSTER) -> list[str]:
        lines = self.breakeven("predict", *arguments, "--machine", machine).stdout.splitlines()
        for line in lines:
            self.assertLessEqual(len(line), 100, line)
        return lines

    def test_times_are_those_of_the_closed_forms(self) -> None:
        cells = self.predicted("allreduce/recursive_doubling", "--procs", "16,1048576", "--bytes", "8")
        self.assertEqual(cells[16, 8], {"recursive_doubling": 22.168e-6})
        self.assertEqual(cells[1 << 20, 8], {"recursive_doubling": 110.84e-6})
        ring = self.predicted("allreduce/ring", "--procs", "4096", "--bytes", "32K")
        self.assertAlmostEqual(ring[4096, 32768]["ring"], 2 * 4095 * ROUND_S, places=15)

    def program(
        self, *arguments: str, status: int = 0, order: dict | None = None, machine: str = CLUSTER, **use
    ) -> str:
        """The prediction for a program of 1,000 allreduces of 8 bytes by 16 processes, 3 s in all."""
        call = {
            **{"collective": "allreduce", "form": "blocking", "procs": 16, "nodes": 1, "procs_per_node": 16},
            **{"mapping": "seq", "comms_per_node": 1, "message_bytes": 8, "datatype": "double", "op": "sum", "in_place": False},
            **{"algorithm": "native", "native": "mpich:recursive_doubling", "calls": 1000, "processes": 16},
            **{"time_s": 3.0, "start_s": 0, "under_way_s": 0, "most_overlap_s": 0, **use},
        }
        procs = {"procs": call["procs"]}
        whole = {"breakeven_profile": 4, "library_version": "x", "cpu": "y", **procs, "wall_s": 5.0}
        ordered = {"order": order} if order else {}
        (self.folder / "profile.json").write_text(json.dumps({**whole, "uses": [call], **ordered}))
        asked = ("predict", "--profile", "profile.json", *arguments, "--machine", machine)
        done = self.breakeven(*asked, status=status)
        return done.stdout + done.stderr

    def test_a_programs_calls_take_the_closed_forms_times(self) -> None:
        text = self.program()
        self.assertRegex(text, r"  1000 +3  0\.0222  mpich:recursive_doubling ")
        self.assertIn("100.0 % of the 3 s in calls are of known algorithms", text)
        self.assertIn("0 % of the calls in their order: 0.0222 s now", text)
        self.assertIn("If the model holds", text)
        self.assertRegex(self.program("--procs", "65536"), r" 65536  seq .* 0\.0887  mpich:recursive_doubling ")

    def test_a_replay_has_the_time_between_calls_and_goes_to_other_programs(self) -> None:
        step = {"call": 0, "before_s": 1e-3, "apart_s": 1e-4}
        kinds = [{"use": 0, "stride": 1, "prompt_s": 2e-5}]
        steps = [{"turns": 1000, "steps": [step]}]
        order = {"procs": 2, "calls": 1000, "complete": True, "kinds": kinds, "steps": steps}
        asked = {"order": order, "procs": 2, "procs_per_node": 2}
        # The late rank's call takes 2 o + 7 G = 3.042 us, as the other's message is there. That one's ends a round, 5.542
        # us, after the late one begins, and so it begins 0.2 ms - 2.5 us before: (197.5 + 5.542 + 3.042) us / 2.
        self.assertIn(" 100 % of the calls in their order: 0.103 s now", self.program(**asked))
        goal = self.program("--format", "goal", **asked).splitlines()
        self.assertEqual(goal[0], "num_ranks 2")
        first = sorted(line.split(": ")[1] for line in goal if line.startswith("l1:"))
        self.assertEqual(first, ["calc 1100000", "calc 900000"])
        self.assertEqual(sum(": send 8b" in line for line in goal), 2000)
        events = json.loads(self.program("--format", "chrome", **asked))["traceEvents"]
        calls = [each for each in events if each["name"] == "allreduce/recursive_doubling"]
        self.assertEqual(len(calls), 2000)
        self.assertAlmostEqual(sum(each["dur"] for each in calls) / 2e6, 0.103042, places=5)
        self.assertEqual(sum(each["ph"] == "s" for each in events), 2000)

    def test_a_long_replay_is_shortened_and_says_so(self) -> None:
        step = {"call": 0, "before_s": 1e-3, "apart_s": 0}
        kinds = [{"use": 0, "stride": 1, "prompt_s": 2e-5}]
        steps = [{"turns": 10**5, "steps": [step]}]
        order = {"procs": 2, "calls": 10**5, "complete": True, "kinds": kinds, "steps": steps}
        said = self.program("--format", "chrome", order=order, calls=10**5, procs=2, procs_per_node=2)
        self.assertIn("loops are shortened", said)
        calls = said.count('"name":"allreduce/')
        self.assertGreater(calls, 2 * 5000)
        self.assertLessEqual(calls, 2 * 10**4)

    def test_calls_without_a_known_algorithm_are_not_predicted(self) -> None:
        self.assertIn("none of the program's calls can be predicted", self.program(native="", status=2))

    def test_options_of_other_predictions_are_refused(self) -> None:
        for option in (
            *(["allreduce"], ["--bytes", "8"], ["--formula"], ["--out", "map.svg"], ["--baseline", "ring"]),
            *(["--skew-s", "1"], ["--noise", "exponential:rate_per_s=1,mean_s=1"], ["--runs", "2"]),
        ):
            said = self.program(*option, status=2)
            name = option[0] if option[0].startswith("--") else "WHAT"
            self.assertIn(f"--profile takes no {name}: ", said)
            self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("--procs NUMBER is missing", self.program("--procs-per-node", "2", status=2))

    def test_a_barrier_has_no_sizes(self) -> None:
        (row,) = self.cells("barrier", "--procs", "4")
        self.assertEqual(row["message_bytes"], 0)
        barrier = "barrier/dissemination"
        self.assertIn("; 0 B; ", self.breakeven("timeline", barrier, "--procs", "4", "--machine", POSTAL).stdout)
        goal = self.breakeven("schedule", "show", barrier, "--procs", "4", "--format", "goal").stdout
        self.assertTrue(goal.startswith("num_ranks 4\n"), goal[:80])

    def test_one_process_takes_no_time(self) -> None:
        for arguments in ([], ["--formula"], ["--format", "json"]):
            asked = ("predict", "allreduce", "--procs", "1", "--bytes", "8", "--machine", POSTAL)
            self.assertNotIn("nan", self.breakeven(*asked, *arguments).stdout)

    def test_the_fastest_comes_first(self) -> None:
        cells = self.predicted("allreduce", "--procs", "8", "--bytes", "8,1M", machine=POSTAL)
        for times in cells.values():
            self.assertEqual(list(times.values()), sorted(times.values()))
        self.assertEqual(cells[8, 8]["recursive_doubling"], min(cells[8, 8].values()))
        self.assertLess(cells[8, 1 << 20]["ring"], cells[8, 1 << 20]["recursive_doubling"])
        self.assertIn("If the model holds: ", self.lines("allreduce", "--procs", "8", "--bytes", "8")[-1])

    def test_what_is_not_simulated_is_marked(self) -> None:
        (cell,) = self.cells("allreduce", "--procs", "1M", "--bytes", "1040000")
        basis = {each["algorithm"]: each["basis"] for each in cell["times"] if not each["params"]}
        self.assertEqual(basis["recursive_doubling"], "simulated")
        self.assertEqual(basis["halving_doubling"], "at_most")  # p does not divide the bytes
        self.assertEqual(basis["pairwise_ring"], "formula")
        self.assertIn("hierarchical", cell["left_out"])
        lines = self.lines("allreduce/pairwise_ring", "--procs", "1M", "--bytes", "1000")
        self.assertTrue(any(" s f " in line for line in lines), lines)
        self.assertTrue(any(line.startswith("f: by the source's formula") for line in lines), lines)

    def test_formulas_stand_beside_the_simulation(self) -> None:
        archer = "pipelining:alpha_p=1.36e-6,alpha_r=0.34e-6,beta=0,gamma=0"
        lines = self.lines("allreduce", "--procs", "64", "--bytes", "8", "--formula", machine=archer)
        (fan_out,) = [line.split() for line in lines if line.startswith("     64") and "a4,a4,a4" in line][:1]
        self.assertEqual(fan_out[:2] + fan_out[3:], ["64", "8", "4", "3.97", "a4,a4,a4"])
        (ring,) = [line.split() for line in lines if line.endswith("  pairwise_ring")]
        self.assertEqual(ring[-2], "1.00")
        (halving,) = [line for line in lines if line.startswith("halving_doubling")]
        self.assertIn("2 lg p' alpha", halving)

    def test_a_range_of_processes_doubles(self) -> None:
        asked = ("allreduce/recursive_doubling", "--bytes", "8", "--procs")
        self.assertEqual([procs for procs, _ in self.predicted(*asked, "2:64")], [2, 4, 8, 16, 32, 64])
        self.assertEqual([procs for procs, _ in self.predicted(*asked, "3..6")], [3, 4, 5, 6])

    def test_the_stages_are_those_of_the_model(self) -> None:
        archer = "pipelining:alpha_p=1.34e-6,alpha_r=0.34e-6,beta=0,gamma=0"
        for procs, stages, time_s in [(16, "a4,a4", 4.72e-6), (128, "a8,a4,a4", 8.44e-6)]:
            (times,) = self.predicted("allreduce", "--procs", str(procs), "--bytes", "8", machine=archer).values()
            self.assertAlmostEqual(times[f"recursive_multiplying:stages={stages}"], time_s, places=12)

    def machine_file(self) -> str:
        text = """name = "a cluster"
model = "postal"
[limits]
procs = 8
message_bytes = 4096
[[ranges]]
alpha = 1e-06
beta = 1e-09
gamma = 0
[ranges.replicates]
alpha = [1.1e-06, 9e-07, 1.0e-06, 1.05e-06]
beta = [0.9e-09, 1e-09, 1.1e-09, 1e-09]
"""
        path = self.folder / "cluster.toml"
        path.write_text(text)
        return str(path)

    def test_replicates_give_intervals(self) -> None:
        (cell,) = self.cells("allreduce/ring", "--procs", "4", "--bytes", "1K", machine=self.machine_file())
        (ring,) = cell["times"]
        exact = [6 * (alpha + 256 * beta) for alpha, beta in ((1.1e-6, 0.9e-9), (9e-7, 1e-9))]
        low, high = ring["interval_s"]
        self.assertTrue(exact[1] <= low < ring["time_s"] < high <= exact[0], ring)
        self.assertEqual((cell["certainty"], ring["ratio_interval"]), (1, [1, 1]))
        lines = self.lines("allreduce", "--procs", "4", "--bytes", "8:4K", machine=self.machine_file())
        self.assertIn("95 % interval", lines[2])

    def test_a_program_beyond_the_fit_needs_a_word(self) -> None:
        asked = {"machine": self.machine_file()}
        self.assertIn("p = 16 is beyond p = 8", self.program("--procs", "16", status=2, **asked))
        self.program("--procs", "16", "--extrapolate", **asked)
        self.program("--procs", "8", **asked)

    def test_the_models_error_is_in_intervals(self) -> None:
        path = self.machine_file()
        with open(path, "a", encoding="utf-8") as file:
            file.write('[[errors]]\nname = "allreduce"\nshared = 0.3\nown = 0.2\ncases = 40\n')
        said = self.breakeven(
            *("predict", "allreduce/ring", "allreduce/recursive_doubling", "--procs", "4"),
            *("--bytes", "1K", "--machine", path, "--format", "json"),
        )
        whole = json.loads(said.stdout)
        self.assertEqual(
            whole["model_error"], {"shared": 0.3, "own": 0.2, "cases": 40, "of_collective": True}
        )
        first, second = whole["cells"][0]["times"]
        self.assertGreater(first["interval_s"][1], 1.7 * first["time_s"])
        self.assertLess(first["interval_s"][0], first["time_s"] / 1.7)
        self.assertAlmostEqual(second["ratio"], first["time_s"] / second["time_s"])
        low, high = second["ratio_interval"]
        self.assertTrue(low < 0.7 * second["ratio"] < 1.4 * second["ratio"] < high, second)
        lines = "\n".join(self.lines("allreduce", "--procs", "4", "--bytes", "8:4K", machine=path))
        self.assertIn("By 40 measured cases of allreduce", lines)

    def test_beyond_what_was_measured_only_if_asked(self) -> None:
        asked = ("allreduce", "--procs", "64", "--bytes", "8", "--machine", self.machine_file())
        said = self.breakeven("predict", *asked, status=2).stderr
        self.assertRegex(said, "p = 64 is beyond p = 8, up to which .* was measured; --extrapolate")
        said = self.breakeven("predict", *asked, "--extrapolate").stdout
        self.assertIn("x: beyond the data that the machine was fitted to", said)

    def test_a_map_is_drawn(self) -> None:
        out = self.folder / "map.svg"
        asked = ("allreduce", "--procs", "2:16", "--bytes", "8:1M")
        self.breakeven("predict", *asked, "--machine", CLUSTER, "--out", str(out))
        self.assertIn("recursive doubling", out.read_text())
        said = self.breakeven(
            *("predict", *asked, "--machine", CLUSTER, "--out", str(out), "--baseline", "linear"), status=2
        )
        self.assertIn("no time of linear", said.stderr)

    def test_schedules_go_to_other_simulators(self) -> None:
        goal = ("schedule", "show", "allreduce/ring", "--procs", "4", "--format", "goal")
        said = self.breakeven(*goal, "--bytes", "1K", "--machine", "postal:alpha=0,beta=0,gamma=1e-9").stdout
        self.assertTrue(said.startswith("num_ranks 4\n"), said[:80])
        self.assertEqual(said.count("send 256b to"), 4 * 6)
        self.assertEqual(said.count("calc 256\n"), 4 * 3)
        self.assertIn("--bytes is missing", self.breakeven(*goal, status=2).stderr)

    def test_processes_that_begin_later_end_later(self) -> None:
        options = ("allreduce/recursive_doubling", "--procs", "64", "--bytes", "8")
        (times,) = self.predicted(*options, "--skew-s", "1e-5").values()
        self.assertGreater(times["recursive_doubling"], 6 * ROUND_S)
        self.assertLess(times["recursive_doubling"], 6 * ROUND_S + 1e-5)

    def test_noise_makes_times_longer_the_same_ones_for_a_seed(self) -> None:
        options = ("allreduce/recursive_doubling", "--procs", "64", "--bytes", "8", "--runs", "5", "--noise")
        (times,) = self.predicted(*options, "exponential:rate_per_s=1e4,mean_s=1e-5").values()
        self.assertGreater(times["recursive_doubling"], 6 * ROUND_S)
        (again,) = self.predicted(*options, "exponential:mean_s=1e-5,rate_per_s=1e4,seed=1").values()
        self.assertEqual(again, times)

    def test_nodes_share_a_bus(self) -> None:
        options = ("allreduce/ring", "--procs", "64", "--bytes", "4M", "--procs-per-node", "8", "--mapping")
        bus = "two_level:L_intra=0,L_inter=0,o=0,bus=1e-9,card=0"
        ((seq,), (rr,)) = (self.predicted(*options, each, machine=bus).values() for each in ("seq", "rr"))
        self.assertAlmostEqual(rr["ring"] / seq["ring"], 16 / 9, places=9)

    def test_a_timeline_is_what_the_model_says(self) -> None:
        options = ("timeline", "allreduce/ring", "--procs", "4", "--bytes", "4K", "--machine", POSTAL)
        said = json.loads(self.breakeven(*options, "--format", "json").stdout)
        self.assertEqual((said["format"], len(said["messages"])), ("breakeven-timeline-1", 24))
        self.assertAlmostEqual(said["end_s"], 6 * (1e-6 + 1024e-9), places=15)
        svg = xml.etree.ElementTree.fromstring(self.breakeven(*options, "--format", "svg").stdout)
        arrows = svg.findall("{http://www.w3.org/2000/svg}g")
        self.assertEqual(len(arrows), 24)
        rows = self.breakeven(*options).stdout.splitlines()
        self.assertEqual(sum(row.endswith("12.1 us") for row in rows), 4)

    def test_a_trace_of_chrome_has_lanes_without_overlap_and_an_arrow_for_each_message(self) -> None:
        said = {
            form: json.loads(
                self.breakeven(
                    *("timeline", "allreduce/circulant", "--procs", "4", "--procs-per-node", "2"),
                    *("--machine", CLUSTER, "--skew-s", "1e-5", "--format", form),
                ).stdout
            )
            for form in ("chrome", "json")
        }
        events = said["chrome"]["traceEvents"]
        names = [each["args"]["name"] for each in events if each["name"] == "process_name"]
        self.assertEqual(names, [f"rank {rank}, node {rank // 2}" for rank in range(4)])
        slices: dict[tuple[int, int], list[dict]] = {}
        for each in events:
            if each["ph"] == "X":
                slices.setdefault((each["pid"], each["tid"]), []).append(each)
        for lane in slices.values():
            lane.sort(key=lambda each: each["ts"])
            for one, other in itertools.pairwise(lane):
                self.assertLessEqual(one["ts"] + one["dur"], other["ts"] + 1e-6)
        arrows = {phase: [each for each in events if each["ph"] == phase] for phase in "sf"}
        self.assertEqual(len(arrows["s"]), len(said["json"]["messages"]))
        for begin, end in zip(arrows["s"], arrows["f"], strict=True):
            self.assertEqual(begin["id"], end["id"])
            [sent], [received] = (
                [each for each in slices[at["pid"], at["tid"]] if each["ts"] == at["ts"]]
                for at in (begin, end)
            )
            self.assertEqual(sent["args"], received["args"])
            self.assertEqual((sent["args"]["from"], sent["args"]["to"]), (begin["pid"], end["pid"]))

    def test_what_cannot_be_computed_is_refused(self) -> None:
        for arguments, words in [
            (("predict", "allreduce/ring", "bcast/binomial", "--procs", "4", "--machine", POSTAL), "one collective"),
            (("predict", "allreduce", "--procs", "4", "--baseline", "ring", "--machine", POSTAL), "--out"),
            (("predict", "allreduce", "--procs", "4", "--format", "goal", "--machine", POSTAL), "--profile FILE"),
            (("predict", "allreduce", "--procs", "4", "--tables", "t", "--machine", POSTAL), "--profile FILE"),
            (("predict", "allreduce", "--procs", "4", "--machine", "openmpi"), "openmpi is a library, which is measured"),
            (("predict", "allreduce", "--procs", "4", "--machine", POSTAL + ",noise=0.1"), "no noise"),
            (("predict", "bcast/flat", "--procs", "4", "--machine", POSTAL), "no bcast algorithm"),
            (("predict", "bcast/binomial:segments=65536", "--procs", "65536", "--machine", POSTAL), "steps"),
            (("predict", "allreduce", "--procs", "4", "--noise", "loud", "--machine", CLUSTER), "'loud'"),
            (
                ("timeline", "allreduce/ring", "--procs", "4", "--machine", POSTAL, "--noise")
                + ("exponential:rate_per_s=1000,mean_s=1e-5",),
                "no processors",
            ),
            (("timeline", "bcast/binomial", "--procs", "4", "--root", "4", "--machine", POSTAL), "root 4"),
            (("timeline", "bcast/binomial", "--procs", "4", "--format", "png", "--machine", POSTAL), "svg"),
        ]:
            said = self.breakeven(*arguments, status=2).stderr
            self.assertIn(words, said)
            self.assertEqual(said.count("\n"), 1, said)


if __name__ == "__main__":
    unittest.main()
