"""The written site: files, structure, and hostile text everywhere."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from perimetry.cases.errors import UsageError
from perimetry.reports import Browser, BrowserAnswer, BrowserCase, Column, Section, Site, TableBlock, build_site


class Page(HTMLParser):
    """Every element with its attributes, and every text, as a browser's parser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.open: list[str] = [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.texts.append((self.open[-1], data))

    def handle_comment(self, data):
        self.comments.append(data)


@pytest.fixture(scope="module")
def page(hostile_site: Path) -> Page:
    return Page((hostile_site / "index.html").read_text(encoding="utf-8"))


def script_value(path: Path) -> Any:
    """The JSON value that a script file assigns or passes on."""
    text = path.read_text(encoding="utf-8")
    start = re.search(r"[={(,](?=[{\[])", text)
    assert start is not None
    return json.loads(text[start.end() :].rstrip(";\n)"))


def test_no_text_becomes_an_element(page: Page) -> None:
    assert all(str(attributes.get("src")).startswith("assets/") for tag, attributes in page.elements if tag == "script")
    assert {attributes["src"] for tag, attributes in page.elements if tag == "img"} == {
        "charts/accuracy-by-condition.svg", "charts/metrics.svg", "charts/blank-drop.svg", "charts/comparison.svg",
    }  # fmt: skip
    handlers = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert handlers == [] and page.comments == []
    assert not [text for tag, text in page.texts if tag == "script" and text.strip()]


@pytest.mark.parametrize(
    "tag", ["title", "h1", "h2", "h3", "p", "td", "button", "figcaption", "code", "dt", "li", "a", "span"]
)
def test_hostile_text_is_shown_whole(page: Page, hostile: str, tag: str) -> None:
    assert any(hostile in text for where, text in page.texts if where == tag), f"no <{tag}> shows the text"


def test_hostile_text_in_attributes_is_whole(page: Page, hostile: str) -> None:
    for attribute, tag in (
        ("title", "th"),
        ("title", "span"),
        ("alt", "img"),
        ("aria-label", "svg"),
        ("data-sort", "td"),
    ):
        wanted = hostile.lower() if attribute == "data-sort" else hostile
        assert any(wanted in (found.get(attribute) or "") for name, found in page.elements if name == tag), attribute


def test_scripts_hold_no_markup_and_lose_no_text(hostile_site: Path, hostile: str) -> None:
    for name in ("charts.js", "cases.js", "cases-000.js"):
        text = (hostile_site / "assets" / name).read_text(encoding="utf-8")
        assert "<" not in text and "\u2028" not in text, name
    case = script_value(hostile_site / "assets" / "cases-000.js")[0]
    assert case["q"] == f"question {hostile}" and case["g"] == f"gold {hostile}" and case["id"] == f"id {hostile}"
    assert case["o"][0] == [f"A {hostile}", f"option {hostile}"]
    assert case["a"][0]["t"] == f"{hostile} text" and case["a"][0]["u"] == f"rule {hostile}"
    names = script_value(hostile_site / "assets" / "cases.js")
    assert names["flags"][0] == f"flag {hostile}" and names["conditions"][0] == f"condition {hostile}"


def test_svg_files_hold_no_foreign_element(hostile_site: Path) -> None:
    from xml.etree import ElementTree

    for path in sorted((hostile_site / "charts").glob("*.svg")):
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
        assert "script" not in tags and "img" not in tags and "image" not in tags


def test_policy_forbids_network_and_inline_code(page: Page) -> None:
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = {rule.split()[0]: rule.split()[1:] for rule in str(policy).split(";")}
    assert rules["default-src"] == ["'none'"] and rules["connect-src"] == ["'none'"]
    nonces = {a["nonce"] for tag, a in page.elements if tag == "script"}
    assert rules["script-src"] == [f"'nonce-{nonces.pop()}'"] and not nonces
    links = [a[key] for _, a in page.elements for key in ("href", "src") if key in a]
    assert links and not [link for link in links if re.match(r"[a-z]+:|//", link or "")]


def test_every_link_leads_to_a_file(page: Page, hostile_site: Path) -> None:
    ids = {a["id"] for _, a in page.elements if "id" in a}
    for _, attributes in page.elements:
        for key in ("href", "src"):
            link = attributes.get(key)
            if link is None:
                continue
            assert link[1:] in ids if link.startswith("#") else (hostile_site / link).is_file(), link


def test_pictures_have_alt_text_and_heads_a_scope(page: Page) -> None:
    assert all(len(a.get("alt") or "") > 40 for tag, a in page.elements if tag == "img")
    assert all(a.get("scope") in ("col", "row") for tag, a in page.elements if tag == "th")
    assert ("html", {"lang": "en"}) in page.elements


def test_missing_and_resolved_cells(hostile_site: Path) -> None:
    html = (hostile_site / "index.html").read_text(encoding="utf-8")
    found = re.search(r'id="table-a-table".*?</table>', html, re.S)
    assert found is not None
    table = found.group()
    cells = [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", table, re.S)]
    assert [cells[3], cells[7], cells[11]] == ["+5.0 [+1.0, +9.0]◆ resolved", "−20.0 [−50.0, +10.0]", "–"]
    assert cells[9] == "–"


def test_csv_holds_raw_values(hostile_site: Path, hostile: str) -> None:
    with (hostile_site / "tables" / "a-table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"m": hostile, "t": hostile, "c": hostile, "v": "0.05", "lo": "0.01", "hi": "0.09"}
    assert rows[2] == {"m": "c", "t": "", "c": "", "v": "", "lo": "", "hi": ""}


def test_same_input_gives_the_same_files(tmp_path: Path, synthetic) -> None:
    def digests(folder: Path) -> dict[str, str]:
        cases = Browser(synthetic.browser_cases(["m"], 3))
        table = TableBlock((Column("a"),), ({"a": "x"},), "", "t")
        root = build_site(folder, Site("T", sections=(Section("S", blocks=(table,)),), browser=cases)).parent
        files = sorted(path for path in root.rglob("*") if path.is_file())
        return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    first = digests(tmp_path / "a")
    assert digests(tmp_path / "b") == first and len(first) > 6


def test_rebuilding_replaces_the_earlier_report(tmp_path: Path) -> None:
    table = TableBlock((Column("a"),), (), "", "t")
    build_site(tmp_path, Site("One", sections=(Section("S", blocks=(table,)),)))
    (tmp_path / ".report-new").mkdir()  # left behind by a run that was killed
    build_site(tmp_path, Site("Two"))
    assert not (tmp_path / "report" / "tables").exists()
    assert "<h1>Two</h1>" in (tmp_path / "report" / "index.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report"]


def test_failed_build_keeps_the_earlier_report(tmp_path: Path) -> None:
    build_site(tmp_path, Site("One"))

    def broken():
        yield BrowserCase("1", "d")
        raise RuntimeError("the store went away")

    with pytest.raises(RuntimeError, match="went away"):
        build_site(tmp_path, Site("Two", browser=Browser(broken())))
    assert "<h1>One</h1>" in (tmp_path / "report" / "index.html").read_text()


@pytest.mark.parametrize("name", ["../up", "Upper", "", "a b", "x" * 81])
def test_name_that_is_no_file_name(tmp_path: Path, name: str) -> None:
    site = Site("T", sections=(Section("S", blocks=(TableBlock((Column("a"),), (), "", name),)),))
    with pytest.raises(UsageError, match="cannot be a file name"):
        build_site(tmp_path, site)
    assert not list(tmp_path.iterdir())


def test_shared_name_is_refused(tmp_path: Path) -> None:
    table = TableBlock((Column("a"),), (), "", "t")
    with pytest.raises(UsageError, match=r"Two tables are called 't'.*section 'B'"):
        build_site(tmp_path, Site("T", sections=(Section("A", blocks=(table,)), Section("B", blocks=(table,)))))


def test_half_characters_can_be_written(tmp_path: Path) -> None:
    case = BrowserCase("1", "d", "cut \ud83d", answers=(BrowserAnswer("m", "real", "cut \ud83d"),))
    index = build_site(tmp_path, Site("T \ud83d", browser=Browser((case,))))
    assert "cut ?" in (index.parent / "assets" / "cases-000.js").read_text(encoding="utf-8")


def test_a_long_table_scrolls_in_its_own_box_and_long_spellings_may_break(tmp_path):
    from perimetry.reports.pages import TALL, pieces

    def made(count):
        rows = tuple({"name": "anatomical_granularity:low", "short": "rouge_l", "n": n} for n in range(count))
        columns = (Column("name", "Variation", "code"), Column("short", "Metric", "code"), Column("n", "N", "integer"))
        site = Site("T", "s", (), (Section("Part", "", (TableBlock(columns, rows, "c", "t"),)),))
        return build_site(tmp_path / str(count), site).read_text(encoding="utf-8")

    short, long = made(TALL), made(TALL + 1)
    assert 'class="scroll tall"' not in short
    assert 'class="scroll tall"' in long
    assert f"{TALL + 1} rows: scroll inside the table" in long
    assert "anatomical_<wbr>granularity:<wbr>low" in long
    assert ">rouge_l</code>" in long
    assert ("--corrupted", True) in list(pieces("errors (--corrupted FILE)"))
