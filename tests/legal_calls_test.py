# SPDX-License-Identifier: BSD-3-Clause
"""Tables break no program that MPI permits: neither of a real sweep nor of any algorithm that a table
may choose; and each algorithm that none may choose does break one. Nor do calls through the C++ library.
"""

import itertools
import os
import re
import subprocess
import unittest

from favoured import PROCS, FavouredTest, files_in, jobs, library, named
from support import BREAKEVEN, MACHINE

from c_program import c_program  # of legal_calls/
from generate import FORMS, program
from known_faults import avoided
from shrink import shrink

# From this major version on they break nothing, and tables leave them out all the same.
MENDED = {"openmpi:alltoall/modified_bruck": 5}


class LegalCallsTest(FavouredTest):
    def setUp(self) -> None:
        super().setUp()
        [(said,)] = self.rows("SELECT library_version FROM machine")
        version = re.search(r"(?:MPICH Version:\s*|Open MPI v)([\d.]+)", said)
        assert version, said
        name = "MPICH" if MACHINE == "mpich" else "Open MPI"
        self.avoid = avoided(f"{name} {version[1]}")
        self.major = int(version[1].partition(".")[0])

    def test_no_table_breaks_a_legal_program(self) -> None:
        # Of parameters one is enough to tell what it breaks.
        variants = [
            [row for row in rows if row[3] in ("", "segment_bytes=1024")]
            for rows in self.variants().values()
        ]
        for turn in range(max(map(len, variants))):
            chosen = [rows[turn % len(rows)] for rows in variants]
            folder = self.tables(chosen)
            for files in files_in(folder):
                played = library(files)
                for procs, form in itertools.product(PROCS, FORMS):
                    steps = program(turn, procs, 250, self.avoid, form=form)
                    failure = jobs.play(played, steps, procs)
                    self.assertIsNone(failure, f"{files} p = {procs} {chosen}: {failure}")

    def test_ours_are_right_through_the_cpp_library(self) -> None:
        """In all forms of calls, several under way at once."""
        ours = library([])
        ours.breakeven = str(BREAKEVEN)
        for procs in [*PROCS, 5]:
            steps = program(procs, procs, 600, self.avoid)
            failure = jobs.play(ours, steps, procs)
            self.assertIsNone(failure, f"p = {procs}: {failure}")

    def test_what_no_table_may_choose_breaks_one(self) -> None:
        unsafe = self.unsafe()
        self.assertGreater(len(unsafe), 4)
        for name in unsafe:
            if self.major >= MENDED.get(name, self.major + 1):
                continue
            failure = self.broken_by(name)
            self.assertIsNotNone(failure, f"{name} is said to be unsafe, and breaks nothing")

    def broken_by(self, name: str) -> jobs.Failure | None:
        call = name.split(":")[1].split("/")[0]
        rows = [row for row in self.variants()[call] if named(row) == name]
        rows.sort(key=lambda row: row[3] != "segment_bytes=1024")
        folder = self.tables(rows[:1], "--allow-unsafe", name)
        collective, form, *_ = rows[0]
        # Some formats name no nonblocking algorithm: each seed is played with all of them in turn.
        for seed, files in itertools.product(range(1, 9), files_in(folder)):
            for procs in PROCS:
                steps = program(seed, procs, 400, self.avoid, [collective], form)
                if failure := jobs.play(library(files), steps, procs, patience_s=10):
                    return failure
        return None

    @unittest.skipUnless(MACHINE == "openmpi", "one library's is enough")
    def test_a_failure_becomes_a_small_program_in_c(self) -> None:
        [row, *_] = [
            row
            for row in self.variants()["bcast"]
            if row[2:] == ("openmpi:pipeline", "segment_bytes=1024")
        ]
        folder = self.tables([row], "--allow-unsafe", "openmpi:bcast/pipeline")
        played = library(files_in(folder)[0])
        steps = program(1, 2, 400, self.avoid)
        small, procs, failure = shrink(
            steps, 2, lambda smaller, ranks: jobs.play(played, smaller, ranks, patience_s=2)
        )
        self.assertIsNotNone(failure)
        self.assertEqual((len(small), procs), (1, 2), small)
        source = self.folder / "small.c"
        source.write_text(c_program(small, procs))
        program_file = self.folder / "small"
        subprocess.run(
            ["mpicc.openmpi", "-Wall", "-Werror", source, "-o", program_file], check=True
        )

        def status(environment: dict[str, str]) -> int:
            return subprocess.run(
                ["timeout", "10", *played.launcher, "2", program_file],
                env={**os.environ, **environment},
                capture_output=True,
                check=False,
            ).returncode

        self.assertEqual(status({}), 0)
        self.assertNotEqual(status(played.environment), 0)


if __name__ == "__main__":
    unittest.main()
