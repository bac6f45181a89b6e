"""A heading and what stands under it, said in a sentence."""

from __future__ import annotations

import re

from perimetry.editing.references.layout import Statement
from perimetry.editing.references.rules.headings import DEVICES, OTHER, is_technical, region, region_of
from perimetry.editing.references.sentences import stopped

__all__ = ["is_none", "needs_heading", "spoken"]

# Say nothing of what follows them.
_EMPTY = re.compile(
    r"(?:(?:other|additional|further|misc\w*|findings?|impression|conclusions?|opinion|summary|comments?|report|results?"
    r"|and|the|of)\b[ /&-]*)+$",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[a-z]{4,}")
# What is found nowhere else, so that it need not be said where: findings, by a word of the heading.
_AT_HOME = {
    "lung": r"lungs?|pulmonary|nodul|opacit|consolidation|airspace|air space|infiltrat|atelecta|pneumonia|emphysem"
    r"|lobes?|interstitial",
    "pleura": r"pleura|effusion|pneumothora|costophrenic",
    "heart": r"heart|cardiac|cardiomegaly|cardiomedia|pericardi",
    "cardi": r"heart|cardiac|cardiomegaly|cardiomedia|pericardi",
    "mediast": r"mediastin|hilar|hil(?:a|um)\b|aort|trachea",
    "bon": r"bon[ey]|osseous|fracture|ribs?\b|spin|vertebra|scolio|osteo|clavic|skelet|degenerative",
    "osseous": r"bon[ey]|osseous|fracture|ribs?\b|spin|vertebra|scolio|osteo|clavic|skelet|degenerative",
    "skelet": r"bon[ey]|osseous|fracture|ribs?\b|spin|vertebra|scolio|osteo|clavic|skelet|degenerative",
    "soft": r"soft tissue|subcutaneous|breast|axilla",
    "abdom": r"abdom|bowel|diaphragm|free air|stomach|liver|splen|cholecyst|pneumoperitoneum",
    "device": r"tubes?\b|catheter|picc|pacemaker|leads?\b|port\b|lines?\b|clips?\b|wires?\b|stents?\b|valves?\b|drain",
    "tube": r"tubes?\b|catheter|picc|pacemaker|leads?\b|port\b|lines?\b|drain",
    "line": r"tubes?\b|catheter|picc|pacemaker|leads?\b|port\b|lines?\b|drain",
    "support": r"tubes?\b|catheter|picc|pacemaker|leads?\b|port\b|lines?\b|drain",
    "chest": r"lungs?|heart",
    "hardware": r"tubes?\b|catheter|picc|pacemaker|leads?\b|port\b|screws?\b|plates?\b|wires?\b|clips?\b",
}
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shows?|demonstrates?|appears?|remains?|projects?|ends?|terminates?|measures?"
    r"|overl(?:y|ies)|lies?|may|might|could|can|should|represents?|suggests?|reflects?|cannot|does|do)\b",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:(?:mildly|moderately|severely|markedly|slightly|borderline|well|fully|otherwise|again|grossly|not|now|minimally"
    r"|somewhat|symmetrically|diffusely|both|all|stably|top)[ -])*"
    r"(?:within normal limits|at the upper|in (?:place|position|satisfactory)|free of|of normal|at midline"
    r"|(?:clear|normal|unremarkable|intact|enlarged|midline|stable|unchanged|negative|hyper\w+ed|hypo\w+ed|expanded|aerated"
    r"|inflated|tortuous|elevated|flattened|prominent|osteopenic|blunted|sharp|patent|calcified|ectatic|degenerative|large"
    r"|small|low|widened|shifted|limits of normal)"
    r"(?=\s*[.,;]|$|\s+(?:and|or|but|in|on|with|without|of|from|since|bilaterally|at|by|to|for|as|limits)\b))",
    re.IGNORECASE,
)
_NORMAL = re.compile(
    r"(?:normal|stable|unchanged) (?:(?:in )?[a-z]+ (?:and )?)?(?:size|contours?|shape|position|caliber)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"(?:upper|lower) limits? of normal\b", re.IGNORECASE)
_NONE = re.compile(
    r"(?:none|nil|no|n/a|not present|absent)(?: (?:seen|present|identified|visible))?\s*\.?$", re.IGNORECASE
)
_ONE = re.compile(
    r"(?!(?:no|not|a|an|the|one|some|any|multiple|several|two|three|both|bilateral|scattered|status|there)\b)"
    r"(?:[a-z-]+ ){0,4}"
    r"(?:nodule|scar|mass|granuloma|opacity|fracture|effusion|pneumothorax|lesion|density|hernia|deformity|stent|catheter"
    r"|tube|pacemaker|port|line|cyst|cavity|bulla|clip|screw|wire|lead|drain|device|shift|curvature)"
    r"(?=\s*[.,;]|$| (?:in|of|at|with|and|or|on|near|along|adjacent|measuring|which|to)\b)",
    re.IGNORECASE,
)
_AROUND = re.compile(r"(?:clinical )?(?:comparison|technique|indication|history|exam\w*|procedure|reason\b.*)$")
_PLACED = re.compile(
    r"\b(?:lungs?|lobes?|pleural?|costophrenic|trachea|aorta|mediastin\w+|heart|hil(?:ar|um|a)|ribs?|spine|vertebra\w*"
    r"|humer\w+|clavicles?|\w*diaphragms?|soft tissues|bony|osseous|(?:venous|subclavian|jugular) [a-z]+)\b"
)
_PLURAL = re.compile(r"(?:[a-z]*[^su]s|hila|vertebrae)$")


def spoken(heading: str, body: str) -> str:
    """A statement without its heading, which becomes part of it where the statement needs it.

    Parameters
    ----------
    heading : str
        Without its colon; may be empty.
    body : str

    Returns
    -------
    str
        Begins with a capital and ends with a full stop.

    Examples
    --------
    >>> spoken("LUNGS AND PLEURA", "Clear."), spoken("Bones", "no fracture")
    ('The lungs and pleura are clear.', 'No fracture.')
    >>> spoken("SOFT TISSUES", "No calcification."), spoken("HEART", "The heart is large.")
    ('The soft tissues show no calcification.', 'The heart is large.')
    """
    words = heading.lower()
    if not body or not heading or _EMPTY.match(words) or _says_where(words, body) or is_technical(body):
        return _sentence(body)
    name = re.sub(r"\s*[/&]\s*", " and ", words).removeprefix("the ").strip()
    several = _PLURAL.search(name) is not None or " and " in name
    if words == "comparison" and not _NONE.match(body):
        return _sentence(f"For comparison, {_lowered(body)}")
    if not _at_home(words) and region_of(words) in (OTHER, DEVICES):
        if _AROUND.match(words) and not _FINITE.search(body):
            return _sentence(f"The {name} is {_lowered(body)}")
        return _sentence(f"{heading}, {_lowered(body)}")
    if _NONE.match(body):
        return _sentence(f"No {name.replace(' and ', ' or ')}")
    if _STATE.match(body):
        return _sentence(f"The {name} {'are' if several else 'is'} {_lowered(body)}")
    if _LIMITS.match(body):
        return _sentence(f"The {name} {'are' if several else 'is'} at the {_lowered(body)}")
    if _NORMAL.match(body):
        return _sentence(f"The {name} {'are' if several else 'is'} of {_lowered(body)}")
    if _FINITE.search(body):
        return _sentence(f"In the {name}, {_lowered(body)}")
    return _sentence(f"The {name} {'show' if several else 'shows'} {_lowered(_with_article(body))}")


def needs_heading(statement: Statement) -> bool:
    """Whether a sentence says more under its heading: its own, or an earlier one of which it is a state.

    Examples
    --------
    >>> from perimetry.editing.references.layout import Layout
    >>> [needs_heading(each) for each in Layout.of("LUNGS: No nodule. Clear. Large heart.").statements]
    [True, True, False]
    """
    said = statement.said
    return bool(statement.heading or _STATE.match(said) or _NORMAL.match(said) or _LIMITS.match(said))


def is_none(heading: str, body: str) -> bool:
    """Whether nothing of what the heading names is there: "DEVICES: None."."""
    return bool(_at_home(heading.lower())) and _NONE.match(body) is not None


def _at_home(heading: str) -> list[str]:
    return [words for part, words in _AT_HOME.items() if part in heading]


def _says_where(heading: str, body: str) -> bool:
    """Whether a statement names what its heading names, or what is found nowhere else."""
    lowered = body.lower()
    if any(word.rstrip("s") in lowered for word in _LETTERS.findall(heading) if word not in ("other", "findings")):
        return True
    there = region_of(heading)
    elsewhere = _PLACED.search(lowered)
    if elsewhere and there not in (OTHER, "BONES AND SOFT TISSUES") and region(elsewhere.group()) != there:
        # Under "HEART": "The trachea is midline" says where it is.
        return True
    if "chest" in heading:
        return region(body) != OTHER
    if re.search(r" and |[/&]|devices?|support|hardware|abdomen", heading):
        # A heading of several parts only sorts what stands under it.
        return there != OTHER and region(body) == there
    return any(re.search(rf"\b(?:{words})", lowered) for words in _at_home(heading))


def _with_article(body: str) -> str:
    """A phrase that names one thing, with its article."""
    if not _ONE.match(body):
        return body
    return f"{'an' if body[0].lower() in 'aeiou' else 'a'} {_lowered(body)}"


def _lowered(body: str) -> str:
    """Begin with a small letter, but for what is no common word."""
    return body[:1].lower() + body[1:] if re.match(r"[A-Z][a-z]+\b|A\b", body) else body


def _sentence(body: str) -> str:
    return stopped(body[:1].upper() + body[1:])
