"""Texts side by side: marks cut a text where they begin and end, and no text becomes markup."""

from __future__ import annotations

import re

from perimetry.reports import Chip, Marked, Passage, PassageGroup, PassagesBlock, Section, Site, build_site
from perimetry.reports.passages import segments

TEXT = "small effusion, no edema"
MARKS = (Marked(6, 14, "Pleural Effusion"), Marked(16, 24, "Edema", "negative"))


def test_pieces_join_to_the_text_whatever_the_marks():
    marks = [Marked(a, b, f"{a}-{b}", "uncertain") for a in range(-2, 26, 3) for b in range(a - 1, 28, 5)]
    assert "".join(piece.text for piece in segments(TEXT, marks)) == TEXT
    assert [(piece.text, piece.kind) for piece in segments(TEXT, MARKS)] == [
        ("small ", ""),
        ("effusion", "positive"),
        (", ", ""),
        ("no edema", "negative"),
    ]


def test_where_marks_overlap_all_are_named_and_positive_is_shown():
    pieces = list(segments("abcdef", [Marked(0, 4, "A", "negative"), Marked(2, 6, "B")]))
    assert [(piece.text, piece.label, piece.kind) for piece in pieces] == [
        ("ab", "A (negative)", "negative"),
        ("cd", "A (negative), B", "positive"),
        ("ef", "B", "positive"),
    ]


def test_a_sign_stands_where_a_kind_ends():
    pieces = list(segments("abcdef", [Marked(0, 2, "A", "negative"), Marked(2, 4, "B", "negative")]))
    assert [(piece.text, piece.kind, piece.closes) for piece in pieces] == [
        ("ab", "negative", False),
        ("cd", "negative", True),
        ("ef", "", True),
    ]


def test_an_empty_text_has_no_pieces():
    assert list(segments("", [Marked(0, 3, "A")])) == []


def test_hostile_texts_stay_texts(tmp_path):
    evil = "<script>alert(1)</script><mark>"
    passage = Passage(evil, evil, (Marked(0, 8, evil),), (Chip(evil, tone="lost"),), ((evil, evil),))
    group = PassageGroup(evil, evil, (passage, Passage("none", None), Passage("blank", " \n")))
    site = Site(evil, sections=(Section("Reports", blocks=(PassagesBlock((group,), evil, evil),)),), asked=False)
    page = build_site(tmp_path, site).read_text(encoding="utf-8")
    assert "alert(1)" in page
    assert not re.search(r"<script>alert|<mark>", page)
    assert "(no report)" in page
    assert "(empty)" in page
    assert 'id="failures"' not in page


def test_only_the_first_groups_are_open(tmp_path):
    groups = tuple(PassageGroup(str(n), "", (Passage("ours", "clear"),)) for n in range(4))
    page = build_site(tmp_path, Site("t", sections=(Section("s", blocks=(PassagesBlock(groups, "c", opened=1),)),)))
    assert page.read_text(encoding="utf-8").count("<details open>") == 1
