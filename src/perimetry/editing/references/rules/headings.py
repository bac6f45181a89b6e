"""Which heading of a template a sentence belongs under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from perimetry.editing.references.layout import Layout, Statement
from perimetry.editing.references.sentences import stopped

__all__ = ["DEVICES", "OTHER", "filed", "is_advice", "is_technical", "opens_with_views", "region", "region_of"]

_TUBED = r"tubes?|catheters?|picc|pacemakers?|pacer|stents?|hardware|screws?|drains?|defibrillators?|icd|aicd"
DEVICES = "DEVICES"
# In the order of the template; a sentence goes where its first telling word belongs.
_HEADINGS: tuple[tuple[str, str], ...] = (
    (
        DEVICES,
        # A pleural line is no device, nor is one that something measures or leads to.
        rf"(?:(?:chest|pleural|cardiac|lung|lobe|base|basal|apical|mediastinal|pericardial|aortic|bronchial|spinal) )?"
        rf"(?:{_TUBED})"
        r"|(?:(?:central|picc|venous|arterial|jugular|subclavian|femoral|dialysis|iv|ij|infusion|vascular|access|support"
        r"|art|swan-ganz) )+lines?|lines? (?:and|or) tubes?|lines? (?:tips?|terminat\w+|ends?|in (?:place|situ))"
        r"|(?:chest|chemo|infusion|venous|power|implanted|med) ?ports?|ports?-a-cath"
        r"|(?<!ap )ports?(?! (?:ap|pa|view|film|chest|exam|study)\b)"
        r"|leads?(?! (?:to|apron|markers?)\b)(?=[ .,;]|$)"
        r"|(?:sternal|sternotomy|cerclage|pacing|pacer|guide|fixation|monitoring) wires?"
        r"|(?:surgical|vascular|hemostatic|cholecystectomy|metallic|aneurysm) clips?|clips|sternotomy"
        r"|(?:(?:prosthetic|mechanical|bioprosthetic|artificial|replaced) (?:[a-z]+ )?valves?)"
        r"|(?:(?:aortic|mitral|tricuspid|pulmonic|heart|cardiac) )?valve (?:replacement|prosthesis|repair)"
        r"|(?:cardiac |spinal )?(?:devices?|stimulators?)|prosthes[ie]s|foreign bod(?:y|ies)|(?:ivc|caval?) filters?"
        r"|jewelry|piercing|ett|et tubes?|ngt|ogt|cvc|cvl|iabp|swan-?\s?ganz|tracheostomy|trach|dobb?hoff|mediport"
        r"|port-?a-?cath|permacath|vascath|pa lines?|lvad|impella|ecmo|pigtail|electrodes?|generators?|coils?|sutures?"
        r"|staples?|(?:aortic|endovascular) (?:endo)?grafts?|nails?|rods?|anchors?"
        # Nothing else is moved or has a tip that does: "The tip could be advanced 2 cm."
        r"|(?:be|been|was|were) (?:further )?(?:advanced|withdrawn|retracted|repositioned|pulled back|removed)"
        r"|advanc(?:ing|ement)|withdraw(?:ing|al)|repositioning|tips?(?= (?:is|was|could|should|may|lies|ends|projects"
        r"|overlies|has|now|remains|terminates)\b)",
    ),
    (
        "LUNGS AND PLEURA",
        r"lungs?|pulmonary|pleural?|effusions?|pneumothora\w+|consolidations?|opacit\w+|airspace|air space|infiltrates?"
        r"|atelectasis|edema|pneumonia|nodul\w+|mass(?:es)?|granulomas?|emphysem\w+|interstitial|costophrenic"
        r"|hyperexpan\w+|hyperinfl\w+|scarring|lobes?|bas(?:e|es|ilar)|bibasilar|apex|apical|hemithora\w+|fissures?"
        r"|kerley|b-lines|bronch\w+|peribronchial|granulomatous|tubercul\w+|volume loss|airways?|cavit\w+|alveolar"
        r"|\w*lobectomy|pneumonectomy|thoracotomy|ptx|ptxs|hydropneumothora\w+|copd|blebs?|bullae?|fibro\w+|honeycombing"
        r"|air bronchograms?|lingula\w*|(?:low|inspiratory|expiratory) volumes?|inspiration|[rl](?:ul|ml|ll)|reticul\w+"
        r"|ground-?\s?glass|empyema|hemothorax|ards|aspiration",
    ),
    (
        "HEART AND MEDIASTINUM",
        r"heart|cardi(?!opulm|othor)\w+|pericardi\w+|mediastin\w+|hil(?:ar|um|a)|aort\w+|vascul\w+|vessels?|trachea|valv\w+"
        r"|paratracheal|lymph|\w*adenopathy|cabg|bypass"
        # An operation is no device; what it left behind is.
        r"|(?:status[ -]post|s/p|changes? (?:of|from)|history of|prior|previous|has been)(?: [a-z]+){0,3} sternotomy"
        r"(?! (?:wires?|sutures?|hardware|xxxx))",
    ),
    (
        "BONES AND SOFT TISSUES",
        r"bon(?:e|es|y)|osseous|osseus|skelet\w+|ribs?|spine|t-spine|vertebra\w*|fractures?|degenerative|scolio\w+"
        r"|soft tissues?|spondylosis|osteophytes?|shoulders?|clavicles?"
        r"|osteo\w+|humer\w+|arthr\w+|lytic|nipples?|breasts?|mastectomy|subcutaneous|kypho\w+|\w*kyphosis|lordo\w+"
        r"|\w*curvatures?|djd|ddd|spurs?|spurring|discs?|disks?|syndesmophytes?|compression deformit(?:y|ies)"
        r"|scapula\w*|glenohumeral|acromioclavicular|(?:t|l|c)\d{1,2}|sternum|sternal(?! (?:wires?|staples?|sutures?))"
        r"|wedg(?:e|ing)|demineraliz\w+|sclero\w+|lumbar|cervical|skin folds?|axilla\w*",
    ),
    (
        "ABDOMEN",
        r"abdom\w+|\w*diaphragm\w*|bowel|stomach|hernia|free air|intraperitoneal|pneumoperitoneum|cholecystectomy|colon"
        r"|gallstones?",
    ),
)
OTHER, _BEFORE, _AFTER = "OTHER", "TECHNIQUE", "AFTER"
_WORDS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _HEADINGS}
_DEVICES = re.compile(r"devices?|lines|tubes|hardware|support", re.IGNORECASE)
_LAST = re.compile(r"impression|conclusions?|opinion|summary", re.IGNORECASE)
# Said of no region, whatever it stands behind.
_ADVICE = re.compile(
    r"\b(?:recommend\w*|correlat\w+|follow-?up|advis\w+|consider\w*|discussed|notified|dr)\b", re.IGNORECASE
)
_MADE = re.compile(r"technique|views?\b|exam", re.IGNORECASE)
_IDLE = re.compile(r"findings?|report", re.IGNORECASE)
_PICTURES = (
    r"(?:(?:the|an?|total of|\d{1,2}|one|two|three|four|single|pa|ap|frontal|lateral|crosstable|portable|upright|supine"
    r"|erect|semi-?(?:erect|upright)|digital|chest|and|x+|consists? of|exam(?:ination)?|study)[ ,]+)+"
    r"(?:images?|views?|radiographs?|films?|projections?|exam(?:ination)?)\b"
)
_VIEWS = re.compile(_PICTURES, re.IGNORECASE)
_TECHNICAL = re.compile(
    rf"{_PICTURES}(?:[ ,]+(?:of|the|chest|were|was|is|are|obtained|performed|submitted|provided|acquired|available|for"
    r"|review|and|lateral|due to patient condition))*\s*\.?$"
    r"|(?:the )?patient is (?:(?:mildly|slightly|markedly|somewhat) )?rotated\s*\.?$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Drawers:
    """Sentences by heading: what is no finding first, the template's regions, then conclusions."""

    sole: dict[str, str]
    held: dict[tuple[str, str], list[Statement]] = field(default_factory=dict)

    def for_sentence(self, title: str, sentence: str, *, own: bool) -> list[Statement]:
        """Where a sentence goes: under its own heading, or where its words belong."""
        if title and _LAST.match(title):
            return self.held.setdefault((_AFTER, title), [])
        there = region(sentence)
        titled = region_of(title) if title else OTHER
        if not own and is_technical(sentence):
            made = next((held for name, held in self.held if name == _BEFORE and _MADE.match(held)), "")
            return self.held.setdefault((_BEFORE, made), [])
        if own and titled == OTHER:
            return self.held.setdefault((OTHER if title.lower().startswith("other") else _BEFORE, title), [])
        if not own and is_advice(sentence):
            return self.held.setdefault((OTHER, ""), [])
        if title and (own or there in (titled, OTHER)):
            return self.held.setdefault((titled, title), [])
        return self.held.setdefault((there, self.sole.get(there, "")), [])

    def in_order(self) -> list[tuple[str, str, list[Statement]]]:
        """Region, own heading or none, and sentences."""
        order = (_BEFORE, *_WORDS, OTHER, _AFTER)
        rows = [(name, title, sentences) for (name, title), sentences in self.held.items()]
        return sorted(rows, key=lambda row: order.index(row[0]))


def region(sentence: str) -> str:
    """The heading of the template that a sentence belongs under.

    Examples
    --------
    >>> region("Thickened pleural line."), region("Left pleural catheter."), region("Follow-up is advised.")
    ('LUNGS AND PLEURA', 'DEVICES', 'OTHER')
    """
    places = {name: found.start() for name, words in _WORDS.items() if (found := words.search(sentence))}
    return min(places, key=lambda name: places[name]) if places else OTHER


def filed(text: str) -> str:
    r"""A section's sentences under headings, one a line, always in the same order; none is empty.

    Headings that the text has stay, and their way of being written is that of the others, too. What stands under a
    conclusion stays under it, at the end; what is no finding (a comparison, a technique) comes first.

    Examples
    --------
    >>> filed("Heart is normal. Lungs: clear. No effusion. Impression: Normal.")
    'Lungs: clear. No effusion.\nHeart and mediastinum: Heart is normal.\nImpression: Normal.'
    """
    layout = Layout.of(text)
    titles = [title if not _IDLE.fullmatch(title) else "" for title in layout.titles]
    drawers = _Drawers(sole=_sole([title for title in titles if title]))
    said = layout.said
    for group in _by_device(layout.groups, said):
        own = bool(layout.statements[group[0]].heading and titles[group[0]])
        drawer = drawers.for_sentence(titles[group[0]], said[group[0]], own=own)
        drawer += [layout.statements[place] for place in group if said[place]]
    given = [title for title in titles if title]
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline.join(
        f"{title or _in_case_of(given, name)}:{_under(sentences, newline, listed=name == _AFTER)}"
        for name, title, sentences in drawers.in_order()
        if sentences
    )


def _by_device(groups: list[list[int]], said: list[str]) -> Iterator[list[int]]:
    """Groups, but what tells of a device leans on no sentence about anything else, whatever it stands behind."""
    for group in groups:
        places = [region(said[place]) for place in group]
        apart = next((at for at, name in enumerate(places) if at and name == DEVICES and DEVICES not in places[:at]), 0)
        if apart and places[0] != OTHER:
            yield group[:apart]
            yield group[apart:]
        else:
            yield group


def _under(sentences: list[Statement], newline: str, *, listed: bool) -> str:
    """What stands under a heading; the list of a conclusion stays a list."""
    if listed and sentences[0].mark:
        return "".join(f"{newline if each.mark else ' '}{each.mark}{stopped(each.body)}" for each in sentences)
    return "".join(f" {stopped(each.body)}" for each in sentences)


def _sole(titles: list[str]) -> dict[str, str]:
    """Headings of the text that stand for one of the template: alone in a region and naming its first part."""
    found: dict[str, list[str]] = {}
    for title in dict.fromkeys(titles):
        found.setdefault(region_of(title), []).append(title)
    return {name: held[0] for name, held in found.items() if len(held) == 1 and name[:4].lower() in held[0].lower()}


def is_advice(sentence: str) -> bool:
    """Whether it advises or tells of talks, and so is said of no region.

    Examples
    --------
    >>> is_advice("Recommend CT."), is_advice("Recommend CT of the left lung nodule.")
    (True, False)
    """
    return _ADVICE.search(sentence) is not None and region(sentence) == OTHER


def is_technical(sentence: str) -> bool:
    """Whether it tells how the images were made, and nothing else.

    Examples
    --------
    >>> is_technical("2 images."), is_technical("PA and lateral views of the chest."), is_technical("AP view: scar.")
    (True, True, False)
    """
    return _TECHNICAL.match(sentence) is not None


def opens_with_views(sentence: str) -> bool:
    """Whether it begins with how the images were made, and so belongs to the findings whatever follows.

    Examples
    --------
    >>> opens_with_views("Two views of the chest show a stable heart."), opens_with_views("The heart is stable.")
    (True, False)
    """
    return _VIEWS.match(sentence) is not None


def region_of(title: str) -> str:
    """The heading of the template that another heading stands for.

    Examples
    --------
    >>> region_of("Support lines"), region_of("Osseous structures"), region_of("Comparison")
    ('DEVICES', 'BONES AND SOFT TISSUES', 'OTHER')
    """
    return DEVICES if _DEVICES.search(title) else region(title)


def _in_case_of(given: list[str], name: str) -> str:
    """A heading of the template, written as the text writes its own."""
    if given and not any(title.isupper() for title in given):
        return name.capitalize() if given[0][0].isupper() else name.lower()
    return name
