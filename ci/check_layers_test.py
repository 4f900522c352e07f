#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of check_layers.py, each on a tree of one file."""
from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import check_layers

WITH_MPI = "api, bench, executor, harness/worker, interpose, libraries/forced, mock_ups/composed, tests/legal_calls"


class CheckLayersTest(unittest.TestCase):
    def complaints(self, path: str, *lines: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text("\n".join(lines))
            return list(check_layers.violations(Path(folder)))

    def assert_refused(self, path: str, include: str, why: str) -> None:
        found = self.complaints(path, "#pragma once", f"#include {include}")
        self.assertEqual(found, [f"{path}:2: {why}"])

    def assert_allowed(self, path: str, *includes: str) -> None:
        self.assertEqual(self.complaints(path, *(f"#include {each}" for each in includes)), [])

    def test_what_the_table_allows_passes(self) -> None:
        self.assert_allowed("core/a.hpp", '"core/b.hpp"', "<vector>", "<fmt/format.h>")
        self.assert_allowed("kernels/ring.cpp", '"kernels/schedule.hpp"', '"core/units.hpp"')
        self.assert_allowed("executor/run.cpp", "<mpi.h>", '"kernels/schedule.hpp"')
        self.assert_allowed("harness/worker/main.cpp", "<mpi.h>", '"executor/run.hpp"')
        self.assert_allowed("harness/worker/main.cpp", '"harness/protocol/protocol.hpp"')
        self.assert_allowed("results/store.cpp", "<sqlite3.h>", "<SQLiteCpp/Database.h>")
        self.assert_allowed("cli/sweep.cpp", "<CLI/CLI.hpp>", '"tuner/a.hpp"')

    def test_core_sees_no_other_folder(self) -> None:
        why = "core/ must not include kernels/"
        self.assert_refused("core/a.hpp", '"kernels/schedule.hpp"', why)

    def test_kernels_see_no_mpi(self) -> None:
        why = f"only {WITH_MPI} may include <mpi.h>"
        self.assert_refused("kernels/ring/ring.cpp", "<mpi.h>", why)

    def test_quotes_hide_nothing(self) -> None:
        why = f"only {WITH_MPI} may include <mpi.h>"
        self.assert_refused("cli/main.cpp", '"mpi.h"', why)

    def test_the_harness_without_its_worker_sees_no_executor(self) -> None:
        why = "harness/plan/ must not include executor/"
        self.assert_refused("harness/plan/sweep.cpp", '"executor/run.hpp"', why)

    def test_the_harness_does_not_see_its_worker(self) -> None:
        why = "harness/launch/ must not include harness/worker/"
        self.assert_refused("harness/launch/a.cpp", '"harness/worker/clock.hpp"', why)

    def test_rooms_of_a_folder_are_layers_too(self) -> None:
        why = "harness/protocol/ must not include harness/doctor/"
        self.assert_refused("harness/protocol/a.hpp", '"harness/doctor/host.hpp"', why)
        why = "harness/plan/ must not include harness/session/"
        self.assert_refused("harness/plan/a.cpp", '"harness/session/refine.hpp"', why)
        why = "tuner/ must not include tuner/verify/"
        self.assert_refused("tuner/a.cpp", '"tuner/verify/trial.hpp"', why)

    def test_a_format_of_tables_sees_no_other_librarys(self) -> None:
        why = "tables/formats/mpich/ must not include tables/formats/openmpi/"
        self.assert_refused("tables/formats/mpich/a.cpp", '"tables/formats/openmpi/b.hpp"', why)
        self.assert_allowed("tables/formats/mpich/a.cpp", '"tables/formats/common/b.hpp"')

    def test_a_format_of_tables_sees_no_list_of_formats(self) -> None:
        why = "tables/formats/own/ must not include tables/formats/"
        self.assert_refused("tables/formats/own/a.cpp", '"tables/formats/b.hpp"', why)

    def test_decisions_see_no_format(self) -> None:
        why = "tables/ must not include tables/formats/common/"
        self.assert_refused("tables/a.cpp", '"tables/formats/common/b.hpp"', why)

    def test_the_command_line_sees_no_executor(self) -> None:
        why = "cli/ must not include executor/"
        self.assert_refused("cli/main.cpp", '"executor/run.hpp"', why)

    def test_sqlite_stays_under_results(self) -> None:
        why = "only results may include <SQLiteCpp/Database.h>"
        self.assert_refused("tuner/a.cpp", "<SQLiteCpp/Database.h>", why)

    def test_the_command_line_library_stays_under_cli(self) -> None:
        why = "only cli may include <CLI/CLI.hpp>"
        self.assert_refused("harness/worker/main.cpp", "<CLI/CLI.hpp>", why)

    def test_benchmarks_stay_under_bench(self) -> None:
        why = "only bench may include <benchmark/benchmark.h>"
        self.assert_refused("executor/a.cpp", "<benchmark/benchmark.h>", why)

    def test_tests_are_no_exception(self) -> None:
        why = "guidelines/ must not include results/"
        self.assert_refused("guidelines/check_test.cpp", '"results/store.hpp"', why)

    def test_a_spaced_include_is_seen(self) -> None:
        self.assertEqual(len(self.complaints("core/a.hpp", '  #  include "sim/a.hpp"')), 1)

    def test_paths_start_at_the_root(self) -> None:
        why = '"b.hpp" is not a path from the root into a known folder'
        self.assert_refused("core/a.hpp", '"b.hpp"', why)

    def test_a_folder_outside_the_table_is_refused(self) -> None:
        found = self.complaints("utils/a.hpp", "#pragma once")
        expected = "utils/a.hpp: its folder is not in the table of ci/check_layers.py"
        self.assertEqual(found, [expected])

    def test_test_data_is_not_read(self) -> None:
        self.assertEqual(self.complaints("tuner/testdata/a.cpp", '#include "table.hpp"'), [])

    def strays(self, path: str, line: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(f"\n{line}\n")
            return list(check_layers.strays(Path(folder)))

    def test_a_folders_names_are_in_its_namespace(self) -> None:
        for path, line in (
            ("core/a.hpp", "namespace breakeven {"),
            ("harness/plan/a.hpp", "namespace breakeven::plan {"),
            ("kernels/allreduce/a.cpp", "namespace breakeven::kernels::allreduce {"),
            ("tables/formats/mpich/a.cpp", "namespace breakeven::formats::mpich {"),
        ):
            self.assertEqual(self.strays(path, line), [])
        for line in ("namespace breakeven {", "namespace breakeven::planned {"):
            why = "harness/plan/a.hpp:2: names of harness/plan/ belong in breakeven::plan"
            self.assertEqual(self.strays("harness/plan/a.hpp", line), [why])

    def collisions(self, **texts: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                file = Path(folder) / name / "a.hpp"
                file.parent.mkdir()
                file.write_text(text)
            return list(check_layers.collisions(Path(folder)))

    def test_a_name_is_a_type_of_one_folder(self) -> None:
        one = "namespace breakeven { namespace a {}\nstruct Plan final : Base {}; }"
        why = ["tuner/a.hpp: breakeven::Plan is a type of executor/a.hpp too"]
        for other in (
            "namespace breakeven {\nenum class Plan : int { a };\n}",
            "namespace breakeven { // }\nconst char* a = \"}\"; using Plan = int; }",
        ):
            self.assertEqual(self.collisions(executor=one, tuner=other), why)

    def test_names_apart_are_no_collision(self) -> None:
        one = "namespace breakeven { struct Plan {}; struct Plan; }"
        for other in (
            "namespace breakeven::tuner { struct Plan {}; }",
            "namespace breakeven { namespace { struct Plan {}; } }",
            "namespace breakeven { struct Plan; struct A { struct Plan {}; }; }",
            "namespace breakeven { void f() { struct Plan {}; } }",
        ):
            self.assertEqual(self.collisions(executor=one, tuner=other), [])

    def test_tests_of_a_namespace_share_no_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tuner/a_test.cpp", "tuner/b_test.cpp", "tuner/c_mpi_test.cpp", "stats/a_test.cpp"):
                file = Path(folder) / name
                file.parent.mkdir(exist_ok=True)
                file.write_text("Case at(int bytes) { return {}; }\nTEST(A, B) { at(8); }\n")
            found = list(check_layers.shared_names(Path(folder)))
        self.assertEqual(found, ["tuner/b_test.cpp: at is a name of tuner/a_test.cpp too"])

    def test_build_folders_are_not_read(self) -> None:
        self.assertEqual(self.complaints("build/release/a.cpp", '#include "x.h"'), [])


if __name__ == "__main__":
    unittest.main()
