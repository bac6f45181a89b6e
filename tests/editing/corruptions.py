"""Clinical errors planted in alternative references, by code that shares no word list with what is to find them.

Every corruption is checked by the code that plants it: what it takes away stands nowhere else in the report, what it
adds was not there, and the changed word is one that says something.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

KINDS = (
    "dropped_finding",
    "new_finding",
    "flipped_side",
    "flipped_negation",
    "changed_number",
    "changed_certainty",
    "moved_device",
)

Text = tuple[str, str]

_NAMED = frozenset(
    {
        "adenopathy",
        "aorta",
        "atelectasis",
        "blunting",
        "bony",
        "calcified",
        "cardiomegaly",
        "catheter",
        "clips",
        "consolidation",
        "deformity",
        "degenerative",
        "ectatic",
        "edema",
        "effusion",
        "emphysema",
        "fracture",
        "free",
        "granuloma",
        "granulomas",
        "heart",
        "hemidiaphragm",
        "hernia",
        "hilar",
        "hyperexpanded",
        "hyperinflated",
        "infiltrate",
        "line",
        "malignancy",
        "mass",
        "mediastinal",
        "mediastinum",
        "nodule",
        "opacities",
        "opacity",
        "osseous",
        "osteophytes",
        "pacemaker",
        "pneumonia",
        "pneumothorax",
        "port",
        "prominence",
        "scarring",
        "scoliosis",
        "soft",
        "spondylosis",
        "sternotomy",
        "tortuous",
        "trachea",
        "tube",
        "vascularity",
        "vasculature",
        "wedge",
    }
)
_ADDED = (
    ("There is a hiatal hernia.", "hernia"),
    ("A cavitary lesion is noted in the left apex.", "cavit"),
    ("There is a rib fracture.", "fracture"),
    ("Small pericardial effusion.", "pericardial"),
    ("Pneumoperitoneum is present.", "pneumoperitoneum"),
    ("There is pulmonary edema.", "edema"),
    ("Bronchiectasis in the right lung.", "bronchiectasis"),
    ("A mass is seen in the mediastinum.", "mass"),
    ("There is subcutaneous emphysema.", "emphysema"),
    ("There is a pneumothorax.", "pneumothora"),
    ("Findings of sarcoidosis.", "sarcoid"),
    ("A lytic lesion is seen in the humerus.", "lytic"),
    ("There is a foreign body in the bronchus.", "foreign"),
    ("There is right upper lobe collapse.", "collapse"),
    ("The hila are enlarged.", "hila"),
)
_DENIED = (
    (r"(?m)(^|[.:] |\d\. )No (?:evidence of )?(?:focal )?(\w)", lambda found: f"{found[1]}There is {found[2]}"),
    (r"\b(There (?:is|are)) no\b", r"\1"),
    (r"\bwithout\b", "with"),
    (r"\b(is|are) (clear|normal|unremarkable|intact|midline)\b", r"\1 not \2"),
    (r"\bThere is an? (?=\w)", "There is no "),
    (r"\bNegative for\b", "Positive for"),
)
_DOUBTED = (
    (r"\b(may|could|might) (represent|reflect)\b", r"certainly \2s"),
    (r"\b(?:likely|probably) (represents?|reflects?)\b", r"definitely \1"),
    (r"\blikely\b", "unlikely"),
    (r"\bprobably\b", "perhaps"),
    (r", possibly\b", ", definitely"),
    (r"\b(?:Possible|possible|Questionable|questionable)\b", "definite"),
    (r"\b(?:concerning|worrisome|suspicious) for\b", "diagnostic of"),
    (r"\b(?:consistent|compatible) with\b", "possibly"),
    (r"\bin keeping with\b", "questionable"),
    (r"\b(?:may|could|might) be\b", "is"),
    (r"\bperhaps\b", "clearly"),
    (r"\bsuggest(?:ive of|ing)\b", "proving"),
    (r"\b(?:represents|reflects|representing) (?=\w)", "may represent "),
)
_MOVED = (
    (r"above the carina", ("below the carina", "at the carina", "in the right main bronchus")),
    (r"mid (?:superior vena cava|SVC)", ("right atrium", "azygos vein", "right ventricle")),
    (r"lower (?:superior vena cava|SVC)", ("right atrium", "axillary vein", "upper SVC")),
    (r"in the stomach", ("in the esophagus", "in the right lower lobe bronchus", "above the diaphragm")),
    (r"cavoatrial junction", ("right ventricle", "jugular vein", "hepatic vein")),
    (r"right atrium and right ventricle", ("right atrium and coronary sinus", "left ventricle")),
    (r"in the duodenum", ("in the stomach", "in the esophagus")),
    (r"below the diaphragm", ("above the diaphragm", "in the trachea")),
    (r"brachiocephalic vein", ("right atrium", "aorta")),
    (r"left (?:lung )?apex|over the left lung(?= apex|\b)", ("mediastinum", "liver")),
)


def corrupted(kind: str, text: Text, draw: random.Random, *, may_lose_normal: bool = False) -> Text | None:
    """A report with one planted error; None where there is no place for it.

    Parameters
    ----------
    kind : one of `KINDS`
    text : (findings, impression)
    draw : random.Random
    may_lose_normal : bool
        Whether the alternative may leave normal statements out: then only what is not normal is dropped.
    """
    made = _PLANTERS[kind](text, draw, may_lose_normal)
    return made if made is not None and made != text else None


def _sentences(text: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.])\s+", text) if re.search("[a-z]{3}", each, re.IGNORECASE)]


def _dropped(text: Text, draw: random.Random, may_lose_normal: bool) -> Text | None:
    findings = text[0]
    every = _sentences(findings)
    options = []
    for each in every:
        rest = (findings.replace(each, " ", 1) + " " + text[1]).lower()
        words = [word for word in re.findall(r"[a-z]+", each.lower()) if word in _NAMED]
        normal = re.search(
            r"\b(?:no|not|without|normal|clear|unremarkable|intact|midline|limits|negative)\b", each.lower()
        )
        if words and all(word.rstrip("s") not in rest for word in words) and not (may_lose_normal and normal):
            options.append(each)
    if not options or len(every) < 2:
        return None
    return findings.replace(draw.choice(options), "", 1).strip(), text[1]


def _new(text: Text, draw: random.Random, _may: bool) -> Text | None:
    whole = " ".join(text).lower()
    options = [sentence for sentence, word in _ADDED if word not in whole]
    if not options:
        return None
    place = draw.randrange(2) if text[1] else 0
    return _put(text, place, f"{text[place]} {draw.choice(options)}".strip())


def _sided(text: Text, draw: random.Random, _may: bool) -> Text | None:
    places = [
        (part, found)
        for part in (0, 1)
        for found in re.finditer(r"\b(left|right)\b(?! (?:atrium|ventricle|greater|main))", text[part], re.IGNORECASE)
        # Where a sentence has both sides, a swap of one may say the same.
        if len(set(re.findall(r"\b(left|right)\b", _around(text[part], found.start()).lower()))) == 1
        and "bilateral" not in _around(text[part], found.start()).lower()
    ]
    if not places:
        return None
    part, found = draw.choice(places)
    other = {"left": "right", "right": "left"}[found.group().lower()]
    other = other.capitalize() if found.group()[0].isupper() else other
    return _put(text, part, text[part][: found.start()] + other + text[part][found.end() :])


def _around(text: str, place: int) -> str:
    start = max(text.rfind(". ", 0, place), text.rfind("\n", 0, place)) + 1
    end = text.find(".", place)
    return text[start : end if end >= 0 else len(text)]


def _numbered(text: Text, draw: random.Random, _may: bool) -> Text | None:
    pattern = (
        r"\bT(?P<v>\d{1,2})\b|\b(?P<n>\d+(?:\.\d+)?)(?= ?-?(?:mm|cm)\b)|\b(?P<o>\d{1,2})(?=(?:st|nd|rd|th)\b)"
        r"|\b(?P<w>third|fourth|fifth|sixth|seventh|eighth|ninth)\b"
    )
    places = [(part, found) for part in (0, 1) for found in re.finditer(pattern, text[part])]
    if not places:
        return None
    part, found = draw.choice(places)
    group = found.lastgroup or ""
    said = found.group(group)
    if group == "w":
        names = ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
        new = names[(names.index(said) + draw.choice((1, 2))) % len(names)]
    else:
        new = f"{float(said) + draw.choice((1, 2, 10)):g}"
    return _put(text, part, text[part][: found.start(group)] + new + text[part][found.end(group) :])


def _by_pattern(
    rules: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...],
) -> Callable[[Text, random.Random, bool], Text | None]:
    def planter(text: Text, draw: random.Random, _may: bool) -> Text | None:
        options: list[Text] = []
        for part in (0, 1):
            for pattern, new in rules:
                for found in re.finditer(pattern, text[part]):
                    said = new(found) if callable(new) else found.expand(new)
                    options.append(_put(text, part, text[part][: found.start()] + said + text[part][found.end() :]))
        return draw.choice(options) if options else None

    return planter


def _moved(text: Text, draw: random.Random, _may: bool) -> Text | None:
    options = [
        _put(text, part, text[part][: found.start()] + new + text[part][found.end() :])
        for part in (0, 1)
        for pattern, places in _MOVED
        for found in re.finditer(pattern, text[part])
        if re.search(r"tube|catheter|line|port|PICC|lead|pace|Dobbhoff|NG|ET", _around(text[part], found.start()))
        for new in places
        if new not in text[part]
    ]
    return draw.choice(options) if options else None


def _put(text: Text, part: int, new: str) -> Text:
    return (new, text[1]) if part == 0 else (text[0], new)


_PLANTERS: dict[str, Callable[[Text, random.Random, bool], Text | None]] = {
    "dropped_finding": _dropped,
    "new_finding": _new,
    "flipped_side": _sided,
    "flipped_negation": _by_pattern(_DENIED),
    "changed_number": _numbered,
    "changed_certainty": _by_pattern(_DOUBTED),
    "moved_device": _moved,
}


def planted(
    alternatives: list[tuple[Text, str, Text]], each: int, seed: int = 11
) -> Iterator[tuple[str, str, Text, Text]]:
    """Up to `each` corruptions of every kind over (original, target, alternative): kind, target, both texts."""
    for kind in KINDS:
        draw = random.Random(f"{seed} {kind}")
        order = alternatives[:]
        draw.shuffle(order)
        count = 0
        for original, target, alternative in order:
            if count == each:
                break
            if kind == "changed_number" and target == "quantitative_granularity:low":
                continue  # numbers may go there, and a rib's may go with the finer places
            if target == "anatomical_granularity:low" and kind in ("changed_number", "moved_device"):
                continue
            made = corrupted(kind, alternative, draw, may_lose_normal=target == "findings_scope:minimal")
            if made is not None:
                count += 1
                yield kind, target, original, made
