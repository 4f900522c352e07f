# SPDX-License-Identifier: BSD-3-Clause
"""Does the worker measure what is asked, refuse in words, and name what goes wrong?

usage: worker_test.py WORKER FAULTY_WORKER RANKS LAUNCHER...
The faulty worker is the worker on a library whose scatter is always wrong, and whose allgather is
wrong from the fifth call on.
"""

import json
import subprocess
import sys
import unittest

WORKER = ""
FAULTY_WORKER = ""
RANKS = 0
LAUNCHER: list[str] = []

MEASURE = {
    "sync": "dissemination",
    "clock_sync": "none",
    "timer": "monotonic",
    "run_time": "local",
    "stop_rule": "median_interval",
    "target_ci": 1e-9,
    "stop_window": 10,
    "repetitions": 17,
    "min_repetitions": 3,
    "min_time_s": 0.0,
    "case_budget_s": 20.0,
    "batch": 6,
    "racing": False,
    "test_every_s": 1e-6,
    "drop_outliers": False,
}


def case(collective: str, algorithm: str, **changes) -> dict:
    """A small valid case, with what the test changes in it."""
    reducing = ("allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan")
    valid = {
        "collective": collective,
        "form": "blocking",
        "algorithm": algorithm,
        "params": "",
        "procs": RANKS,
        "nodes": 1,
        "procs_per_node": RANKS,
        "mapping": "seq",
        "comms_per_node": 1,
        "message_bytes": 64,
        "datatype": "int",
        "op": "sum" if collective in reducing else "none",
        "root": 0,
        "counts": "equal",
    }
    return valid | changes


def run(text: str, worker: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*LAUNCHER, worker], input=text, capture_output=True, text=True, timeout=90, check=False
    )


def events_of(cases: list[dict], worker: str = "", **measure) -> list[dict]:
    request = {
        "format": "breakeven-request-7",
        "task": "measure",
        "seed": 42,
        "measure": MEASURE | measure,
        "first_id": 0,
        "cases": cases,
    }
    done = run(json.dumps(request), worker or WORKER)
    if done.returncode != 0:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def of_kind(events: list[dict], kind: str) -> list[dict]:
    return [event | event.get("result", {}) for event in events if event["event"] == kind]


class Measures(unittest.TestCase):
    def test_every_collective_natively_and_by_an_algorithm(self):
        cases = [
            case("allgather", "ring"),
            case("allgather", "native"),
            case("allreduce", "ring", datatype="double"),
            case("allreduce", "native", datatype="double"),
            case("alltoall", "native"),
            case("alltoallv", "native"),
            case("alltoallw", "native", datatype="double"),
            case("bcast", "binomial", root=RANKS - 1),
            case("bcast", "native", root=RANKS - 1),
            case("exscan", "native", op="max"),
            case("reduce", "binomial", op="max"),
            case("reduce", "native", op="max"),
            case("reduce_scatter_block", "circulant", datatype="byte", op="bor"),
            case("reduce_scatter_block", "native", datatype="byte", op="bor"),
            case("scan", "native"),
            case("scatter", "binomial"),
            case("scatter", "native"),
        ]
        events = events_of(cases)
        self.assertEqual(of_kind(events, "case_failed"), [])
        done = of_kind(events, "case_done")
        self.assertEqual([event["id"] for event in done], list(range(len(cases))))
        for event in done:
            self.assertEqual(len(event["local_s"]), 17)
            self.assertGreater(min(event["local_s"]), 0)
            self.assertEqual((event["global_s"], event["invalid"]), ([], 0))
            self.assertEqual(event["stop"], "repetitions")
            # one checked call, one at least before each later block of 6 repetitions
            self.assertGreaterEqual(event["warmups"], 3)
            means = [event["rank_means"][f"{each}_s"] for each in ("min", "avg", "max")]
            self.assertEqual(means, sorted(means))
            # no rank takes longer than the slowest one
            self.assertLessEqual(means[-1], sum(event["local_s"]) / 17 * (1 + 1e-6))

    def test_calls_that_return_before_they_are_complete(self):
        """Each of the library's collectives, ours, and the library's in another form.

        SMPI has no persistent ones.
        """
        if RANKS not in (2, 3):
            self.skipTest("as with 2 and 3 ranks")
        ours = {
            "allgather": "ring",
            "allgatherv": "ring",
            "allreduce": "ring",
            "alltoall": "linear",
            "alltoallv": "linear",
            "alltoallw": "linear",
            "barrier": "dissemination",
            "bcast": "binomial",
            "exscan": "recursive_doubling",
            "gather": "binomial",
            "gatherv": "linear",
            "reduce": "binomial",
            "reduce_scatter": "circulant",
            "reduce_scatter_block": "circulant",
            "scan": "recursive_doubling",
            "scatter": "binomial",
            "scatterv": "linear",
        }
        cases = [
            case(collective, algorithm, form=form)
            for form in ("nonblocking", "persistent")
            for collective, own in ours.items()
            for algorithm in ("native", own, "native:blocking")
        ]
        cases += [case(each, "native:nonblocking") for each in ours]
        if "mpich" in WORKER:  # docs/measuring.md: they also read beyond their buffers
            for faulty in ("allgather", "gather", "scatter"):
                cases.remove(case(faulty, "native", form="persistent"))
        for each in cases:
            if each["collective"] == "barrier":
                each["message_bytes"] = 0
        events = events_of(cases, repetitions=3)
        failed = {}
        for event in of_kind(events, "case_failed"):
            what = cases[event["id"]]
            failed[what["collective"], what["algorithm"], what["form"]] = event["reason"]
        lacking = "this MPI library has no persistent collectives"
        on_smpi = any("smpirun" in word for word in LAUNCHER)
        expected = {(each, "native", "persistent"): lacking for each in ours} if on_smpi else {}
        self.assertEqual(failed, expected)
        done = of_kind(events, "case_done")
        self.assertEqual(len(done), len(cases) - len(failed))
        for event in done:
            what = cases[event["id"]]
            overlap = event["overlap"]
            if what["form"] == "blocking":
                self.assertIsNone(overlap, what)
                continue
            self.assertGreater(overlap["call_s"], 0)
            self.assertGreater(overlap["worked_s"], 0)
            made = what["form"] == "persistent" and not what["algorithm"].startswith("native:")
            self.assertEqual(overlap["make_s"] is not None, made, what)
            self.assertEqual(overlap["test_every_s"], 1e-6)

    def test_irregular_collectives_with_each_kind_of_counts(self):
        cases = [
            case(collective, algorithm, counts=counts, root=root, datatype="double")
            for collective, algorithm, root in [
                ("allgatherv", "native", 0),
                ("allgatherv", "ring", 0),
                ("allgatherv", "circulant", 0),
                ("alltoallv", "native", 0),
                ("alltoallw", "native", 0),
                ("gatherv", "native", RANKS - 1),
                ("gatherv", "binomial", RANKS - 1),
                ("reduce_scatter", "native", 0),
                ("reduce_scatter", "circulant", 0),
                ("scatterv", "native", RANKS - 1),
                ("scatterv", "binomial", RANKS - 1),
            ]
            for counts in ("equal", "linear", "geometric", "random", "spikes", "one", "root")
        ]
        events = events_of(cases)
        self.assertEqual(of_kind(events, "case_failed"), [])
        ids = [event["id"] for event in of_kind(events, "case_done")]
        self.assertEqual(ids, list(range(len(cases))))

    def test_says_first_where_it_is_and_last_that_it_ends(self):
        events = events_of([])
        kinds = [event["event"] for event in events]
        self.assertEqual(kinds, ["job_info", "ready", "ready", "launch_end"])
        job_info = events[0]
        self.assertEqual(len(job_info["hosts"]), RANKS)
        self.assertNotIn("", job_info["hosts"])
        self.assertRegex(job_info["library_version"], r"MPI\S* \S")
        self.assertTrue(job_info["library_version"].isprintable())
        self.assertTrue(job_info["cpu"] and job_info["kernel"] and job_info["governor"])

    def test_candidates_alternate_and_each_stretch_is_announced(self):
        events = events_of([case("bcast", "native"), case("bcast", "binomial")])
        said = [(event["id"], event["doing"]) for event in of_kind(events, "case_begin")]
        check = ["the filling of its buffers", "a checked call", "the check of its result"]
        first = [(id, doing) for id in (0, 1) for doing in ["its set-up", *check]]
        last = [(id, doing) for id in (0, 1) for doing in check]
        self.assertEqual(said[:8], first)
        self.assertEqual(said[8], (1, "the synchronisation of clocks"))
        self.assertEqual(said[-6:], last)
        order = [id for id, doing in said[9:-6] if doing == "its repetitions"]
        self.assertEqual(len(order), len(said) - 15)
        blocks = [order[i : i + 2] for i in range(0, len(order), 2)]
        self.assertGreaterEqual(len(blocks), 3)
        self.assertTrue(all(sorted(block) == [0, 1] for block in blocks[:2]), blocks)
        expected = [event["expected_s"] for event in of_kind(events, "case_begin")]
        # In simulated time a root that only sends takes none.
        self.assertGreater(max(expected[9:-6]), 0)

    def test_every_start_works_with_a_global_clock(self):
        for start in ("dissemination", "library", "window", "round_time"):
            with self.subTest(start):
                cases = [case("allreduce", "native"), case("allreduce", "ring")]
                events = events_of(cases, sync=start, clock_sync="hca3", run_time="global")
                self.assertEqual(of_kind(events, "case_failed"), [])
                for done in of_kind(events, "case_done"):
                    self.assertGreaterEqual(len(done["local_s"]), 3)
                    self.assertEqual(len(done["global_s"]), len(done["local_s"]))

    def test_either_timer_works(self):
        (done,) = of_kind(events_of([case("bcast", "native")], timer="wtime"), "case_done")
        self.assertEqual(len(done["local_s"]), 17)

    def test_a_precise_median_ends_sampling_early(self):
        precise = {"target_ci": 1e9, "repetitions": 1000, "batch": 20}
        (done,) = of_kind(events_of([case("bcast", "native")], **precise), "case_done")
        self.assertEqual(done["stop"], "precise")
        self.assertLess(len(done["local_s"]), 100)

    def test_a_spent_budget_leaves_the_least_samples(self):
        events = events_of([case("bcast", "native")], case_budget_s=0.0, batch=3)
        (done,) = of_kind(events, "case_done")
        self.assertEqual((len(done["local_s"]), done["stop"]), (3, "budget"))


class Refuses(unittest.TestCase):
    def test_what_it_can_not_measure_in_words_and_goes_on(self):
        cases = [
            case("allreduce", "rign"),
            case("allreduce", "ring", params="segment=4"),
            case("allreduce", "native", message_bytes=10),
            case("allreduce", "native", datatype="float", op="bor"),
            case("allreduce", "ring", procs=RANKS + 1),
            case("allgather", "ring", counts="linear"),
            case("bcast", "native"),
        ]
        events = events_of(cases)
        reasons = [event["reason"] for event in of_kind(events, "case_failed")]
        words = ["'rign'; did you mean 'ring'?", "'segment'", "10 bytes", "'bor' on float", f"p = {RANKS + 1}"]
        words.append("allgather has equal counts, asked: linear")
        self.assertEqual(len(reasons), len(words))
        for reason, expected in zip(reasons, words):
            self.assertIn(expected, reason)
        self.assertEqual([event["id"] for event in of_kind(events, "case_done")], [6])

    def test_a_number_of_processes_that_the_algorithm_can_not_do(self):
        events = events_of([case("allgather", "recursive_doubling")])
        if RANKS & (RANKS - 1) == 0:
            self.assertEqual(of_kind(events, "case_failed"), [])
        else:
            (failed,) = of_kind(events, "case_failed")
            self.assertIn("power of two", failed["reason"])

    def test_garbage_with_one_line_of_its_own(self):
        for garbage in ("not JSON", '{"format": "breakeven-request-9"}'):
            result = run(garbage, WORKER)
            self.assertNotEqual(result.returncode, 0)
            # MPICH says there too that it ends
            lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
            events = [json.loads(line)["event"] for line in lines]
            self.assertEqual(events, ["job_info", "ready"])
            own = [line for line in result.stderr.splitlines() if "breakeven-worker-" in line]
            own = [line for line in own if "worker request:" in line]
            self.assertEqual(len(own), 1, result.stderr)


class FindsWrongData(unittest.TestCase):
    def test_before_the_first_sample_and_after_the_last(self):
        cases = [case("scatter", "native"), case("scatter", "binomial")]
        cases += [case("allgather", "native"), case("allgather", "ring")]
        events = events_of(cases, worker=FAULTY_WORKER)
        reasons = {event["id"]: event["reason"] for event in of_kind(events, "case_failed")}
        if not reasons and FAULTY_WORKER.endswith("_smpi"):
            self.skipTest("SimGrid 4.1 takes its own functions before those of the program")
        self.assertEqual(
            reasons,
            {
                0: "wrong data at rank 0: element 0: 1 instead of 0",
                2: "after its last sample, "
                "wrong data at rank 0: element 0 of block 0: 1 instead of 0",
            },
        )
        self.assertEqual([event["id"] for event in of_kind(events, "case_done")], [1, 3])


class WithoutLauncher(unittest.TestCase):
    def worker(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [WORKER, *arguments], capture_output=True, text=True, timeout=10, check=False
        )

    def test_help_and_version(self):
        self.assertRegex(self.worker("--version").stdout, r"^breakeven-worker-\w+ \d+\.\d+\.\d+$")
        self.assertIn("usage: mpiexec", self.worker("--help").stdout)

    def test_an_unknown_option_is_status_2(self):
        result = self.worker("--frobnicate")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--frobnicate", result.stderr)


if __name__ == "__main__":
    WORKER, FAULTY_WORKER = sys.argv[1:3]
    RANKS = int(sys.argv[3])
    LAUNCHER = sys.argv[4:]
    unittest.main(argv=sys.argv[:1])
