"""The cue dictionary of MedQA-MM, Appendix F: every cue of it, and what of this project looks for it.

A cue is looked for by text screens, by counts over the data set, by screens of pixels, by asking models with parts of
the item (the modality lattice, the diagnostic guessers, judges), or by a human who reads and looks. Most cues need
several; one that no machine can judge is a question of the checklist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["APPENDIX_F", "Cue", "Means", "checklist", "cue_table"]

Means = Literal["screen", "statistic", "pixels", "models", "human"]

MEANS: dict[Means, str] = {
    "screen": "text screen",
    "statistic": "data set statistic",
    "pixels": "pixel screen",
    "models": "models asked",
    "human": "human review",
}


@dataclass(frozen=True, slots=True)
class Cue:
    """One entry of the dictionary.

    Parameters
    ----------
    section : str
        ``F.1 A`` to ``F.2 E``.
    name : str
        The paper's name of the cue.
    means : tuple of Means
        What looks for it.
    names : tuple of str
        Registered text screens.
    counts : tuple of str
        Rows of prevalence.csv that count over the data set.
    pixels : tuple of str
        Screens that read pixels.
    models : str
        How models are asked.
    question : str
        What a reviewer has to judge: part of the checklist.
    """

    section: str
    name: str
    names: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    pixels: tuple[str, ...] = ()
    models: str = ""
    question: str = ""

    @property
    def means(self) -> tuple[Means, ...]:
        """What looks for it, in the order of `MEANS`."""
        given: dict[Means, object] = {
            "screen": self.names,
            "statistic": self.counts,
            "pixels": self.pixels,
            "models": self.models,
            "human": self.question,
        }
        return tuple(means for means, value in given.items() if value)


LATTICE = "modality lattice"
GUESSER = "diagnostic guessers"
JUDGE = "judge"


def _cues(section: str, *entries: tuple[str, str, str]) -> tuple[Cue, ...]:
    """Entries of a section: the cue's name, who looks (``screen:``, ``count:``, ``pixel:``, ``ask:``), the question."""
    found = []
    for name, looks, question in entries:
        parts: dict[str, list[str]] = {"screen": [], "count": [], "pixel": [], "ask": []}
        for part in looks.split():
            kind, _, value = part.partition(":")
            parts[kind].append(value)
        asked = ", ".join({"lattice": LATTICE, "guesser": GUESSER, "judge": JUDGE}[value] for value in parts["ask"])
        found.append(
            Cue(section, name, tuple(parts["screen"]), tuple(parts["count"]), tuple(parts["pixel"]), asked, question)
        )
    return tuple(found)


APPENDIX_F: tuple[Cue, ...] = (
    *_cues(
        "F.1 A",
        (
            "Length-gap / longest-option cue",
            "screen:longest-option screen:unique-longest-option screen:large-gap screen:longest-option-by-words"
            " screen:unique-longest-option-by-words screen:unique-shortest-option ask:guesser",
            "",
        ),
        (
            "Asymmetric specificity",
            "screen:asymmetric-specificity ask:judge",
            "Is one option more precise in anatomy, severity or mechanism than all others, beyond counted qualifiers?",
        ),
        ("Parenthetical/example asymmetry", "screen:parenthetical", ""),
        ("Typography or punctuation salience", "screen:typography screen:format-residue", ""),
        ("Option-label or position prior", "count:key-position-N ask:lattice", ""),
    ),
    *_cues(
        "F.1 B",
        ("Absolute determiner cue", "screen:absolute-word screen:exclusionary-word screen:hedged-word", ""),
        ("All-of-the-above cue", "screen:all-of-the-above screen:both-options", ""),
        ("None-of-the-above cue", "screen:none-of-the-above", ""),
        ("Clang association with stem", "screen:clang screen:answer-in-stem pixel:image-text", ""),
        ("Stem–option grammatical agreement", "screen:grammatical-agreement", ""),
        ("Part-of-speech mismatch", "screen:verb-form-outlier screen:option-type-outlier", ""),
        (
            "Conspicuous causal/mechanistic answer",
            "screen:causal-statement ask:judge",
            "Is one option the only full mechanism among labels or fragments?",
        ),
        ("Complement pair cue", "screen:complement-pair", ""),
        ("Near-duplicate pair cue", "screen:near-duplicate-options screen:duplicate-options", ""),
        (
            "Absurd or non-medical distractor",
            "ask:judge",
            "Is a distractor impossible, humorous, not clinical, or foreign to the case?",
        ),
        ("Wrong task-family distractor", "screen:answer-type-mismatch", ""),
    ),
    *_cues(
        "F.1 C",
        ("Heterogeneous clinical category", "screen:mixed-option-types screen:option-type-outlier", ""),
        (
            "Anatomical-level mismatch",
            "ask:judge",
            "Do options mix organ, part, cell and disease, so that one alone is at the level that is asked for?",
        ),
        (
            "Laterality or spatial phrase outlier",
            "screen:laterality screen:spatial-phrase screen:spatial-outlier screen:prepositional-phrase"
            " screen:range-or-threshold",
            "",
        ),
        (
            "Nested answer options",
            "screen:nested-options ask:judge",
            "Does one option contain another by meaning, not by words?",
        ),
        (
            "Multiple partially correct options",
            "ask:judge",
            "Could a clinician defend more than one option?",
        ),
        ("Numerical outlier cue", "screen:numeric-outlier screen:numeric-middle screen:numeric-end", ""),
        (
            "Modality/procedure order cue",
            "screen:ordered-options ask:judge",
            "Do options stand in a natural clinical sequence, such as a work-up or lines of treatment?",
        ),
        ("Abbreviation expansion asymmetry", "screen:abbreviation", ""),
        ("Eponym/descriptive asymmetry", "screen:eponym", ""),
        (
            "Unit or measurement mismatch",
            "screen:unit-mismatch ask:judge",
            "Is one option the only one of the scale, view or phase that the question needs?",
        ),
    ),
    *_cues(
        "F.1 D",
        ("Central idea in choices", "screen:vague-stem ask:lattice", ""),
        (
            "Window dressing / excessive verbiage",
            "screen:long-stem ask:judge",
            "Which details of the story has nobody any use for?",
        ),
        (
            "Over-specific clue",
            "screen:clang ask:guesser ask:judge",
            "Does a rare exposure, drug, laboratory value or history name the answer without the image?",
        ),
        ("Over-general or opinion-based item", "screen:opinion-lead-in ask:judge", "Is there one best answer at all?"),
        ("Negative lead-in cue", "screen:negative-lead-in", ""),
        ("Double negative or exception chain", "screen:double-negative", ""),
        (
            "Text-only diagnostic giveaway",
            "ask:lattice ask:guesser ask:judge",
            "Is the story pathognomonic, so that the image is not needed?",
        ),
        ("Question+Options sufficient", "ask:lattice ask:guesser ask:judge", ""),
        (
            "Answer string appears in stem or rationale",
            "screen:answer-in-stem screen:rationale-in-stem screen:rationale-in-option",
            "",
        ),
        ("Chapter/title/topic cue", "screen:source-language", ""),
        (
            "Board-exam stereotype",
            "screen:patient-age screen:patient-sex ask:guesser ask:judge",
            "Does the stem follow a memorised script in which one detail decides over the image?",
        ),
        (
            "Sociodemographic stereotype",
            "screen:context-race-ethnicity-origin screen:context-language screen:context-geography-migration-travel"
            " screen:context-occupation screen:context-military screen:context-substance-use"
            " screen:context-housing-care-environment screen:context-insurance-access"
            " screen:context-disability-function-body-size screen:context-family-social-support"
            " screen:context-sex-gender-reproductive screen:context-other screen:patient-age screen:patient-sex"
            " ask:judge",
            "Is the named context clinically necessary, or does it steer the answer?",
        ),
        (
            "Prior diagnosis or treatment giveaway",
            "screen:prior-diagnosis-or-treatment ask:judge",
            "Does the history name the disease, operation or implant that is asked for?",
        ),
        (
            "Before/after timeline giveaway",
            "screen:timeline ask:judge",
            "Does the time course tell the finding without the image?",
        ),
    ),
    *_cues(
        "F.2 A",
        ("Diagnostic label in image", "pixel:image-text pixel:image-text-answer pixel:visible-text", ""),
        (
            "Anatomy label",
            "pixel:image-text ask:judge",
            "Do labels on the image define the task, or give the answer away?",
        ),
        ("Panel title or caption leakage", "pixel:burnt-in-panel pixel:image-text", ""),
        (
            "DICOM overlay leakage",
            "pixel:image-text ask:judge",
            "Does an overlay narrow the answer: protocol, side, measurement?",
        ),
        ("Source watermark or journal style", "screen:source-language pixel:provenance-text", ""),
        (
            "UI screenshot leakage",
            "pixel:image-text pixel:visible-text ask:judge",
            "Is the image a screenshot with report text, menus or headings?",
        ),
        ("Filename/alt-text metadata", "screen:image-file-name", ""),
    ),
    *_cues(
        "F.2 B",
        ("Arrow marker", "screen:mark-named pixel:drawn-marks", ""),
        ("Circle/box/ellipse marker", "screen:mark-named pixel:drawn-marks", ""),
        ("Highlight, color overlay, or mask", "screen:mark-named pixel:drawn-marks", ""),
        (
            "Measurement calipers",
            "screen:mark-named pixel:drawn-marks ask:judge",
            "Do calipers give a size that decides the answer?",
        ),
        (
            "Contrast/brightness editing cue",
            "ask:judge",
            "Has somebody made the target alone stand out in contrast or brightness?",
        ),
        (
            "Image-generation/edit artifact",
            "ask:judge",
            "Does a repaired image show blur, seams or missing anatomy where something was taken out?",
        ),
    ),
    *_cues(
        "F.2 C",
        (
            "Splint, cast, brace, or positioning aid",
            "screen:device-named ask:judge",
            "Does a splint, cast or positioning aid on the image tell place or procedure?",
        ),
        (
            "Tube, line, catheter, drain, or stent",
            "screen:device-named ask:judge",
            "Does a tube, line or stent on the image tell treatment or complication?",
        ),
        (
            "Implant, prosthesis, plate, screw, coil, clip, or hardware",
            "screen:device-named ask:judge",
            "Does hardware on the image tell an earlier operation that the answer needs?",
        ),
        (
            "Surgical instrument or procedural field",
            "screen:device-named ask:judge",
            "Do instruments or drapes show the procedure that is asked for?",
        ),
        (
            "Brand or manufacturer text",
            "pixel:image-text pixel:visible-text ask:judge",
            "Does a brand on the image lead to an option?",
        ),
        (
            "ICU/OR/portable context",
            "screen:context-housing-care-environment pixel:projection-marker ask:judge",
            "Does the setting on the image (monitor leads, theatre) tell acuity or answer?",
        ),
    ),
    *_cues(
        "F.2 D",
        (
            "Modality name reveals answer",
            "screen:modality-in-option pixel:image-text ask:judge",
            "Does only one option fit the kind of image that is shown?",
        ),
        ("AP/PA/lateral/portable marker", "pixel:projection-marker", ""),
        ("Sequence/phase/protocol giveaway", "screen:protocol-named pixel:image-text", ""),
        (
            "Scanner/site style",
            "",
            "Do borders, colours or compression follow the source and, with it, the answer?",
        ),
        (
            "Lesion-centered crop",
            "ask:judge",
            "Is the picture cropped around the only finding, so that nothing is left to search?",
        ),
        (
            "Single salient object cue",
            "ask:judge",
            "Is something on the image more striking than the finding that is asked for?",
        ),
        (
            "Pre/post or temporal order cue",
            "screen:timeline ask:judge",
            "Does the order of panels tell what was done in between?",
        ),
        ("Number or modality mix cue", "count:image-count-N pixel:modality-mix", ""),
    ),
    *_cues(
        "F.2 E",
        ("Answer-class imbalance", "count:majority-answer", ""),
        ("Repeated source template", "screen:repeated-template", ""),
        ("Near-duplicate images or questions", "screen:near-duplicate-item pixel:near-duplicate-image", ""),
        (
            "Public memorization risk",
            "",
            "Does the item stand on public pages or in textbooks together with its answer?",
        ),
        ("Prompt formatting asymmetry", "screen:format-residue screen:typography", ""),
        ("Explanation/rationale leakage", "screen:rationale-in-stem screen:rationale-in-option", ""),
        ("Option-count cue", "count:option-count-N", ""),
        (
            "Language or translation artifact",
            "screen:mixed-script ask:judge",
            "Is one option more fluent, or more literally translated, than the others?",
        ),
    ),
)


def checklist() -> tuple[tuple[str, str], ...]:
    """What only a human can judge: the cue and the question, in the order of the dictionary.

    Examples
    --------
    >>> checklist()[-1][0]
    'Language or translation artifact'
    """
    return tuple((cue.name, cue.question) for cue in APPENDIX_F if cue.question)


def cue_table() -> tuple[str, ...]:
    """The dictionary as lines of a Markdown table: section, cue, what looks for it, what a human has to judge."""
    lines = ["| section | cue | looked for by | left to a human |", "| --- | --- | --- | --- |"]
    for cue in APPENDIX_F:
        looks = [
            *(f"`{name}`" for name in cue.names),
            *(f"count `{name}`" for name in cue.counts),
            *(f"pixels `{name}`" for name in cue.pixels),
            *([cue.models] if cue.models else []),
        ]
        lines.append(f"| {cue.section} | {cue.name} | {', '.join(looks) or 'nobody but a human'} | {cue.question} |")
    return tuple(lines)
