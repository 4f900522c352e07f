# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven tables`: faults by line, files that the library itself loads, what files select."""

import json
import pathlib
import shutil
import unittest

from support import MACHINE, ProgramTest

TESTDATA = pathlib.Path(__file__).resolve().parent.parent / "tables/formats/testdata"
TREE = TESTDATA / "mpich_coll.golden"
FILES = [TREE, TESTDATA / "mpich_ch4_coll.golden", TESTDATA / "mpich_cvars.golden"]
VARIABLE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"


class TablesTest(ProgramTest):
    def lint(self, *arguments: object, status: int = 0) -> list[str]:
        run = self.breakeven("tables", "lint", *map(str, arguments), status=status)
        return run.stdout.splitlines()

    def launcher(self, script: str) -> str:
        """A launcher of MPICH that does something first; the job's variables are there."""
        program = self.folder / "mpiexec"
        program.write_text(f'#!/bin/sh\n{script}\nexec {shutil.which("mpiexec.mpich")} "$@"\n')
        program.chmod(0o755)
        return f"hydra={program}"


class TablesLint(TablesTest):
    def test_faults_have_file_and_line(self) -> None:
        text = TREE.read_text()
        broken = self.folder / "broken.json"
        broken.write_text(text[: len(text) // 2])
        lines = text[: len(text) // 2].count("\n") + 1
        [fault] = self.lint(broken, status=2)
        self.assertTrue(fault.startswith(f"{broken}:{lines}: "), fault)
        broken.write_text(text.replace("Allgather_intra_brucks", "Allgather_intra_bruks"))
        for fault in self.lint(broken, status=2):
            self.assertRegex(fault, r":\d+: this version of MPICH has no '.*bruks'$")

    def test_every_file_is_told_of(self) -> None:
        foreign = self.folder / "foreign"
        foreign.write_text("nothing of ours\n")
        lines = self.lint(foreign, *FILES, status=2)
        self.assertEqual(len(lines), 4)
        self.assertIn("no form of table", lines[0])
        for line in lines[1:]:
            self.assertIn(" for MPICH Version: 4.0.2, made 2025-01-31 by Breakeven", line)

    def test_a_folder_stands_for_its_tables(self) -> None:
        run = self.breakeven("tables", "lint", str(self.folder), status=2)
        self.assertIn(f"no table in the folder '{self.folder}'; known names: ", run.stderr)
        shutil.copy(TREE, self.folder / "mpich_coll.json")
        (self.folder / "table.txt").write_text("for people\n")
        [line] = self.lint(self.folder)
        self.assertTrue(line.startswith(f"{self.folder}/mpich_coll.json: right"), line)

    def test_missing_file_is_refused(self) -> None:
        self.breakeven("tables", "lint", "nothing.json", status=2)

    @unittest.skipUnless(MACHINE == "openmpi", "of another library")
    def test_files_of_another_library_are_refused(self) -> None:
        run = self.breakeven("tables", "lint", str(TREE), "--machine", MACHINE, status=2)
        self.assertIn("mpich_json tables are for mpich, not for 'openmpi'", run.stderr)


class TablesAsk(TablesTest):
    def ask(self, file: object, *arguments: str, status: int = 0) -> list[str]:
        run = self.breakeven("tables", "ask", str(file), *arguments, status=status)
        return (run.stdout if status == 0 else run.stderr).splitlines()

    def test_every_form_answers(self) -> None:
        allreduce = ["--collective", "allreduce", "--procs", "8", "--bytes", "100K"]
        for name, variant in [
            ("breakeven_table.golden", "allreduce/halving_doubling"),
            ("openmpi_rules.golden", "openmpi:allreduce/segmented_ring:segment_bytes=8192, number 5"),
            ("openmpi_json.golden", "openmpi:allreduce/segmented_ring:segment_bytes=8192"),
            ("table_json.golden", "allreduce/halving_doubling"),
            ("table_csv.golden", "allreduce/halving_doubling"),
            ("mpich_coll.golden", "native: the library decides"),
            ("mpich_ch4_coll.golden", "native: the library decides"),
        ]:
            lines = self.ask(TESTDATA / name, *allreduce)
            self.assertEqual(lines[0], variant)
            self.assertRegex(lines[1], rf"{name}:\d+: p = ")
        lines = self.ask(TESTDATA / "mpich_cvars.golden", "--collective", "barrier", "--procs", "4")
        self.assertEqual(lines[0], "mpich:barrier/dissemination")
        [wrong] = self.ask(TESTDATA / "table_json.golden", *allreduce, "--form", "later", status=2)
        self.assertIn("nonblocking", wrong)
        lines = self.ask(TESTDATA / "table_json.golden", *allreduce, "--form", "nonblocking")
        self.assertIn("no rule for iallreduce", lines[1])

    def test_conditions_and_harm_are_named(self) -> None:
        call = ["--collective", "bcast", "--procs", "4", "--nodes", "2", "--bytes", "64"]
        self.assertIn("scatter_ring_allgather", self.ask(TREE, *call)[0])
        lines = self.ask(TREE, *call, "--mapping", "rr")
        self.assertEqual(lines[0], "mpich:bcast/binomial")
        self.assertIn("is_node_consecutive=no", lines[1])
        rules = TESTDATA / "openmpi_rules.golden"
        lines = self.ask(rules, "--collective", "allreduce", "--procs", "8", "--bytes", "3K")
        self.assertIn("wrong results for operations that do not commute", lines[-1])

    def test_what_has_no_answer_is_refused_in_one_line(self) -> None:
        rules = TESTDATA / "openmpi_rules.golden"
        cut = self.folder / "openmpi_rules.conf"
        cut.write_text(rules.read_text()[:-20])
        foreign = self.folder / "foreign"
        foreign.write_text("nothing of ours\n")
        for file, collective, procs, words in [
            (rules, "alltoallw", "8", "no rule for alltoallw, which is left to the library; it has: allg"),
            (rules, "allreduce", "0", "--procs 0"),
            (rules, "alreduce", "8", "no collective 'alreduce'"),
            (cut, "allreduce", "8", f"{cut}:226: the file ends here"),
            (foreign, "allreduce", "8", f"{foreign}: it looks like no form of table"),
            (self.folder / "missing", "allreduce", "8", "can't read"),
        ]:
            arguments = ["--collective", collective, "--procs", procs, "--bytes", "8"]
            [line] = self.ask(file, *arguments, status=2)
            self.assertIn(words, line)
        [line] = self.ask(rules, "--collective", "allreduce", "--procs", "8", status=2)
        self.assertIn("--bytes is required", line)


@unittest.skipUnless(MACHINE == "mpich", "of another library")
class LoadedByMpich(TablesTest):
    def setUp(self) -> None:
        super().setUp()
        [line] = self.lint(TREE)
        if "; loaded by" not in line:
            self.skipTest(line)

    def test_library_loads_them(self) -> None:
        for line in self.lint(*FILES, "--machine", "mpich"):
            self.assertRegex(line, r"; MPI_Init [+-]\d+ ms, [+-]\d+\.\d MB per process; "
                                   r"loaded by MPICH Version: 4.0.2$")  # fmt: skip

    def test_file_that_fills_the_memory_is_warned_of(self) -> None:
        tree = json.loads((TESTDATA / "mpich-4.0.2-mpir.json").read_text())
        leaf = {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}
        sizes = {f"avg_msg_size<={size}": leaf for size in range(200)} | {"avg_msg_size=any": leaf}
        procs = {f"comm_size<={procs}": sizes for procs in range(1, 200)} | {"comm_size=any": sizes}
        tree["collective=allreduce"]["comm_type=intra"] = procs
        large = self.folder / "large.json"
        large.write_text(json.dumps(tree) + "\n")
        line, warning = self.lint(large, "--machine", "mpich")
        self.assertRegex(line, r", \+\d\d+\.\d MB per process")
        self.assertIn("large.json: warning: every process that loads it", warning)

    def test_file_that_is_not_loaded_is_found_out(self) -> None:
        [line] = self.lint(TREE, "--launcher", self.launcher(f"unset {VARIABLE}"), status=2)
        self.assertIn("the library didn't load it", line)

    def test_end_of_the_library_is_told_in_its_words(self) -> None:
        broken = self.folder / "other.json"
        broken.write_text('{"collective=bcast": {"unheard=of": {}}}')
        script = f'if [ -n "${VARIABLE}" ]; then export {VARIABLE}={broken}; fi'
        [line] = self.lint(TREE, "--launcher", self.launcher(script), status=2)
        self.assertIn("a process that loads it crashed: ", line)
        self.assertIn("unheard=of", line)

    def test_file_without_a_version_is_loaded_where_asked(self) -> None:
        bare = self.folder / "bare.json"
        bare.write_text((TESTDATA / "mpich-4.0.2-mpir.json").read_text())
        [line] = self.lint(bare)
        self.assertIn("right; mpich_json; not loaded: the file names no version", line)
        [line] = self.lint(bare, "--machine", "mpich")
        self.assertRegex(line, "right; mpich_json; MPI_Init .*; loaded by MPICH Version: 4.0.2$")

    def test_other_version_is_loaded_nowhere(self) -> None:
        other = self.folder / "other.json"
        device = FILES[1].read_text()
        other.write_text(device.replace("MPICH Version: 4.0.2", "MPICH Version: 4.0.3"))
        [line] = self.lint(other)
        self.assertIn("not loaded: it is for MPICH Version: 4.0.3, and the library here", line)
        [line] = self.lint(other, "--machine", "mpich", status=2)
        self.assertIn("it is for MPICH Version: 4.0.3", line)


if __name__ == "__main__":
    unittest.main()
