"""The page in a real browser, opened from the disk."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not installed (apt: chromium-driver)"
)

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
)  # fmt: skip


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


def wait(condition: Callable[[], Any], what: str) -> Any:
    """Poll until the condition gives something."""
    for _ in range(300):
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError(f"the page never showed {what}")


def visit(chrome: Any, report: Path, width: int = 1280, scheme: str = "light") -> None:
    chrome.get_log("browser")
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    chrome.get((report / "index.html").as_uri())
    wait(lambda: script(chrome, "return document.documentElement.dataset.charts === 'drawn'"), "its charts")
    wait(lambda: chrome.find_elements("css selector", ".case"), "its cases")


def script(chrome: Any, text: str, *arguments: Any) -> Any:
    return chrome.execute_script(text, *arguments)


def texts(chrome: Any, selector: str) -> list[str]:
    return [element.text for element in chrome.find_elements("css selector", selector)]


@pytest.fixture(scope="module")
def opened(chrome: Any, hostile_site: Path) -> Any:
    visit(chrome, hostile_site)
    return chrome


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (400, "light"), (400, "dark"), (1280, "light")])
def test_draws_without_an_error_and_fits_its_width(chrome: Any, hostile_site: Path, width: int, scheme: str) -> None:
    visit(chrome, hostile_site, width, scheme)
    assert chrome.get_log("browser") == []
    inner, outer = script(chrome, "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]")
    assert inner <= outer
    drawn = script(
        chrome, "return [...document.querySelectorAll('.live')].map(b => !b.hidden && !!b.querySelector('svg path'))"
    )
    assert drawn == [True] * 4
    assert script(chrome, "return [...document.querySelectorAll('.still')].every(i => i.naturalWidth > 100)")
    body = script(chrome, "return getComputedStyle(document.body).backgroundColor")
    assert body == ("rgb(14, 17, 20)" if scheme == "dark" else "rgb(245, 246, 248)")
    ink = script(chrome, "return document.querySelector('.live .role-axis-label text').getAttribute('fill')")
    assert ink in (("#a9b2bd", "#eef1f5") if scheme == "dark" else ("#5a636e", "#1b1f24"))


def test_asks_for_nothing_outside_its_folder(chrome: Any, hostile_site: Path) -> None:
    chrome.get_log("performance")
    visit(chrome, hostile_site)
    urls = set()
    for entry in chrome.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent" and message["params"]["documentURL"].startswith("file:"):
            urls.add(message["params"]["request"]["url"])
    root = hostile_site.as_uri() + "/"
    assert {url.removeprefix(root) for url in urls} >= {"index.html", "assets/vega.js", "assets/cases-000.js"}
    assert [url for url in urls if not url.startswith(root)] == []


def test_policy_stops_what_slips_through(chrome: Any, hostile_site: Path) -> None:
    """Even if a text became markup, the page's policy would not run it and would not let it call out."""
    visit(chrome, hostile_site)
    script(
        chrome,
        """
        const box = document.createElement('div');
        box.innerHTML = '<img src="data:image/png;base64,AA" onerror="window.hacked = 1">'
            + '<a id="bad" onclick="window.hacked = 1">x</a>';
        document.body.append(box);
        const tag = document.createElement('script'); tag.textContent = 'window.hacked = 1'; document.body.append(tag);
        document.getElementById('bad').click();
    """,
    )
    time.sleep(0.3)
    assert script(chrome, "return window.hacked === undefined")
    fetched = chrome.execute_async_script(
        "const done = arguments[0]; fetch('assets/cases.js').then(() => done('yes'), () => done('no'))"
    )
    assert fetched == "no"


def test_hostile_answer_is_shown_as_text(opened: Any, hostile: str, hostile_site: Path) -> None:
    visit(opened, hostile_site)
    first = opened.find_element("css selector", ".case")
    assert script(opened, "return arguments[0].querySelector('.question').textContent", first) == f"question {hostile}"
    assert script(opened, "return arguments[0].querySelector('.given').textContent", first) == f"answer {hostile}"
    assert script(opened, "return arguments[0].querySelector('.key').textContent", first) == f"keygold {hostile}"
    script(opened, "arguments[0].querySelector('.reply').click()", first)
    shown = script(opened, "return arguments[0].querySelector('.output pre').textContent", first)
    assert shown == f"{hostile} text"
    assert script(opened, "return document.querySelectorAll('#browser script, #browser [onerror]').length") == 0
    assert script(opened, "return [window.hacked, document.querySelectorAll('.no-image').length]") == [None, 1]


def test_filters_and_pages(opened: Any, hostile_site: Path) -> None:
    visit(opened, hostile_site)

    def shown() -> str:
        return str(opened.find_element("css selector", ".pager [role=status]").text)

    def choose(name: str, label: str) -> None:
        script(
            opened,
            """
            const list = document.querySelector(`.filters [name=${arguments[0]}]`);
            const options = [...list.options];
            const start = o => o.text.startsWith(arguments[1]);
            list.value = (options.find(o => o.text === arguments[1]) || options.find(start)).value;
            list.dispatchEvent(new Event('change'));
        """,
            name,
            label,
        )

    assert shown() == "24 cases · page 1/5"
    script(opened, "[...document.querySelectorAll('.pager button')].at(-1).click()")
    wait(lambda: shown() == "24 cases · page 2/5", "page 2")
    assert texts(opened, ".case-id")[0] == "case-004"
    choose("dataset", "vqa_rad_b")
    wait(lambda: shown().startswith("12 cases · page 1/3"), "one data set")
    choose("flag", "right only")
    wait(lambda: shown().startswith("4 cases"), "flagged cases")
    choose("model", "reader:sees")
    # Flags of the other model do not count once a model is chosen: cases 0, 6, 12, 18 belong to the first one.
    wait(lambda: shown().startswith("0 cases"), "no case")
    choose("dataset", "vqa_rad")
    wait(lambda: shown().startswith("4 cases"), "flags of that model")
    assert set(texts(opened, ".matrix th.model")) == {"reader:sees"}
    for name in ("dataset", "flag", "model"):
        choose(name, "a")
    box = opened.find_element("css selector", ".filters [name=text]")
    box.send_keys("NUMBER 17")
    wait(lambda: shown().startswith("1 case "), "the case that was searched")
    assert texts(opened, ".case-id") == ["case-017"]
    assert (
        script(opened, "return [...document.querySelectorAll('.case img')].map(i => i.alt)[0]")
        == "real, image 1 of case case-017"
    )


def test_long_output_opens(opened: Any, hostile_site: Path) -> None:
    visit(opened, hostile_site)
    second = opened.find_elements("css selector", ".case")[1]
    script(opened, "arguments[0].querySelector('.reply').click()", second)
    length = "return arguments[0].querySelector('.output pre').textContent.length"
    assert script(opened, length, second) == 601  # 600 characters and an ellipsis
    button = second.find_element("css selector", ".output .quiet")
    assert button.text == "show all (1,457 characters)"
    script(opened, "arguments[0].click()", button)
    assert script(opened, length, second) == 1457
    script(opened, "arguments[0].querySelector('.reply').click()", second)
    assert script(opened, "return arguments[0].querySelector('.output')", second) is None


def test_tables_sort_by_number_with_missing_cells_last(opened: Any, hostile_site: Path) -> None:
    visit(opened, hostile_site)
    column = "return [...document.querySelectorAll('#table-a-table tbody tr')].map(r => r.cells[3].dataset.sort)"
    press = "document.querySelectorAll('#table-a-table th button')[3].click()"
    script(opened, press)
    assert script(opened, column) == ["-0.2", "0.05", "0.3", ""]
    script(opened, press)
    assert script(opened, column) == ["0.3", "0.05", "-0.2", ""]
    heads = script(
        opened, "return [...document.querySelectorAll('#table-a-table th')].map(h => h.getAttribute('aria-sort'))"
    )
    assert heads == [None, None, None, "descending"]


def test_legend_dims_the_others(opened: Any, hostile_site: Path) -> None:
    from selenium.webdriver import ActionChains

    visit(opened, hostile_site)
    dim = """return [...document.querySelectorAll('[data-chart=accuracy-by-condition] .mark-rule.role-mark line')]
        .filter(line => Number(line.getAttribute('opacity') ?? 1) < 0.5).length"""
    assert script(opened, dim) == 0
    labels = opened.find_elements("css selector", "[data-chart=accuracy-by-condition] .role-legend-label text")
    label = next(label for label in labels if label.text == "shuffle")
    script(opened, "arguments[0].scrollIntoView({block: 'center'})", label)
    ActionChains(opened).move_to_element(label).click().perform()
    wait(lambda: script(opened, dim) > 0, "dimmed marks")


def test_print_shows_the_saved_pictures(opened: Any, hostile_site: Path) -> None:
    visit(opened, hostile_site, scheme="dark")
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    state = script(
        opened,
        """
        const see = s => [...document.querySelectorAll(s)].map(e => getComputedStyle(e).display);
        return [see('.still'), see('.live'), see('.filters'), getComputedStyle(document.body).color];
    """,
    )
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert state == [["block"] * 4, ["none"] * 4, ["none"], "rgb(0, 0, 0)"]


def test_verdicts_of_eight_models_need_no_scrolling(chrome: Any, tmp_path: Path) -> None:
    from perimetry.reports import Browser, BrowserCase, Figure, Site, Verdict, build_site

    name = "hf:an-organisation-with-a-long-name/another-medical-vision-language-model-34b-instruct-{}"
    sentence = (
        "Shuffling the pixels costs 12.3 points of accuracy [8.1, 16.4], and changes 9.9 points [6.0, 13.1] more "
        "answers than asking again does."
    )
    verdicts = tuple(
        Verdict(name.format(i), "does not use the image", sentence, "bad", Figure("vrs", 0.1, 0.05, 0.15))
        for i in range(8)
    )
    index = build_site(tmp_path, Site("Title", "Subtitle", verdicts, browser=Browser((BrowserCase("1", "d"),))))
    size = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    chrome.get(index.as_uri())
    assert script(chrome, "return document.querySelector('.verdicts').getBoundingClientRect().bottom") <= 800
    labels = texts(chrome, ".verdict .model")
    assert len(set(labels)) == 8


def test_tooltip_shows_a_hostile_name_as_text(opened: Any, hostile_site: Path, hostile: str) -> None:
    from selenium.webdriver import ActionChains

    visit(opened, hostile_site)
    mark = opened.find_elements("css selector", "[data-chart=metrics] .mark-symbol.role-mark path")[0]
    script(opened, "arguments[0].scrollIntoView({block: 'center'})", mark)
    ActionChains(opened).move_to_element(mark).perform()
    tip = """const t = document.getElementById("vg-tooltip-element");
        return t && t.classList.contains("visible") && t.textContent"""
    text = wait(lambda: script(opened, tip), "the tooltip")
    assert f"model {hostile}"[:40] in text and "script" not in script(
        opened, "return [...document.querySelectorAll('#vg-tooltip-element *')].map(e => e.localName)"
    )
