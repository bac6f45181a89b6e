"""How much of what is normal is told."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from perimetry.editing.references.accounting.facts import facts_of
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.headings import is_advice
from perimetry.editing.references.rules.outcome import Declined, Draw, Rewritten
from perimetry.editing.references.rules.spoken import is_none
from perimetry.editing.references.sentences import bare

__all__ = ["exhaustive", "minimal"]

_NORMAL = re.compile(
    r"\b(?:no|without|normal|normally|unremarkable|clear|intact|midline|negative|within normal limits|free of"
    r"|(?:well|fully|normally)[- ](?:aerated|expanded|inflated|ventilated|aligned)|preserved|maintained"
    r"|(?:good|adequate|satisfactory|full|excellent) (?:[a-z]+ (?:of )?){0,2}(?:inspiration|effort|expansion|aeration"
    r"|inflation|alignment))\b"
)
_DENYING = re.compile(r"\b(?:no|without|negative|free of)\b")
# About how the images were made, and not about what they show.
_ABOUT = re.compile(
    r"\b(?:inspirat\w+|rotat\w+|position\w*|techni\w+|exposure|penetrat\w+|upright|supine|images?|views?|films?|exam\w*"
    r"|projections?|radiographs?|quality|comparison|study)\b"
)
# How the images were made is no finding: a report of "2 images" where all else is normal is a normal report.
_TECHNICAL = re.compile(
    r"^(?:the )?(?:\d+|two|three|single|one|pa|ap|frontal|portable)\b[a-z ,]*\b(?:images?|views?|radiographs?)\b"
    r"[a-z ,]*\.?$",
    re.IGNORECASE,
)
_AS_BEFORE = frozenset(
    {"stable", "unchanged", "interval", "prior", "previous", "since", "change", "changed", "overall"}
    | {"have", "has", "been", "remain", "remains"}
)
_FINDING = re.compile(
    r"effusion|opacit|nodul|mass|consolid|infiltrat|pneumo|edema|fracture|fluid|adenopath|markings|process|disease"
    r"|\bair\b|abnormal|collection|widen|lytic|destruct"
)
_KEPT_FIRST = re.compile(
    r"\b(?:lungs?|consolidations?|airspace|infiltrates?|pleural|effusions?|pneumothora\w+|heart|cardi\w+)\b"
)

# What is denied behind a finding is a normal statement of its own: "hyperexpanded lungs without consolidation".
_TAIL = re.compile(
    r",?\s+(?:(?:and|but)\s+)?(?:without|with no)\s+(?:evidence of\s+|signs? of\s+)?(?P<items>[a-z ,/-]+?)\s*\.?$",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"\b(?:without|with no)\b")
_ITEMS = re.compile(r",\s*(?:(?:or|and|nor)\s+)?|\s+(?:or|and|nor)\s+", re.IGNORECASE)
# Whether doubt goes on to what is denied is not plain.
_DOUBTED = re.compile(
    r"\b(?:may|might|could|suggest\w*|consistent|compatible|likely|possibl\w+|probabl\w+|question\w*|concern\w*|or)\b",
    re.IGNORECASE,
)
# No sentence ends so, nor is it a finding of which nothing is left but a well filled lung or bones in line.
_UNFINISHED = re.compile(
    r"\b(?:is|are|was|were|be|been|with|or|and|but|appears?|remains?|seen|of|in|at)$|\b(?:aerated|inflated|expanded|aligned|alignment)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(r"impression|conclusions?|opinion|summary", re.IGNORECASE)


def minimal(report: ReportText, _draw: Draw) -> Rewritten:
    """Only what is not normal; where all is normal, the statements on lungs, pleura and heart.

    The impression stays: it is the radiologist's own short form.

    Examples
    --------
    >>> minimal(ReportText("The trachea is midline. Left nodule. No effusion."), lambda _, n: 0).findings
    'Left nodule.'
    """
    layout = Layout.of(report.findings)
    if not layout.statements:
        return Declined("infeasible", "it has no findings section")
    cuts = {place: cut for place, each in enumerate(layout.statements) if (cut := _untailed(each.body))}
    layout = layout.changed({place: [cut] for place, cut in cuts.items()})
    said = layout.said
    groups = layout.groups
    titles = layout.titles
    normal = [not each or _is_normal(each) or is_none(title, each) for title, each in zip(titles, said, strict=True)]
    telling = [group for group in groups if not all(normal[place] for place in group)]
    concluding = [group for group in groups if _CONCLUDES.match(titles[group[0]])]
    if all(_names_nothing(said[group[0]]) for group in telling):
        telling = [group for group in groups if group in telling or _KEPT_FIRST.search(said[group[0]].lower())]
    kept = {place for group in (*telling, *concluding) for place in group}
    gone = [place for group in groups for place in group if place not in kept]
    advice = [place for place, each in enumerate(said) if is_advice(each)]
    if not telling or not (gone or cuts):
        return Declined("already_in_form", "no statement could go")
    return report.with_section("findings", layout.without(gone, advice).text)


def exhaustive(_report: ReportText, _draw: Draw) -> Rewritten:
    """Never possible by rules: what is not said to be normal is not known to be.

    Examples
    --------
    >>> exhaustive(ReportText("Left nodule."), lambda _, n: 0).status
    'infeasible'
    """
    return Declined("infeasible", "rules cannot tell more than the report tells")


def _untailed(body: str) -> str:
    """A finding without what is denied behind it; empty where nothing is, or where a finding is only described so."""
    found = _TAIL.search(body)
    if found is None:
        return ""
    kept = body[: found.start()]
    items = [item.lower() for item in _ITEMS.split(found.group("items"))]
    words = (word for item in items for word in re.findall(r"[a-z]+(?:-[a-z]+)?", item))
    own = all(_FINDING.search(item) for item in items) and all(word in _harmless() for word in words)
    if (
        not own
        or _NORMAL.search(kept.lower())
        or _DOUBTED.search(kept)
        or _UNFINISHED.search(kept)
        # "The lung fields without consolidation" names no finding.
        or all(word in _harmless() | _AS_BEFORE for word in re.findall(r"[a-z]+(?:-[a-z]+)?", kept.lower()))
    ):
        return ""
    return kept + body[len(body.rstrip(" .")) :]


def _names_nothing(sentence: str) -> bool:
    """Whether no finding is affirmed: something is normal or absent, or as it was, or it is about the images."""
    text = bare(sentence).lower()
    head = _DESCRIBED.split(text, maxsplit=1)[0].rstrip(" ,")
    if head and not _UNFINISHED.search(head):
        text = head  # "Fracture without displacement" is a fracture.
    if _NORMAL.search(text) or _TECHNICAL.match(text):
        return True
    words = re.findall(r"[a-z]+(?:-[a-z]+)?", text)
    if all(word in _harmless() | _AS_BEFORE for word in words) and not _FINDING.search(text):
        return True
    return _ABOUT.search(text) is not None and not any(
        fact.kind in ("finding", "device") and not fact.denied and not fact.benign for fact in facts_of(sentence)
    )


def _is_normal(sentence: str) -> bool:
    words = re.findall(r"[a-z]+(?:-[a-z]+)?", bare(sentence).lower())
    text = bare(sentence).lower()
    denial = _DENYING.search(text)
    before = re.split(r"[,;]", text[: denial.start()] if denial else text)
    return (
        bool(_NORMAL.search(text))
        # "A nodule is seen and no effusion" says that something is there.
        and all(_NORMAL.search(clause) for clause in before if _FINDING.search(clause))
        and not re.search(r"\d|upper limits?|borderline", text)
        and all(word in _harmless() for word in words)
    )


@cache
def _harmless() -> frozenset[str]:
    """Words that a normal statement may hold. One that is not among them makes a statement stay: it is not known."""
    text = (files("perimetry.editing.references.rules") / "normal_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
