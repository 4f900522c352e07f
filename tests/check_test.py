# SPDX-License-Identifier: BSD-3-Clause
"""Performance guidelines on a real MPI library: mock-ups, verdicts, and what CI reads of them."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

import jsonschema
import junitparser
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from support import MACHINE, ONCE, ProgramTest, wait_until

SWEEP = ["sweep", "--machine", MACHINE, "--db", "results.db", *ONCE]
COUNTS = "equal,linear,geometric,random,spikes,one,root"
# A mock-up and the default at two sizes; the tests plant their times.
FEW = [
    *("--procs", "2", "--bytes", "8,4K", "--collectives", "bcast"),
    *("--algorithms", "native,native:bcast/allgatherv"),
]
VIOLATED, UNDECIDED = 1, 2
# Library faults: persistent calls begin 5 ms late, and an allreduce takes 5 ms, which the library's own
# choice spends in the call that starts it. Another algorithm lets time pass until the end.
SLOW_FORMS = r"""
#include <mpi.h>
#include <stddef.h>
static double due;
static void spend(double until) { while (MPI_Wtime() < until) {} }
static int chosen(void) {
  static MPI_T_cvar_handle variable;
  static int known;
  int index, count, value = 0;
  if (!known && MPI_T_cvar_get_index(VARIABLE, &index) == MPI_SUCCESS)
    known = MPI_T_cvar_handle_alloc(index, NULL, &variable, &count) == MPI_SUCCESS;
  if (known) MPI_T_cvar_read(variable, &value);
  return value > 0;
}
int MPI_Start(MPI_Request *request) {
  spend(MPI_Wtime() + 5e-3);
  return PMPI_Start(request);
}
int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
  due = MPI_Wtime() + 5e-3;
  if (!chosen()) spend(due);
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  spend(due);
  return PMPI_Wait(request, status);
}
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  *flag = 0;
  return MPI_Wtime() < due ? MPI_SUCCESS : PMPI_Test(request, flag, status);
}
"""
# Variable of the library, of its environment, and an algorithm.
FORCED = {
    "mpich": ("MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM",) * 2 + ("sched_recursive_doubling",),
    "openmpi": (
        "coll_libnbc_iallreduce_algorithm",
        "OMPI_MCA_coll_libnbc_iallreduce_algorithm",
        "recursive_doubling",
    ),
}[MACHINE]
# The part of the schema of SARIF 2.1.0 for the objects and properties that a report has.
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
ARTIFACT = {"type": "object", "properties": {"uri": {"type": "string", "format": "uri-reference"}}}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": MESSAGE,
                                                "fullDescription": MESSAGE,
                                            },
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "additionalProperties": False,
                                        "properties": {"level": LEVEL, "message": MESSAGE},
                                    },
                                },
                            },
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "properties": {"artifactLocation": ARTIFACT},
                                            },
                                            "logicalLocations": {"type": "array"},
                                        },
                                    },
                                },
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


class Check(ProgramTest):
    def times(self, native_s: float, mock_up_s: float, condition: str = "1") -> None:
        """Plants the median times of the cases, a little different in each launch."""
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            for pattern, seconds in {"native": native_s, "native:%": mock_up_s}.items():
                median = f"{seconds} * (1 + 0.001 * (id % 7))"
                connection.execute(
                    f"UPDATE measurement SET median_s = {median}, low_s = {median},"
                    f' high_s = {median} WHERE case_id IN (SELECT id FROM "case"'
                    f" WHERE algorithm LIKE ? AND {condition})",
                    (pattern,),
                )
            connection.commit()

    def report(self, *arguments: str, status: int | tuple[int, ...] = 0) -> str:
        return self.breakeven("check", "--db", "results.db", *arguments, status=status).stdout

    def test_every_mock_up_does_its_work_with_all_counts(self) -> None:
        """The worker compares each result with what the collective must give."""
        collectives = (
            "allgather,allgatherv,allreduce,alltoall,bcast,gather,gatherv,reduce,reduce_scatter,"
            "reduce_scatter_block,scan,scatter,scatterv"
        )
        where = ("--procs", "2,3", "--bytes", "8,1000", "--root", "1", "--launches", "1")
        what = ("--algorithms", "native,mock_ups", "--counts", COUNTS, "--collectives", collectives)
        run = self.breakeven(*SWEEP, *where, *what)
        self.assertIn(" 0 failed", run.stdout)
        self.assertEqual(self.failures(), [])
        everything = json.loads(self.report("--format", "json", status=UNDECIDED))["findings"]
        shown = {each["guideline"] for each in everything}
        of_forms = {each for each in shown if each.endswith("_as_nonblocking")}
        self.assertEqual(of_forms, {f"{each}_as_nonblocking" for each in collectives.split(",")})
        document = (pathlib.Path(__file__).parents[1] / "docs/guidelines.md").read_text()
        known = set(re.findall(r"`(\w+_as_[\w+]+)`", document))
        self.assertGreater(len(known), 30)
        known = {each for each in known if not each.endswith("blocking")}
        self.assertEqual(known, {each for each in shown - of_forms if "_as_" in each})

    def test_slow_forms_are_red_and_the_other_algorithm_green(self) -> None:
        variable, setting, algorithm = FORCED
        (self.folder / "slow.c").write_text(SLOW_FORMS)
        command = [f"mpicc.{MACHINE}", "-shared", "-fPIC", f'-DVARIABLE="{variable}"', "slow.c"]
        subprocess.run([*command, "-o", "slow.so"], cwd=self.folder, check=True)
        few = ("--procs", "2", "--bytes", "64", "--collectives", "allreduce")
        names = f"native,native:blocking,{MACHINE}:{algorithm}"

        def verdicts(form: str, guideline: str, **environment: str) -> set[str]:
            """With launches until all are decided, or one is violated: on a busy machine a fast
            call may be as slow as the planted one in some."""
            self.database.unlink(missing_ok=True)
            asked = ("--forms", form, "--algorithms", names)
            planted = {"LD_PRELOAD": str(self.folder / "slow.so"), **environment}
            found: set[str] = set()
            for launches in ("5", "10", "20", "40"):
                with unittest.mock.patch.dict(os.environ, planted):
                    self.breakeven(*SWEEP, *few, *asked, "--launches", launches)
                told = self.report("--format", "json", status=(0, VIOLATED, UNDECIDED))
                findings = json.loads(told)["findings"]
                found = {each["verdict"] for each in findings if each["guideline"] == guideline}
                if "violated" in found or found == {"holds"}:
                    break
            return found

        guideline = "allreduce_persistent_as_blocking"
        self.assertIn("violated", verdicts("persistent", guideline))
        guideline = "allreduce_overlap"
        self.assertIn("violated", verdicts("nonblocking", guideline))
        by_the_other = {setting: algorithm}
        self.assertNotIn("violated", verdicts("nonblocking", guideline, **by_the_other))

    @unittest.skipUnless(MACHINE == "mpich", "times are planted: one library's are enough")
    def test_a_violation_is_told_waived_and_known(self) -> None:
        self.breakeven(*SWEEP, *FEW, "--launches", "16")
        self.times(2e-6, 1e-6, "message_bytes > 100")
        self.times(1e-6, 2e-6, "message_bytes < 100")
        report = self.report(status=VIOLATED)
        self.assertRegex(report, r"\n    bcast_as_allgatherv: bcast\(m\) <= allgatherv\(m\), because ")
        self.assertRegex(report, r"\n  2\.\d\d .* 16 of 16 .* p = 2, 4 KiB, double\n")
        self.assertRegex(report, r"\n    again:  breakeven sweep .* --bytes 4096 ")
        self.assertNotIn("\n  0.5", report)
        self.check_formats()
        waiver = '[[waiver]]\nguideline = "bcast"\nreason = "slow links"\nexpires = {}\n'
        (self.folder / "waivers.toml").write_text(waiver.format("2999-12-31"))
        self.assertIn("waived (slow links)", self.report("--waivers", "waivers.toml"))
        (self.folder / "waivers.toml").write_text(waiver.format("2020-01-31"))
        late = self.breakeven(
            "check", "--db", "results.db", "--waivers", "waivers.toml", status=VIOLATED
        )
        self.assertIn("expired on 2020-01-31: slow links", late.stderr)
        shutil.copy(self.database, self.folder / "before.db")
        self.times(2e-6, 1e-6)
        changed = self.report("--baseline", "before.db", status=VIOLATED)
        self.assertRegex(changed, r"16 of 16 .*  known: p = 2, 4 KiB")
        self.assertRegex(changed, r"16 of 16 .*  p = 2, 8 B")
        self.times(2e-6, 4e-6, "message_bytes > 100")
        self.times(1e-6, 2e-6, "message_bytes < 100")
        self.assertIn("gone: bcast_as_allgatherv; p = 2, 4 KiB", self.report("--baseline", "before.db"))

    def check_formats(self) -> None:
        def written(form: str) -> str:
            return self.report("--format", form, status=VIOLATED)

        (self.folder / "junit.xml").write_text(written("junit"))
        suites = list(junitparser.JUnitXml.fromfile(str(self.folder / "junit.xml")))
        cases = [case for suite in suites for case in suite]
        kinds = [[type(each) for each in case.result] for case in cases]
        failed = [case.name for case, kind in zip(cases, kinds) if junitparser.Failure in kind]
        self.assertEqual(failed, ["bcast_as_allgatherv: p = 2, 4 KiB, double; native against native:allgatherv"])
        skipped = kinds.count([junitparser.Skipped])
        everything = json.loads(written("json"))
        self.assertEqual(len(cases), len(everything["findings"]))
        self.assertEqual((suites[0].tests, suites[0].failures), (len(cases), 1))
        self.assertEqual((suites[0].skipped, skipped), (everything["undecided"],) * 2)
        self.assertEqual(xml.fromstring(written("junit")).tag, "testsuites")
        sarif = json.loads(written("sarif"))
        jsonschema.validate(sarif, SARIF)
        self.assertEqual(len(sarif["runs"][0]["results"]), 1)
        families = {each.name: each for each in text_string_to_metric_families(written("openmetrics"))}
        ratios = families["breakeven_guideline_ratio"].samples
        self.assertEqual(len([each for each in ratios if each.labels["verdict"] == "violated"]), 1)
        self.assertRegex(written("markdown"), r"\n\| `bcast_as_allgatherv` \| p = 2, 4 KiB")
        (value,) = [
            each["ratio"]["value"]
            for name, each in json.loads(written("bencher")).items()
            if re.search("allgatherv.*4 KiB", name)
        ]
        self.assertAlmostEqual(value, 2, delta=0.1)

    def test_what_is_undecided_is_measured_again(self) -> None:
        self.breakeven(*SWEEP, *FEW, "--launches", "1")  # which decides nothing
        before = len(self.measured())
        run = self.breakeven("check", "--db", "results.db", "--decide", "20s")
        self.assertRegex(run.stdout, r"\n\d+ comparisons: ")
        self.assertGreater(len(self.measured()), before)
        self.assertEqual(self.failures(), [])

    def test_a_violation_is_confirmed_in_new_launches(self) -> None:
        """These count in its verdict, whichever it is then."""
        two = ("--algorithms", "native,native:bcast/scatterv+allgatherv", "--collectives", "bcast")
        self.breakeven(*SWEEP, *two, "--procs", "2", "--bytes", "64K", "--launches", "16")
        self.times(2e-6, 1e-6)
        self.report(status=VIOLATED)
        three_more = "SELECT count(*) FROM measurement WHERE repeat = 16 + 3 - 1"
        with self.start("check", "--db", "results.db", "--decide", "100s") as process:
            self.assertTrue(wait_until(lambda: self.rows(three_more) == [(2,)], 90))
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        with self.start("check", "--db", "results.db", "--all") as process:
            self.assertRegex(process.communicate(timeout=60)[0], r" of 19 ")

    @unittest.skipUnless(MACHINE == "mpich", "times are planted: one library's are enough")
    def test_more_processes_than_cores_are_judged_apart(self) -> None:
        """A guideline that is violated there alone is listed, and green."""
        self.breakeven(*SWEEP, *FEW, "--launches", "3")
        self.times(2e-6, 1e-6, "message_bytes > 100")
        self.times(1e-6, 2e-6, "message_bytes < 100")
        only = ("--guidelines", "mock_ups")
        self.assertIn("1 violated", self.report(*only, status=VIOLATED))
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            connection.execute("UPDATE launch SET oversubscribed = 1")
            connection.commit()
        self.assertIn("about such jobs alone", self.report(*only, status=VIOLATED))
        reduce = ("--collectives", "reduce", "--algorithms", "native,native:reduce/allreduce")
        self.breakeven(*SWEEP, *reduce, "--procs", "2", "--bytes", "8", "--launches", "3")
        self.times(1e-6, 2e-6, "collective = 'reduce'")
        report = self.report(*only, "--all")
        self.assertIn("1 comparisons: 0 violated, 0 undecided, 1 hold", report)
        apart = report.partition("judged apart: more processes than cores")[2]
        self.assertRegex(apart, r"3 of 3 .*p = 2, 4 KiB, double\*; bcast_as_allgatherv: violated\n")

    @unittest.skipUnless(MACHINE == "mpich", "times are planted: one library's are enough")
    def test_what_is_undecided_is_red_where_that_is_asked(self) -> None:
        self.breakeven(*SWEEP, *FEW, "--launches", "2")
        self.times(2e-6, 1e-6, "message_bytes > 100")
        self.times(1e-6, 2e-6, "message_bytes < 100")
        only = ("--guidelines", "mock_ups")
        self.assertIn("2 comparisons: 0 violated, 1 undecided, 1 hold", self.report(*only))
        strict = self.report(*only, "--fail-on-undecided", "--format", "junit", status=VIOLATED)
        self.assertIn("undecided: a violation takes 3 launches", strict)
        self.assertIn('failures="1"', strict)

    def test_what_is_not_there_is_refused_in_a_line(self) -> None:
        self.breakeven(*SWEEP, *FEW, "--launches", "2")
        (self.folder / "waivers.toml").write_text('[[waiver]]\nguideline = "bcast"\n')
        for arguments, words in [
            (("--waivers", "waivers.toml"), "waivers.toml:1: a waiver has a guideline, a reason"),
            (("--baseline", "no.db"), "no.db"),
            (("--decide", "soon"), "soon"),
            (("--format", "yaml"), "no format 'yaml'; known: text markdown json junit sarif"),
        ]:
            refused = self.breakeven("check", "--db", "results.db", *arguments, status=2)
            self.assertIn(words, refused.stderr)
            self.assertEqual(refused.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
