# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven selftest` passes where all is well, fails where a part does not work, and leaves nothing behind."""

import os
import pathlib
import shutil
import signal
import unittest

from support import BREAKEVEN, MACHINE, ProgramTest, wait_until

STEPS = "passed: sweep, tables, tables read back"


class Selftest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        os.environ["TMPDIR"] = str(self.temporary)
        self.addCleanup(os.environ.pop, "TMPDIR")

    def alone(self, *parts: str) -> pathlib.Path:
        """The program in a folder with these parts of the build only."""
        there = self.folder / "bin"
        there.mkdir()
        for part in ("breakeven", *parts):
            shutil.copy(pathlib.Path(BREAKEVEN).parent / part, there)
        return there / "breakeven"

    def parts(self) -> list[str]:
        return [f"breakeven-worker-{MACHINE}", "libbreakeven_yield.so"]

    def test_a_library_passes_and_others_are_named(self) -> None:
        program = self.alone(*self.parts(), f"libbreakeven-{MACHINE}.so")
        told = self.breakeven("selftest", program=program).stdout.splitlines()
        self.assertIn(f"{MACHINE}: {STEPS}, program with them", told)
        for line in told:
            self.assertTrue(line.startswith(f"{MACHINE}: passed") or ": not tested: " in line, told)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_missing_part_fails_and_its_command_is_printed(self) -> None:
        told = self.breakeven("selftest", program=self.alone(*self.parts()), status=1).stdout
        self.assertIn(f"{MACHINE}: failed: program with them\n  breakeven run --strict", told)
        self.assertRegex(told, rf"\n  exit status 2: .*libbreakeven-{MACHINE}\.so")
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_model_where_there_is_no_library(self) -> None:
        told = self.breakeven("selftest", program=self.alone()).stdout.splitlines()
        self.assertRegex(told[-1], f"^postal:.*: {STEPS}$")

    def test_a_signal_ends_it_without_a_trace(self) -> None:
        with self.start("selftest") as process:
            self.assertTrue(wait_until(lambda: any(self.temporary.glob("*/results.db"))))
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=30), 3, process.stderr.read())
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_folder_that_cant_be_made_is_one_line(self) -> None:
        self.temporary.rmdir()
        run = self.breakeven("selftest", status=2)
        self.assertIn("TMPDIR names another folder", run.stderr)
        self.temporary.mkdir()


if __name__ == "__main__":
    unittest.main()
