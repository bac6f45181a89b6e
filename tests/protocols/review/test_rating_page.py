"""The page that raters fill in, in a real browser: what it saves is taken in."""

import shutil
import time

import pytest
from tests.protocols.review.made_up import write_pairs

from perimetry.protocols.review import export_review, import_ratings
from perimetry.protocols.review.ratings import read_ratings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not installed (apt: chromium-driver)"
)

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-dev-shm-usage",
)


@pytest.fixture
def chrome(tmp_path):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    (tmp_path / "saved").mkdir()
    options.add_experimental_option("prefs", {"download.default_directory": str(tmp_path / "saved")})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def test_what_the_page_saves_is_taken_in(chrome, tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], 3)
    review = tmp_path / "review"
    export_review(pairs, review, tasks=["equivalence"], raters=["ann", "bob"])
    page = (review / "round-1" / "ann" / "equivalence.html").as_uri()
    chrome.get(page)
    first, second, _ = chrome.find_elements("css selector", "section")
    first.find_element("css selector", "input[value=minor]").click()
    first.find_element("css selector", "textarea").send_keys('a "quoted", word\nand a line')
    second.find_element("css selector", "input[value=equivalent]").click()
    assert chrome.find_element("id", "count").text == "2 of 3 rated"
    # What was chosen outlives the page.
    chrome.execute_script("unsaved = false")
    chrome.get(page)
    assert chrome.find_element("id", "count").text == "2 of 3 rated"
    chrome.find_element("id", "save").click()
    saved = tmp_path / "saved" / "equivalence.csv"
    for _ in range(100):
        if saved.is_file():
            break
        time.sleep(0.1)
    told = import_ratings(review, [saved])[0]
    assert (told.new, told.skipped, told.raters) == (2, 1, ("ann",))
    assert [(one.item, one.value) for one in read_ratings(review)] == [
        ("equivalence-001", "minor"),
        ("equivalence-002", "equivalent"),
    ]
    assert read_ratings(review)[0].comment == 'a "quoted", word\nand a line'
