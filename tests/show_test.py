# SPDX-License-Identifier: BSD-3-Clause
"""The output of `breakeven show` agrees with the rows and samples of the database."""

import contextlib
import csv
import io
import sqlite3
import statistics
import unittest

from support import MODEL, ProgramTest, picoseconds

SHOW = ["show", "--db", "results.db"]
CASE = """collective, form, algorithm, params, procs, nodes, procs_per_node, mapping, comms_per_node, message_bytes,
          datatype, op, root, counts"""


class Show(ProgramTest):
    def setUp(self) -> None:
        """Two collectives at two process counts, with what only a library would have added."""
        super().setUp()
        self.breakeven(
            *("sweep", "--machine", f"{MODEL},noise=0.1", "--db", "results.db", "--procs", "2,4"),
            *("--algorithms", "allreduce/ring,allreduce/recursive_doubling,bcast/binomial"),
            *("--collectives", "allreduce,bcast", "--bytes", "8:64", "--repetitions", "7"),
            *("--launches", "3", "--racing", "false"),
        )
        self.execute(
            """UPDATE measurement SET rank_mean_min_s = median_s * 0.5, rank_mean_avg_s = median_s,
               rank_mean_max_s = median_s * 2, invalid = 2""",
        )

    def execute(self, sql: str) -> None:
        with sqlite3.connect(self.database) as connection:
            connection.execute(sql)
        connection.close()

    def csv(self, *arguments: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.breakeven(*SHOW, *arguments).stdout)))

    def by_case(self, *arguments: str) -> dict[tuple, dict[str, str]]:
        rows = self.csv(*arguments, "--format", "csv")
        cases = {tuple(list(row.values())[:14]): row for row in rows}
        self.assertEqual(len(cases), len(rows))
        return cases

    def stored(self) -> dict[tuple, list[tuple]]:
        """By case: median, rank means, samples in seconds and what was invalid of each launch."""
        cases: dict[tuple, list[tuple]] = {}
        for row in self.rows(
            f"""SELECT {CASE}, median_s, rank_mean_min_s, rank_mean_avg_s, rank_mean_max_s,
                local_ps, invalid FROM measurement JOIN "case" ON "case".id = case_id
                JOIN durations ON measurement_id = measurement.id"""
        ):
            samples = [each / 1e12 for each in picoseconds(row[18])]
            cases.setdefault(tuple(map(str, row[:14])), []).append((*row[14:18], samples, row[19]))
        return cases

    def test_medians_and_their_intervals(self) -> None:
        shown = self.by_case("--statistic", "median")
        stored = self.stored()
        self.assertEqual(shown.keys(), stored.keys())
        for case, launches in stored.items():
            medians = sorted(launch[0] for launch in launches)
            row = shown[case]
            self.assertEqual(
                [float(row[name]) for name in ("median_s", "low_s", "high_s")],
                [medians[1], medians[0], medians[2]],
            )
            self.assertEqual((row["launches"], row["samples"], row["notes"]), ("3", "21", ""))

    def test_candidates_of_different_launches_compare(self) -> None:
        """In truth 1, 1.2 and 1.5 us. The last was measured in one launch, which is twice as fast."""
        times = {"native": 1.2, "ring": 1.0, "recursive_doubling": 1.5}
        effects = [0.5, 1.0, 1.4, 1.0, 0.9, 1.1]
        self.breakeven(
            *("sweep", "--machine", MODEL, "--db", "raced.db", "--procs", "4", "--bytes", "8:64"),
            *("--algorithms", "ring,recursive_doubling,reduce_bcast", "--launches", "6"),
            *("--collectives", "allreduce", "--racing", "false"),
        )
        with contextlib.closing(sqlite3.connect(self.folder / "raced.db")) as connection:
            connection.execute("""UPDATE "case" SET algorithm = 'native' WHERE algorithm = 'reduce_bcast'""")
            for algorithm, time_us in times.items():
                of = """WHERE case_id IN (SELECT id FROM "case" WHERE algorithm = ?) AND repeat = ?"""
                for repeat, effect in enumerate(effects):
                    connection.execute(
                        f"UPDATE measurement SET median_s = ?, low_s = 0, high_s = 1 {of}",
                        (1e-6 * time_us * effect * (1 + 0.01 * (repeat % 2)), algorithm, repeat),
                    )
                    if algorithm == "recursive_doubling" and repeat > 0:
                        connection.execute(f"DELETE FROM measurement {of}", (algorithm, repeat))
            connection.commit()

        def shown(*arguments: str) -> list[dict[str, str]]:
            text = self.breakeven("show", "--db", "raced.db", "--format", "csv", *arguments).stdout
            return [row for row in csv.DictReader(io.StringIO(text)) if row["message_bytes"] == "32"]

        raw = {row["algorithm"]: float(row["median_s"]) for row in shown("--statistic", "median")}
        self.assertEqual(min(raw, key=raw.get), "recursive_doubling")
        for row in shown():
            truth = times[row["algorithm"]]
            self.assertAlmostEqual(1e6 * float(row["time_s"]) / truth, 1, delta=0.03)
            self.assertLess(1e6 * float(row["low_s"]), truth)
            self.assertGreater(1e6 * float(row["high_s"]), truth)
            self.assertAlmostEqual(float(row["speedup"]) * truth / times["native"], 1, delta=0.03)
            self.assertLessEqual(float(row["speedup_low"]), times["native"] / truth)
            self.assertGreaterEqual(float(row["speedup_high"]), times["native"] / truth)

    def test_osu_and_imb_average_each_rank_first(self) -> None:
        osu = self.by_case("--statistic", "osu")
        imb = self.by_case("--statistic", "imb")
        for case, launches in self.stored().items():
            least = f"{min(launch[1] for launch in launches) * 1e6:.2f}"
            mean = f"{statistics.mean(launch[2] for launch in launches) * 1e6:.2f}"
            most = f"{max(launch[3] for launch in launches) * 1e6:.2f}"
            self.assertEqual(list(osu[case].values())[14:], [mean, least, most, "21"])
            self.assertEqual(list(imb[case].values())[14:], ["21", least, most, mean])

    def test_repro_pools_all_repetitions(self) -> None:
        shown = self.by_case("--statistic", "repro")
        for case, launches in self.stored().items():
            samples = [sample for launch in launches for sample in launch[4]]
            expected = [
                *("27", "21"),
                *(f"{statistics.mean(samples):.10f}", f"{statistics.median(samples):.10f}"),
                *(f"{min(samples):.10f}", f"{max(samples):.10f}"),
            ]
            self.assertEqual(list(shown[case].values())[14:], expected)

    def test_text_has_the_columns_of_the_tool(self) -> None:
        for tool, head, columns in [
            ("time", "# time in", "95 % interval  speedup  95 % interval"),
            ("median", "# median over", "message  algorithm"),
            ("osu", "# as OSU", "# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations"),
            ("imb", "# as IMB", "#bytes  #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"),
            ("repro", "# as ReproMPI", "total_nrep  valid_nrep      mean_sec    median_sec"),
        ]:
            text = self.breakeven(*SHOW, "--statistic", tool).stdout
            self.assertTrue(text.splitlines()[1].startswith(head), text)
            self.assertIn(columns, text)
            # A table for each problem, or for each candidate as a tool prints it; one blank line each.
            self.assertEqual(text.count("\n\n"), 4 if tool in ("time", "median") else 6)
            self.assertEqual(text.count("\n  "), 24 + text.count("\n\n"))

    def test_an_algorithm_that_was_measured_as_its_equal_is_known(self) -> None:
        sweep = ["--procs", "4", "--bytes", "64", "--collectives", "reduce,allreduce", "--db", "equal.db"]
        self.breakeven("sweep", "--machine", MODEL, *sweep)
        shown = self.breakeven("show", "--db", "equal.db").stdout
        self.assertIn("# equal schedules: reduce/binomial at p = 4: also circulant, fixed_tree\n", shown)

    def test_samples(self) -> None:
        rows = self.csv("--samples", "--collective", "bcast")
        shown: dict[tuple, list[float]] = {}
        for row in rows:
            values = list(row.values())
            samples = shown.setdefault(tuple(values[:14]), [])
            self.assertEqual(int(row["repetition"]), len(samples) % 7)
            self.assertEqual(row["global_s"], "")
            samples.append(float(row["local_s"]))
        expected = {
            case: [sample for launch in launches for sample in launch[4]]
            for case, launches in self.stored().items()
            if case[0] == "bcast"
        }
        self.assertEqual(shown, expected)
        self.execute("UPDATE durations SET global_ps = local_ps")
        for row in self.csv("--samples"):
            self.assertEqual(row["global_s"], row["local_s"])

    def test_selections(self) -> None:
        self.assertEqual({row[0] for row in self.by_case("--collective", "bcast")}, {"bcast"})
        self.assertEqual({row[4] for row in self.by_case("--procs", "4")}, {"4"})

    def test_notes(self) -> None:
        self.execute("DELETE FROM durations WHERE measurement_id = 1")
        self.execute(
            """UPDATE measurement SET samples = 0, median_s = NULL, low_s = NULL, high_s = NULL,
               failure = 'it hung' WHERE id = 1"""
        )
        note = "failed: it hung"
        [row] = [row for row in self.by_case().values() if row["notes"]]
        self.assertEqual((row["notes"], row["launches"], row["samples"]), (note, "2", "14"))
        self.assertIn(note, self.breakeven(*SHOW).stdout)

    def test_a_single_launch_leaves_no_interval(self) -> None:
        self.execute("DELETE FROM measurement WHERE repeat > 0")
        for statistic, word in (("time", " one launch "), ("median", " one  launch ")):
            for row in self.by_case("--statistic", statistic).values():
                self.assertEqual((row["low_s"], row["high_s"], row["launches"]), ("", "", "1"))
            self.assertEqual(self.breakeven(*SHOW, "--statistic", statistic).stdout.count(word), 24)

    def test_what_is_not_known_is_skipped_and_counted(self) -> None:
        self.execute("UPDATE measurement SET rank_mean_avg_s = NULL WHERE case_id = 1")
        run = self.breakeven(*SHOW, "--statistic", "osu", "--format", "csv")
        self.assertEqual(len(run.stdout.splitlines()), 1 + 23)
        self.assertEqual(run.stderr, "skipped: 1 of 24 cases, of which 'osu' is not known\n")
        self.execute("UPDATE measurement SET rank_mean_avg_s = NULL")
        self.refused("--statistic", "imb", words="no case has what 'imb' is made of")

    def test_overlap_is_of_all_launches_and_pays_after_what_was_gained(self) -> None:
        self.refused("--statistic", "overlap", words="a blocking call no overlap")
        parts = "start_s = 1e-7, call_s = 4e-6, work_s = 2e-6, worked_s = 5e-6, tested_s = 4e-6"
        self.execute(f"UPDATE measurement SET {parts}, test_every_s = 1e-5")
        self.execute(
            """UPDATE "case" SET form = 'nonblocking', algorithm = 'mpich:tsp_ring'
               WHERE algorithm = 'ring'"""
        )
        self.execute(
            """UPDATE "case" SET form = 'persistent', algorithm = 'mpich:tsp_ring'
               WHERE algorithm = 'recursive_doubling'"""
        )
        persistent = 'case_id IN (SELECT id FROM "case" WHERE form = \'persistent\')'
        self.execute(f"UPDATE measurement SET make_s = 1e-5, median_s = 2e-6 WHERE {persistent}")
        self.execute(f"UPDATE measurement SET median_s = 5e-6 WHERE NOT {persistent}")
        for case, row in self.by_case("--statistic", "overlap").items():
            self.assertAlmostEqual(float(row["overlap"]), 0.5)
            self.assertAlmostEqual(float(row["overlap_tested"]), 1)
            self.assertEqual(row["pays_after"], "4" if case[1] == "persistent" else "")

    def test_refusals(self) -> None:
        self.refused("--statistic", "mode", words="no statistic 'mode'; known: time median overlap osu imb repro")
        self.refused("--format", "json", words="no format 'json'; known: text csv")
        self.refused("--collective", "gather", words="nothing like this was measured")
        self.refused("--samples", "--procs", "3", words="nothing like this was measured")
        self.refused("--samples", "--statistic", "osu", words="--statistic excludes --samples")

    def refused(self, *arguments: str, words: str) -> None:
        run = self.breakeven(*SHOW, *arguments, status=2)
        self.assertIn(words, run.stderr)
        self.assertEqual((run.stdout, run.stderr.count("\n")), ("", 1))


if __name__ == "__main__":
    unittest.main()
