# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven report`: what the page holds, and what it does in a browser at three window sizes."""

import contextlib
import json
import pathlib
import re
import shutil
import sqlite3
import statistics
import unittest

from support import ProgramTest

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

MACHINE = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.02"
SWEEP = [
    *("--machine", MACHINE, "--procs", "2,4,7,8", "--bytes", "8:256K", "--launches", "4"),
    *("--collectives", "allreduce,bcast", "--racing", "false"),
]
DOCTOR = {
    "format": "breakeven-doctor-1",
    "findings": [
        {"name": "load", "severity": "warning", "seen": "a <busy> core", "effect": "scatter", "fix": ""},
        {"name": "clock", "severity": "ok", "seen": "steady", "effect": "", "fix": ""},
    ],
}
PROFILE = {
    "breakeven_profile": 1,
    "library_version": "",
    "cpu": "",
    "procs": 8,
    "wall_s": 20.0,
    "uses": [
        {
            **{"collective": "allreduce", "procs": 8, "nodes": 1, "procs_per_node": 8},
            **{"mapping": "seq", "message_bytes": size, "datatype": "double", "op": "sum"},
            **{"in_place": False, "algorithm": "native", "calls": 1000, "time_s": time_s},
        }
        for size, time_s in ((8, 2.0), (65536, 6.0))
    ],
}
WINDOWS = {"phone": (390, 844), "laptop": (1366, 768), "wide": (1920, 1080)}
LONGEST_LOAD_S = 20


class ReportTest(ProgramTest):
    """With a model's database in which one algorithm plays the library's default."""

    def setUp(self) -> None:
        super().setUp()
        self.breakeven("sweep", *SWEEP, "--db", str(self.database))
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            connection.execute(
                """UPDATE "case" SET algorithm = 'native', params = ''
                   WHERE (collective, algorithm, params) IN
                         (VALUES ('allreduce', 'reduce_bcast', ''), ('bcast', 'binomial', ''))"""
            )
            connection.execute(
                "INSERT INTO inspection (machine_id, inspected_at, report) VALUES (1, '', ?)",
                (json.dumps(DOCTOR),),
            )
            connection.commit()
        self.page = self.folder / "report.html"

    def report(self, *more: str) -> str:
        self.breakeven("report", "--db", str(self.database), "--out", str(self.page), *more)
        return self.page.read_text()

    def data(self, text: str) -> dict:
        return json.loads(re.search(r'id="data">(.*?)</script>', text)[1].replace("<\\/", "</"))


class PageTest(ReportTest):
    def test_the_page_needs_nothing_beside_itself(self) -> None:
        text = self.report()
        ours = re.sub(r"<script>/\*\nD3.*?</script>", "", text, flags=re.DOTALL)
        self.assertNotRegex(ours, r"""(src|href)=["'](?!data:)|@import|url\((?!#)|fetch\(""")
        self.assertNotIn("http", re.sub(r"http://www\.w3\.org/\S+", "", ours))
        self.assertIn("Michael Bostock", text)
        self.assertLess(len(text), 1_000_000)

    def test_it_says_what_was_found_and_where(self) -> None:
        text = self.report()
        for words in (
            r"In <b>\d+ of \d+</b> cells a table is significantly faster",
            "a &lt;busy&gt; core",
            "breakeven sweep sweep.toml",
            f"--db {self.database}",
            "<th>measured at",
            "violated</b>",
        ):
            self.assertRegex(text, words)

    def test_its_numbers_are_the_databases(self) -> None:
        text = self.report()
        data = self.data(text)
        (subject,) = data["subjects"]
        rows = self.rows(
            """SELECT collective, algorithm, params, procs, message_bytes, median_s
               FROM "case" JOIN measurement ON case_id = "case".id"""
        )
        times: dict[tuple, list[float]] = {}
        for *case, median_s in rows:
            times.setdefault(tuple(case), []).append(median_s)
        found = {}
        for sheet in subject["sheets"]:
            for cell in sheet["cells"]:
                procs, size = sheet["rows"][cell[0]][0], sheet["sizes"][cell[1]]
                for i in range(0, len(cell[11]), 8):
                    name, _, params = data["variants"][cell[11][i]]["id"].partition(":")
                    case = (sheet["collective"], name, params, procs, size)
                    found[case] = cell[11][i + 1], cell[11][i + 7]
        self.assertEqual(set(found), set(times))
        for case, (median_us, launches) in found.items():
            self.assertEqual(launches, len(times[case]))
            self.assertAlmostEqual(
                median_us / (1e6 * statistics.median(times[case])), 1, delta=1e-3, msg=case
            )

    def test_its_choices_are_those_of_tune(self) -> None:
        data = self.data(self.report())
        self.breakeven("tune", "--db", str(self.database), "--out", str(self.folder / "tables"))
        for sheet in data["subjects"][0]["sheets"]:
            for cell in sheet["cells"][::5]:
                answer = self.breakeven(
                    *("tables", "ask", str(self.folder / "tables/table.json")),
                    *("--collective", sheet["collective"]),
                    *("--procs", str(sheet["rows"][cell[0]][0])),
                    *("--bytes", str(sheet["sizes"][cell[1]])),
                )
                chosen = data["variants"][cell[11][8 * cell[2]]]["id"]
                self.assertIn(chosen.partition(":")[0], answer.stdout)

    def test_schedules_move_what_the_printer_says(self) -> None:
        data = self.data(self.report())
        seen = 0
        for sheet in data["subjects"][0]["sheets"]:
            for cell in sheet["cells"]:
                variant = data["variants"][cell[11][8 * cell[2]]]["id"]
                procs = sheet["rows"][cell[0]][0]
                if cell[10] < 0 or ":" in variant or cell[1] % 6:
                    continue
                printed = json.loads(
                    self.breakeven(
                        *("schedule", "show", f"{sheet['collective']}/{variant}"),
                        *("--procs", str(procs), "--format", "json"),
                    ).stdout
                )
                expected = sorted(
                    (rank["rank"], comm["send"]["to"], comm["send"]["count"])
                    for rank in printed["ranks"]
                    for step in rank["rounds"]
                    for comm in step.get("comm", [])
                    if "send" in comm
                )
                schedule = data["schedules"][cell[10]]
                played = sorted(
                    (rank, (rank + ahead) % procs, sum(count for _, count in ranges))
                    for step in schedule["steps"]
                    for ahead, ranges, ranks in step
                    for rank in (ranks or range(procs))
                )
                self.assertEqual(played, expected, (variant, procs))
                seen += 1
        self.assertGreater(seen, 0)

    def test_another_database_stands_beside(self) -> None:
        shutil.copy(self.database, self.folder / "other.db")
        text = self.report("--against", "other.db")
        self.assertEqual(len(self.data(text)["subjects"]), 2)
        self.assertEqual(text.count("<figure class=\"panel\""), 4)
        self.assertIn("0 others", text)

    def test_a_program_is_laid_over_the_maps(self) -> None:
        (self.folder / "profile.json").write_text(json.dumps(PROFILE))
        text = self.report("--profile", "profile.json")
        self.assertIn("spends 8 s of its 20 s in collectives", text)
        self.assertEqual(text.count("<circle"), 2)
        programs = [
            cell[9] for sheet in self.data(text)["subjects"][0]["sheets"] for cell in sheet["cells"]
        ]
        self.assertEqual(sorted(each[0] for each in programs if each), [2, 6])
        for cell_time, *saved in filter(None, programs):
            self.assertTrue(saved[1] <= saved[0] <= saved[2] < cell_time)

    def test_bad_input_is_refused_in_a_line_and_leaves_no_file(self) -> None:
        for arguments, words in (
            (["--db", "none.db"], "none.db"),
            (["--db", str(self.database), "--machine", "mpich"], "no machines called 'mpich'"),
            (["--db", str(self.database), "--profile", "no.json"], "no.json"),
            (["--db", str(self.database), "--against", "no.db"], "no.db"),
        ):
            refused = self.breakeven("report", *arguments, "--out", str(self.page), status=2)
            self.assertIn(words, refused.stderr)
            self.assertEqual(refused.stderr.count("\n"), 1)
            self.assertFalse(self.page.exists())


@unittest.skipUnless(
    webdriver and shutil.which("chromium") and shutil.which("chromedriver"),
    "no browser (Debian: chromium, chromium-driver, python3-selenium)",
)
class BrowserTest(ReportTest):
    def browse(self, size: tuple[int, int], javascript: bool = True):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if not javascript:
            settings = {"profile.managed_default_content_settings.javascript": 2}
            options.add_experimental_option("prefs", settings)
        browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.addCleanup(browser.quit)
        browser.set_page_load_timeout(LONGEST_LOAD_S)
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1}
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {**metrics, "mobile": size[0] < 600}
        )
        browser.get(self.page.as_uri())
        return browser

    def check_quiet(self, browser) -> None:
        self.assertEqual(browser.get_log("browser"), [])

    def check_narrow(self, browser) -> None:
        """Nothing makes the page wider than its window."""
        script = "return [document.documentElement.scrollWidth, innerWidth]"
        needed, there = browser.execute_script(script)
        self.assertLessEqual(needed, there)

    def test_it_answers_at_every_window_size(self) -> None:
        cells = sum(len(s["cells"]) for s in self.data(self.report())["subjects"][0]["sheets"])
        for name, size in WINDOWS.items():
            with self.subTest(name):
                browser = self.browse(size)
                find = lambda css: browser.find_element(By.CSS_SELECTOR, css)
                count = lambda css: len(browser.find_elements(By.CSS_SELECTOR, css))
                self.assertEqual(count(".cells rect[role=button][aria-label]"), cells)
                self.check_narrow(browser)

                # By keyboard: one stop for each map, arrows between cells, Enter, Escape.
                browser.execute_script("arguments[0].focus()", find(".cells rect[tabindex='0']"))
                active = browser.switch_to.active_element
                self.assertIn("p = 2, 8 B", active.get_attribute("aria-label"))
                active.send_keys(Keys.ARROW_UP)
                active = browser.switch_to.active_element
                self.assertIn("p = 4, 8 B", active.get_attribute("aria-label"))
                self.assertIn("chosen", find("#tip").text)
                active.send_keys(Keys.ENTER)
                detail = find("#detail")
                self.assertTrue(detail.is_displayed())
                for words in ("Candidates", "Times by message size", "Schedule of", "4 launches"):
                    self.assertIn(words, detail.text)
                self.assertGreater(count("#detail .curve"), 1)
                self.check_narrow(browser)
                browser.switch_to.active_element.send_keys(Keys.ESCAPE)
                self.assertFalse(detail.is_displayed())
                self.assertEqual(browser.switch_to.active_element, active)

                # By pointer: a schedule, step by step.
                find(".cells rect").click()
                if find(".player button.main").text == "Pause":
                    find(".player button.main").click()
                find(".player button[aria-label='Step back']").click()
                self.assertIn("step 1 of", find(".player").text)
                self.assertGreater(count(".play .arrow"), 0)
                self.assertRegex(find(".says").text, r"\d+ → \d+")
                find("#detail .close").click()

                # Tools.
                find("#tools input[value=speedup] + span").click()
                self.assertEqual(count("figure.shaded"), 2)
                browser.execute_script(
                    "const s = document.querySelector('#least'); s.value = s.max;"
                    "s.dispatchEvent(new Event('input'))"
                )
                self.assertGreater(count("rect.dim"), 0)
                self.assertIn(f"of {cells} cells", find("#tools output").text)
                self.check_quiet(browser)

    def test_it_is_readable_without_javascript(self) -> None:
        self.report()
        browser = self.browse(WINDOWS["laptop"], javascript=False)
        text = browser.find_element(By.TAG_NAME, "body").text
        self.assertIn("significantly faster", text)
        self.assertIn("Legend" if "Legend" in text else "undecided", text)
        self.assertEqual(len(browser.find_elements(By.CSS_SELECTOR, "svg.map .names text")) > 0, True)
        self.assertFalse(browser.find_element(By.ID, "tools").is_displayed())
        browser.find_element(By.CSS_SELECTOR, "details.list summary").click()
        self.assertIn("measured at", browser.find_element(By.CSS_SELECTOR, "details.list").text)


if __name__ == "__main__":
    unittest.main()
