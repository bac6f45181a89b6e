"""The dictionary of cues: complete, resolvable, and the same as in the documentation."""

from pathlib import Path

from perimetry.screening.appendix import APPENDIX_F, checklist, cue_table
from perimetry.screening.registry import chosen_screens, screens

REPOSITORY = Path(__file__).resolve().parents[2]


def test_every_cue_has_somebody_who_looks_for_it():
    assert [cue.name for cue in APPENDIX_F if not cue.means] == []


def test_as_many_cues_as_the_paper_has():
    sections = {
        section: sum(cue.section == section for cue in APPENDIX_F)
        for section in dict.fromkeys(c.section for c in APPENDIX_F)
    }
    assert sections == {
        "F.1 A": 5,
        "F.1 B": 11,
        "F.1 C": 10,
        "F.1 D": 14,
        "F.2 A": 7,
        "F.2 B": 6,
        "F.2 C": 6,
        "F.2 D": 8,
        "F.2 E": 8,
    }


def test_the_cues_have_the_names_of_the_paper(shared_data):
    paper = (shared_data.parent / "papers" / "medqa-mm.txt").read_text("utf-8")
    appendix = paper[paper.index("F.1 Option-Form and Stem-Side Cues") : paper.index("F.3 Evidence Tiers")]
    entries = [line.split(". ", 1)[0] for line in appendix.splitlines() if "Audit/mitigation:" in line]
    assert [cue.name for cue in APPENDIX_F] == entries


def test_names_of_text_screens_are_registered():
    named = {name for cue in APPENDIX_F for name in cue.names}
    assert named <= set(screens().names())


def test_every_text_screen_stands_in_the_dictionary():
    named = {name for cue in APPENDIX_F for name in cue.names}
    assert {screen.name for screen in chosen_screens()} <= named


def test_every_screen_of_pixels_stands_in_the_dictionary_and_every_one_named_there_is_registered():
    pixels = {name for name, screen in screens().items() if screen.layer == "image"}
    assert {name for cue in APPENDIX_F for name in cue.pixels} == pixels


def test_the_documentation_has_the_same_table():
    text = (REPOSITORY / "docs" / "cues.md").read_text("utf-8")
    assert "\n".join(cue_table()) in text


def test_the_checklist_asks_questions():
    assert len(checklist()) > 25
    assert all(question.endswith("?") for _, question in checklist())
