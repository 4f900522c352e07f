# SPDX-License-Identifier: BSD-3-Clause
"""The calls of a program decide which cases are measured, and for which a table is made."""

import json
import re
import unittest

from support import MODEL, ProgramTest

# On this model halving_doubling wins from 2052 B on: by 1.3 % at 2160 B, by 12 % at 3 KiB.
SWEEP = [
    *("sweep", "--machine", MODEL, "--collectives", "allreduce", "--procs", "8", "--launches", "3"),
    *("--algorithms", "recursive_doubling,halving_doubling", "--db", "results.db", "--datatype", "int"),
]
SIZES = ["--bytes", "8:2K,3K"]


def use(message_bytes: int, time_s: float, **changed) -> dict:
    return {
        **{"collective": "allreduce", "form": "blocking", "procs": 8, "nodes": 1, "procs_per_node": 8},
        **{"mapping": "seq", "comms_per_node": 1, "message_bytes": message_bytes, "datatype": "double", "op": "sum"},
        **{"in_place": False, "algorithm": "native", "native": "", "calls": 10, "processes": 8, "time_s": time_s},
        **{"start_s": 0, "under_way_s": 0, "most_overlap_s": 0},
        **changed,
    }


class ProfileTest(ProgramTest):
    def write_profile(self, *uses: dict, name: str = "profile.json") -> None:
        whole = {"breakeven_profile": 4, "library_version": "x", "cpu": "y", "procs": 8}
        (self.folder / name).write_text(json.dumps({**whole, "wall_s": 2.0, "uses": uses}))

    def tuned(self, *options: str) -> str:
        return self.breakeven("tune", "--db", "results.db", *options).stdout

    def measured_sizes(self) -> list[tuple[str, int, int]]:
        return sorted({(case[0], case[3], case[5]) for case, _ in self.measured()})

    def profiled(self, *uses: dict, status: int = 0) -> str:
        """The output of `profile` for a program that makes these calls."""
        self.write_profile(*uses, name="called.json")
        return self.breakeven(
            *("profile", "--machine", "mpich", "--", "sh", "-c"),
            *('cp called.json "$BREAKEVEN_PROFILE"',),
            status=status,
        ).stderr

    def rules(self, *options: str) -> list[str]:
        return re.findall(
            r"%  (recursive|halving)_doubling$", self.tuned(*options), re.MULTILINE
        )

    def test_a_rule_must_save_its_price_where_the_program_spends_its_time(self) -> None:
        weighed = ("--profile", "profile.json")
        self.breakeven(*SWEEP, *SIZES)
        self.assertEqual(self.rules(), ["recursive", "halving"])
        self.write_profile(use(64, 1.0))
        self.assertEqual(self.rules(*weighed), ["recursive"])
        self.write_profile(use(64, 1.0), use(2048, 1.0))
        self.assertEqual(self.rules(*weighed), ["recursive", "halving"])

    def test_a_small_gain_is_worth_a_rule_where_the_time_is(self) -> None:
        self.breakeven(*SWEEP, "--bytes", "8:2K,2160")
        self.assertEqual(self.rules(), ["recursive"])
        self.write_profile(use(2048, 1.0))
        self.assertEqual(self.rules("--profile", "profile.json"), ["recursive", "halving"])

    def test_a_table_says_what_weighed_it(self) -> None:
        self.breakeven(*SWEEP, *SIZES)
        self.write_profile(use(64, 0.75), use(8, 0.25, procs=4))
        text = self.tuned("--profile", "profile.json", "--out", "tables")
        self.assertIn("1 s that the program spends in collectives, 75 % are at the", text)
        self.assertEqual((self.folder / "tables/table.txt").read_text(), text.split("\nwrote")[0])
        for name in ("table.txt", "table.json", "table.csv"):
            self.assertIn("--profile profile.json", (self.folder / "tables" / name).read_text())

    def test_what_weighs_nothing_is_refused(self) -> None:
        self.breakeven(*SWEEP, *SIZES)
        self.write_profile(use(64, 1.0, procs=4, procs_per_node=4), use(64, 1.0, collective="bcast", op=""))
        tune = ["tune", "--db", "results.db", "--profile", "profile.json", "--out", "tables"]
        refused = self.breakeven(*tune, status=2).stderr
        self.assertEqual(refused.count("\n"), 1)
        self.assertIn("it calls: allreduce at 1 x 4 seq, bcast at 1 x 8 seq", refused)
        self.assertFalse((self.folder / "tables").exists())
        (self.folder / "profile.json").write_text("{}")
        refused = self.breakeven(*tune, status=2).stderr
        self.assertIn("profile.json: no profile of Breakeven", refused)

    def test_the_sweep_file_measures_just_this(self) -> None:
        said = self.profiled(
            use(64, 0.9),
            use(4096, 0.2, collective="bcast", procs=4, procs_per_node=4, op=""),
            use(1 << 20, 0.001),
        )
        self.assertIn("wrote profile.json and profile.toml", said)
        sweep = ["sweep", "profile.toml", "--machine", MODEL, "--db", "results.db"]
        self.breakeven(*sweep)
        called = [("allreduce", 8, 64), ("bcast", 4, 4096)]
        self.assertEqual(self.measured_sizes(), called)
        # The request holds what it needs: without the files `status` and a resumed run know it.
        (self.folder / "profile.json").unlink()
        self.assertIn(" 0 remaining", self.breakeven("status", "--db", "results.db").stdout)
        self.assertIn(": 0 measured", self.breakeven(*sweep).stdout)
        self.assertEqual(self.measured_sizes(), called)

    def test_a_profile_has_another_name_than_its_sweep(self) -> None:
        refused = self.breakeven(
            *("profile", "--machine", "mpich", "--out", "p.toml", "--", "touch", "started"),
            status=2,
        ).stderr
        self.assertIn("--out p.toml: a sweep file of this name", refused)
        self.assertFalse((self.folder / "started").exists())

    def test_the_plot_takes_profiles_without_tables_alone(self) -> None:
        self.breakeven(*SWEEP, *SIZES)
        plot = ["plot", "profile", "--db", "results.db", "--out", "profile.png"]
        self.assertIn("--profile FILE is missing", self.breakeven(*plot, status=2).stderr)
        self.write_profile(use(64, 1.0, algorithm="ring"))
        refused = self.breakeven(*plot, "--profile", "profile.json", status=2).stderr
        self.assertIn("calls ran by a table, as allreduce by ring", refused)


if __name__ == "__main__":
    unittest.main()
