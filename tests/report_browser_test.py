# SPDX-License-Identifier: BSD-3-Clause
"""A page of `breakeven report` in headless Chromium, at three window sizes: load, click, read."""

import shutil
import unittest

from report_test import ReportTest

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

WINDOWS = {"phone": (390, 844), "laptop": (1366, 768), "wide": (1920, 1080)}
LONGEST_LOAD_S = 20


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

    def check_labels(self, browser) -> None:
        """Each curve has its whole name, and the axis three times or more."""
        script = """const all = (css) => [...document.querySelectorAll(css)];
            const names = all("#detail .key span");
            return [all("#detail .curves .band").length, names.length,
                    names.filter((each) => each.scrollWidth > each.clientWidth + 1).length,
                    names.filter((each) => each.textContent.endsWith("…")).length,
                    all("#detail .curves .tick text").filter((each) => /s$/.test(each.textContent)).length]"""
        curves, names, *cut, times = browser.execute_script(script)
        self.assertEqual((names, *cut), (curves, 0, 0))
        self.assertGreaterEqual(times, 3)

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
                for words in ("Candidates", "Times by message size", "Schedule of", "4, chosen"):
                    self.assertIn(words, detail.text)
                self.assertGreater(count("#detail .curve"), 1)
                self.check_labels(browser)
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

    def test_databases_stand_side_by_side_where_there_is_room(self) -> None:
        shutil.copy(self.database, self.folder / "other.db")
        self.report("--against", "other.db")
        places = """return [...document.querySelectorAll(".panel")].slice(0, 2)
            .map((panel) => panel.getBoundingClientRect().left)"""
        for name, size in WINDOWS.items():
            with self.subTest(name):
                browser = self.browse(size)
                first, second = browser.execute_script(places)
                self.assertEqual(second > first, name != "phone")
                captions = browser.find_elements(By.CSS_SELECTOR, ".panel .note")
                self.assertIn("other.db", captions[1].text)
                # A detail takes room: the maps move, and the cell stays in sight.
                last = browser.find_elements(By.CSS_SELECTOR, ".panel .cells")[-1]
                last.find_element(By.CSS_SELECTOR, "rect").click()
                self.assertIn("other.db", browser.find_element(By.ID, "detail").text)
                box = "return document.querySelector('.picked').getBoundingClientRect().%s"
                self.assertGreaterEqual(browser.execute_script(box % "top"), 0)
                height = browser.execute_script("return innerHeight")
                self.assertLessEqual(browser.execute_script(box % "bottom"), height)
                self.check_narrow(browser)
                self.check_quiet(browser)

    def test_it_is_readable_without_javascript(self) -> None:
        self.report()
        browser = self.browse(WINDOWS["laptop"], javascript=False)
        text = browser.find_element(By.TAG_NAME, "body").text
        self.assertIn("significantly faster", text)
        for words in ("another may be more than 3 % faster", "violated", "<busy>", "sweep.toml"):
            self.assertIn(words, text)
        names = browser.find_elements(By.CSS_SELECTOR, "svg.map .names text")
        self.assertGreater(sum(name.is_displayed() for name in names), 1)
        self.assertFalse(browser.find_element(By.ID, "tools").is_displayed())
        browser.find_element(By.CSS_SELECTOR, "details.list summary").click()
        self.assertIn("measured at", browser.find_element(By.CSS_SELECTOR, "details.list").text)


if __name__ == "__main__":
    unittest.main()
