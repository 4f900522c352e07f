# SPDX-License-Identifier: BSD-3-Clause
"""A project of its own finds the installed C++ library, and its program runs by a table."""

import pathlib
import subprocess
import unittest

from support import BREAKEVEN, MACHINE, ProgramTest

BUILD = pathlib.Path(BREAKEVEN).resolve().parents[1]
EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "api" / "example"


class CppInterfaceTest(ProgramTest):
    def test_the_examples_are_built_outside_and_run_by_a_table_and_by_name(self) -> None:
        prefix, build = self.folder / "prefix of blanks", self.folder / "build"
        for command in (
            ("--install", BUILD, "--component", MACHINE, "--prefix", prefix),
            ("--install", BUILD, "--component", "cpp", "--prefix", prefix),
            ("-G", "Ninja", "-S", EXAMPLE, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"),
            ("--build", build, "--target", f"norms-{MACHINE}", f"overlap-{MACHINE}"),
        ):
            subprocess.run(["cmake", *command], check=True, stdout=subprocess.DEVNULL)

        program = str(build / f"norms-{MACHINE}")

        def run(*command: str) -> tuple[int, str, str]:
            with self.start(*command[1:], program=command[0]) as job:
                output, errors = job.communicate(timeout=60)
            return job.returncode, output, errors

        two = (f"mpiexec.{MACHINE}", "-n", "2", program)
        self.assertEqual(run(*two)[:2], (0, "norm 1 by native, element 0.0223607\n"))
        status, output, _ = run(*two[:-1], str(build / f"overlap-{MACHINE}"), "bruck", "8", "20")
        self.assertEqual((status, output), (2, ""))  # no allreduce
        status, output, _ = run(*two[:-1], str(build / f"overlap-{MACHINE}"), "ring", "8", "20")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"^allreduce of 8 doubles by ring\nafter the work: median .*\nduring the work: ")
        table = self.tables() / "table.json"
        by_ring = (0, "norm 1 by ring, element 0.0223607\n")
        self.assertEqual(run(*two, str(table))[:2], by_ring)
        table.write_text(table.read_text().replace(f'"{MACHINE}"', '"another"', 1))
        # Without a launcher, which may end before it has passed on what was said.
        status, output, errors = run(program, str(table))
        self.assertEqual((status, output), (2, ""))
        told = f"the table is of library 'another', and this is '{MACHINE}'"
        self.assertIn(told, errors.splitlines())


if __name__ == "__main__":
    unittest.main()
