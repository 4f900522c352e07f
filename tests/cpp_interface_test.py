# SPDX-License-Identifier: BSD-3-Clause
"""A project of its own finds the installed C++ library, and its program runs by a table."""

import pathlib
import subprocess
import unittest

from support import BREAKEVEN, MACHINE, ProgramTest

BUILD = pathlib.Path(BREAKEVEN).resolve().parents[1]
EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "api" / "example"


class CppInterfaceTest(ProgramTest):
    def test_the_example_is_built_outside_and_runs_by_a_table(self) -> None:
        prefix, build = self.folder / "prefix of blanks", self.folder / "build"
        for command in (
            ("--install", BUILD, "--component", "cpp", "--prefix", prefix),
            ("-S", EXAMPLE, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"),
            ("--build", build, "--target", f"norms-{MACHINE}"),
        ):
            subprocess.run(["cmake", *command], check=True, stdout=subprocess.DEVNULL)

        def example(*arguments: str) -> tuple[int, str, str]:
            program = str(build / f"norms-{MACHINE}")
            with self.start("-n", "2", program, *arguments, program=f"mpiexec.{MACHINE}") as job:
                output, errors = job.communicate(timeout=60)
            return job.returncode, output, errors

        self.assertEqual(example()[:2], (0, "norm 1 by native, element 0.0223607\n"))
        table = self.tables() / "table.json"
        self.assertEqual(example(str(table))[:2], (0, "norm 1 by ring, element 0.0223607\n"))
        table.write_text(table.read_text().replace(f'"{MACHINE}"', '"another"', 1))
        status, output, errors = example(str(table))
        self.assertEqual((status, output), (2, ""))
        told = [line for line in errors.splitlines() if line.startswith("the table is of library")]
        self.assertEqual(len(told), 2, errors)  # by each rank
        self.assertIn(f"'another', and this is '{MACHINE}'", told[0])


if __name__ == "__main__":
    unittest.main()
