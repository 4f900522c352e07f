# SPDX-License-Identifier: BSD-3-Clause
"""A sweep that prunes by a model: what it leaves out, says, stores, and does after an interruption."""

import contextlib
import json
import sqlite3
import time
import unittest

from support import ProgramTest

TRUTH = "loggp:L=1e-5,o=2e-6,g=2e-6,G=1e-9,gamma=2e-10"
NOISY = f"{TRUTH},noise=0.03,launch_noise=0.02"
WRONG_BY_20 = "loggp:L=1.2e-5,o=1.6e-6,g=2.4e-6,G=0.8e-9,gamma=2.4e-10"
SWEEP = [
    *("sweep", "--machine", NOISY, "--procs", "8,16", "--bytes", "8,1K,64K,1M"),
    *("--collectives", "allreduce,allgather", "--repetitions", "40"),
]
MACHINE_FILE = """
name = "fitted"
model = "loggp"
[[ranges]]
L = 1.2e-5
o = 1.6e-6
g = 2.4e-6
G = 0.8e-9
gamma = 2.4e-10
"""


class Pruning(ProgramTest):
    def ask(self, database: str, sql: str) -> list[tuple]:
        with contextlib.closing(sqlite3.connect(self.folder / database)) as connection:
            return connection.execute(sql).fetchall()

    def medians(self, database: str) -> list[tuple]:
        return self.ask(
            database,
            "SELECT collective, algorithm, params, procs, message_bytes, repeat, median_s "
            'FROM measurement JOIN "case" ON "case".id = case_id ORDER BY 1, 2, 3, 4, 5, 6',
        )

    def test_leaves_out_what_is_predicted_to_be_slow_and_says_what_that_saves(self) -> None:
        whole = self.breakeven(*SWEEP, "--db", "whole.db")
        pruned = self.breakeven(*SWEEP, "--prune-by", WRONG_BY_20, "--db", "pruned.db")
        self.assertNotIn("pruned", whole.stdout)
        self.assertRegex(pruned.stdout, r"\d+ of \d+ cases are pruned, which saves about ")
        status = self.breakeven("status", "--db", "pruned.db")
        self.assertRegex(status.stdout, r"\d+ of \d+ cases are pruned, which saves about ")
        # Each prediction has its measurement, and none where it was pruned.
        predicted, without = self.ask(
            "pruned.db",
            "SELECT count(*), sum(NOT EXISTS (SELECT 1 FROM measurement AS m "
            "WHERE m.case_id = prediction.case_id)) FROM prediction",
        )[0]
        cases = self.ask("whole.db", "SELECT count(DISTINCT case_id) FROM measurement")[0][0]
        self.assertGreater(without, 0.3 * cases)
        self.assertEqual(predicted, cases)
        self.assertIn(f"{without} of {cases} cases are pruned", pruned.stdout)

    def test_goes_on_after_an_end_as_if_there_had_been_none(self) -> None:
        arguments = [*SWEEP, "--prune-by", WRONG_BY_20]
        self.breakeven(*arguments, "--db", "one.db")
        for seconds in (0.1, 0.2, 0.3, 0.5):
            with self.start(*arguments, "--db", "other.db") as process:
                time.sleep(seconds)
                process.kill()
        self.breakeven(*arguments, "--db", "other.db")
        self.assertEqual(self.medians("one.db"), self.medians("other.db"))

    def test_keeps_what_a_machine_file_said_when_the_file_changes(self) -> None:
        file = self.folder / "fitted.toml"
        file.write_text(MACHINE_FILE)
        self.breakeven(*SWEEP, "--prune-by", "fitted.toml", "--db", "file.db")
        self.breakeven(*SWEEP, "--prune-by", WRONG_BY_20, "--db", "text.db")
        self.assertEqual(self.medians("file.db"), self.medians("text.db"))
        file.unlink()
        status = self.breakeven("status", "--db", "file.db")
        self.assertIn(" 0 remaining", status.stdout)
        self.assertRegex(status.stdout, r"\d+ of \d+ cases are pruned")

    def test_a_merged_database_has_the_predictions(self) -> None:
        for number in (1, 2):
            self.breakeven(
                *SWEEP, "--prune-by", WRONG_BY_20, "--shard", f"{number}/2", "--db", f"{number}.db"
            )
        self.breakeven("merge", "both.db", "1.db", "2.db")
        count = "SELECT count(*) FROM prediction"
        parts = [self.ask(f"{number}.db", count)[0][0] for number in (1, 2)]
        self.assertEqual(self.ask("both.db", count)[0][0], sum(parts))
        self.assertEqual(self.ask("both.db", "SELECT count(*) FROM predictor")[0][0], 1)

    def test_bad_predictors_are_refused_in_one_line(self) -> None:
        for predictor, words in (
            ("loggp:L=1", "'o'"),
            (NOISY, "no noise"),
            ("none.toml", "none.toml"),
        ):
            run = self.breakeven(*SWEEP, "--prune-by", predictor, "--db", "no.db", status=2)
            self.assertIn(words, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)
        margin = ["--prune-by", WRONG_BY_20, "--prune-margin", "1"]
        self.breakeven(*SWEEP, *margin, "--db", "no.db", status=2)
        self.assertFalse((self.folder / "no.db").exists())

    def test_a_model_is_compared_with_what_was_measured(self) -> None:
        self.breakeven(*SWEEP, "--db", "whole.db")
        same = json.loads(
            self.breakeven("compare", TRUTH, "whole.db", "--format", "json").stdout
        )
        self.assertEqual(same["format"], "breakeven-agreement-1")
        for line in same["agreements"]:
            self.assertLess(abs(line["relative_difference_median"]), 0.02)
            self.assertGreater(line["correlation"], 0.999)
            self.assertEqual(line["choices"]["near_best"], line["choices"]["problems"])
        wrong = self.breakeven("compare", "whole.db", "loggp:L=1e-5,o=2e-6,g=2e-6,G=1e-12")
        self.assertIn("allreduce", wrong.stdout)
        self.breakeven(
            *("plot", "prediction", "--db", "whole.db", "--model", WRONG_BY_20, "--out", "p.png")
        )
        self.assertGreater((self.folder / "p.png").stat().st_size, 10000)


if __name__ == "__main__":
    unittest.main()
