# SPDX-License-Identifier: BSD-3-Clause
"""A profile names the algorithm that the library runs by itself: each that its files and variables can
choose.
"""

import itertools
import json
import unittest

from favoured import PROCS, FavouredTest, files_in, jobs, library, named
from support import MACHINE

from expand import World  # of legal_calls/
from steps import COLLECTIVES, REDUCING, Call


class NativeAlgorithmTest(FavouredTest):
    def profile(self, played: jobs.Library, procs: int) -> dict[str, set[str]]:
        """The native algorithms by collective of a program that calls each once, with 4 KiB."""
        world = World(procs)
        calls = [
            Call(each, counts=(1024,), op="sum" if each in REDUCING else "") for each in COLLECTIVES
        ]
        steps = self.folder / "steps"
        steps.write_text("".join(json.dumps(world.expand(each)) + "\n" for each in calls))
        settings = [f"{name}={value}" for name, value in played.environment.items()]
        self.breakeven(
            *("profile", "--machine", MACHINE, "--", "env", *settings, *played.launcher, str(procs)),
            *(played.player, str(steps), str(self.folder / "progress"), "60"),
        )
        native: dict[str, set[str]] = {}
        for use in json.loads((self.folder / "profile.json").read_text())["uses"]:
            native.setdefault(use["collective"], set()).add(use["native"])
        return native

    def test_each_algorithm_of_a_table_is_what_native_is(self) -> None:
        variants = [
            [row for row in rows if row[1] == "blocking" and row[3] in ("", "segment_bytes=1024")]
            for rows in self.variants().values()
        ]
        variants = [rows for rows in variants if rows]
        unsafe = set(self.unsafe())
        measured = set(
            self.rows(
                'SELECT collective, form, algorithm, params, procs FROM measurement'
                ' JOIN "case" ON "case".id = case_id WHERE samples > 0'
            )
        )
        compared = 0
        for turn in range(max(map(len, variants))):
            chosen = [rows[turn % len(rows)] for rows in variants]
            allowed = ",".join(unsafe & set(map(named, chosen)))
            folder = self.tables(chosen, *(["--allow-unsafe", allowed] if allowed else []))
            for files, procs in itertools.product(files_in(folder), PROCS):
                if files[0].name == "openmpi_params.sh":
                    continue  # which are of nonblocking calls alone
                native = self.profile(library(files), procs)
                head = files[0].read_text()
                variables = files[0].suffix == ".sh"  # which hold for all numbers of processes
                for row in chosen:
                    name = named(row)
                    if f"{name}:" in head and name not in unsafe:
                        continue  # the file leaves it out
                    if "composition" in name:
                        continue  # where all is flat, it is the way to another algorithm
                    if not all((*row, p) in measured for p in (PROCS if variables else [procs])):
                        continue
                    _, _, algorithm, params = row
                    if params and MACHINE == "mpich":  # a function that ran tells no parameters
                        algorithm += f":{params}"
                    self.assertEqual(native[row[0]], {algorithm}, f"{files} p = {procs} {row}")
                    compared += 1
        self.assertGreater(compared, 100)


if __name__ == "__main__":
    unittest.main()
