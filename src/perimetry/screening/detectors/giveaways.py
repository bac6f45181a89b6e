"""What a stem gives away: history, time course, device, mark, modality, protocol, rationale, source."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Severity, Span
from perimetry.screening.item import Item
from perimetry.screening.lexicon import Lexicon, phrases
from perimetry.screening.screen import MEDQA_MM, Find, Screen

__all__ = ["SCREENS"]

PRIOR = re.compile(
    r"\b(?:(?:past |prior |previous |personal |known |remote )?(?:medical |surgical )?history (?:is "
    r"|was )?(?:significant|notable|remarkable|positive|of)\b"
    r"(?! (?:smoking|alcohol|travel|present illness|trauma|any|allerg))|(?:history|known case) of (?!present"
    r"|smoking|alcohol|travel|trauma|any|allerg)"
    r"|diagnosed with|(?:status|s/p) ?post|post-?operative(?:ly)?|post-?surgical|(?:previous|prior|recent"
    r"|earlier)(?:ly)? "
    r"(?:\w+ )?(?:surgery|operation|resection|radiation|radiotherapy|chemotherapy|transplant(?:ation)?|biopsy"
    r"|procedure|diagnosis"
    r"|fixation|repair|replacement|arthroplasty|stroke|infarction|fracture)|(?:underwent|undergone|had undergone"
    r"|has undergone"
    r"|undergoes|was treated with|is being treated|has been treated|treated with|receiving|received) (?!a physical)"
    r"|after (?:chemotherapy|radiation|radiotherapy|surgery|resection|transplant(?:ation)?)|known (?:to have"
    r"|history|diagnosis))",
    re.IGNORECASE,
)
PRIOR_TRIGGERS = (
    "histor",
    "known",
    "diagnosed",
    "post",
    "previous",
    "prior",
    "recent",
    "earlier",
    "treated",
    "receiv",
    "after ",
    "underw",
    "undergo",
)
NO_PRIOR = re.compile(
    r"\b(?:no|denies(?: any)?|without(?: any)?|unremarkable|negative for|non-?contributory)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
NUMBER = r"(?:\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|a few|a couple of)"
TIMELINE = re.compile(
    rf"\b(?:{NUMBER}[- ](?:second|minute|hour|day|week|month|year)s? (?:ago|later|earlier|prior|previously|before"
    rf"|after|following|post)"
    rf"|for (?:the (?:past|last) )?{NUMBER} (?:minute|hour|day|week|month|year)s?|over (?:the (?:past|last"
    rf"|course of) )?{NUMBER} (?:minute|hour|day|week|month|year)s?"
    rf"|{NUMBER}[- ](?:hour|day|week|month|year) history|since (?:birth|childhood|yesterday|last)"
    rf"|postoperative day \d+"
    r"|sudden(?:ly)?|acute onset|gradual(?:ly)?|progressive(?:ly)?|before and after|pre- and post-\w+|follow-?up)\b",
    re.IGNORECASE,
)
TIMELINE_TRIGGERS = (
    *(
        " ago",
        "later",
        "earlier",
        "prior",
        "previously",
        "before",
        "after",
        "following",
        "post",
        "for ",
        "over ",
        "history",
    ),
    *("since", "sudden", "onset", "gradual", "progressive", "follow"),
)
DEVICES = Lexicon(
    {
        "device": phrases(
            """splint, plaster cast, in a cast, fiberglass cast, cast immobilization, brace, chest tube, endotracheal
            tube, nasogastric tube, feeding tube, tracheostomy tube, tympanostomy tube, drainage tube, tube
            thoracostomy, catheter, surgical drain, drain placement, stent, shunt, pacemaker, defibrillator,
            implant, prosthesis, prostheses, prosthetic, plate fixation, locking plate, plate and screws,
            compression plate, screw, intramedullary nail, intramedullary rod, embolization coil, endovascular
            coil, coil embolization, hardware, arthroplasty, vena cava filter, IVC filter, port-a-cath, infusion
            pump, insulin pump, balloon pump, needle, ultrasound probe, endoscope, guidewire, guide wire, balloon
            catheter, hernia mesh, mesh repair, suture anchor, sutures placed, surgical clip, surgical staple,
            tracheostomy, ventilator, ECMO, halo vest, external fixator, intrauterine device, IUD, K-wire,
            Kirschner wire, sling, surgical drape, wound dressing, speculum, laryngoscope"""
        )
    },
    phrases("filling needle, needle-shaped, needle shaped, needle-like"),
)
MARKS = Lexicon(
    {
        "mark": phrases(
            """arrow, arrowhead, asterisk, circled, encircled, boxed, outlined, highlighted, marked by, marked with,
            marked in, marked structure, marked region, marked area, structure marked, area marked, region marked,
            lesion marked, pointed at, pointed to, pointed out, pointer, crosshair, caliper, calipers, annotated,
            annotation, red circle, white circle, black circle, yellow circle, star, shaded, in red, in blue, in
            yellow, in green, labeled, labelled, labeled as, designated by, delineated by"""
        )
    },
    phrases(
        "radio-labeled, radio-labelled, radiolabeled, star-shaped, star shaped, warfarin labeled, isotope"
        " labeled, caliper test, skinfold caliper"
    ),
)
MODALITIES = Lexicon(
    {
        "x-ray": phrases("x-ray, xray, radiograph, radiography, plain film, CXR, KUB"),
        "ct": phrases("CT, CTA, computed tomography, computed tomographic, CAT scan, HRCT"),
        "mri": phrases("MRI, MRA, MR, MRCP, magnetic resonance"),
        "ultrasound": phrases(
            "ultrasound, ultrasonography, ultrasonogram, sonogram, sonography, doppler, echocardiogram,"
            " echocardiography, TTE, TEE"
        ),
        "nuclear": phrases("PET, PET-CT, SPECT, scintigraphy, scintigram, bone scan, V/Q scan, FDG"),
        "mammography": phrases("mammogram, mammography, tomosynthesis"),
        "angiography": phrases("angiogram, angiography, venogram, venography, arteriogram"),
        "endoscopy": phrases(
            "endoscopy, colonoscopy, bronchoscopy, laparoscopy, cystoscopy, arthroscopy, esophagogastroduodenoscopy"
        ),
        "ecg": phrases(
            "ECG, EKG, electrocardiogram, electrocardiography, EEG, electroencephalogram, electroencephalography"
        ),
        "microscopy": phrases(
            "histology, histopathology, biopsy, smear, cytology, micrograph, photomicrograph, microscopy"
        ),
        "fundus": phrases(
            "fundoscopy, funduscopy, fundoscopic, fundus, ophthalmoscopy, optical coherence tomography,"
            " slit-lamp, slit lamp"
        ),
    },
    phrases("fundus of the stomach, gastric fundus, uterine fundus, mr, PET bottle"),
)
PROTOCOL = re.compile(
    r"\b(?:T[12](?:-| )?(?:weighted|W|FLAIR|fat[- ](?:sat|suppress)\w*|\*)?(?= (?:weighted|image|sagittal|axial"
    r"|coronal|MR|fat|sequence|signal|scan))"
    r"|FLAIR|STIR|DWI|diffusion[- ]weighted|ADC|gradient echo|susceptibility[- ]weighted|gadolinium"
    r"|post-?contrast|contrast[- ]enhanced"
    r"|non-?contrast|without contrast|with contrast|arterial phase|portal venous phase|delayed phase"
    r"|technetium\S*|Tc-?99m|FDG|MIBG"
    r"|DaTscan|octreotide scan|gallium scan|thallium|hematoxylin|haematoxylin|H ?& ?E|Gram stain|PAS|Congo red"
    r"|Ziehl\S*|acid-fast"
    r"|silver stain|Giemsa|Wright stain|trichrome|Prussian blue|immunofluorescence|immunohistochem\w+|india ink"
    r"|mucicarmine)\b",
)
PROTOCOL_TRIGGERS = (
    *(
        "t1",
        "t2",
        "flair",
        "stir",
        "dwi",
        "diffusion",
        "adc",
        "echo",
        "weighted",
        "gadolinium",
        "contrast",
        "phase",
        "techne",
        "tc-",
    ),
    *(
        "tc9",
        "fdg",
        "mibg",
        "datscan",
        "scan",
        "thallium",
        "xylin",
        "h&e",
        "h & e",
        "stain",
        "pas",
        "congo",
        "ziehl",
        "fast",
    ),
    *("giemsa", "trichrome", "prussian", "immuno", "india ink", "mucicarmine"),
)
RATIONALE = re.compile(
    r"\b(?:explanation|rationale|correct (?:answer|option|choice)|(?:the )?answer is|answer key|answer)\s*(?::"
    r"|is\b)(?! (?:which|what))"
    r"|\b(?:the correct answer is|explanation:)",
    re.IGNORECASE,
)
IN_OPTION = re.compile(
    r"\b(?:explanation|rationale|correct (?:answer|option|choice)|answer is|(?:the|this) (?:added "
    r"|new )?option \(?[A-J]\)?|distractors?"
    r"|because (?:this|the) option)\b|\n\s*\n",
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b(?:chapter \d+|courtesy of|reproduced (?:from|with)|adapted from|copyright|©|all rights reserved"
    r"|radiopaedia|orthobullets|amboss"
    r"|uworld|statpearls|case courtesy|et al\.|doi:|https?://\S+|www\.\S+|page \d+|section \d+(?:\.\d+)*"
    r"|self-assessment"
    r"|board review|keywords?:|topic:|title:|category:)",
    re.IGNORECASE,
)


SOURCE_TRIGGERS = (
    *(
        "chapter",
        "courtesy",
        "from",
        "copyright",
        "©",
        "rights",
        "radiopaedia",
        "orthobullets",
        "amboss",
        "uworld",
        "statpearls",
    ),
    *(
        "et al",
        "doi",
        "http",
        "www",
        "page ",
        "section ",
        "assessment",
        "board",
        "keyword",
        "topic",
        "title",
        "category",
    ),
)


def _stem(
    pattern: re.Pattern[str], severity: Severity, triggers: tuple[str, ...], before: re.Pattern[str] | None = None
) -> Find:
    """A screen of passages of the stem, without those that a negation before them takes back.

    Only a stem that holds one of the triggers is searched: a pattern of many branches is slow.
    """

    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        if not any(trigger in item.stem_lower for trigger in triggers):
            return None
        spans = tuple(
            Span("stem", match.start(), match.end(), match[0].lower())
            for match in pattern.finditer(item.stem)
            if not (before and before.search(item.stem[max(0, match.start() - 60) : match.start()]))
        )
        return Finding((), spans, severity) if spans else None

    return find


def _phrase(lexicon: Lexicon, severity: Severity) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        hits = lexicon.find(item.stem_words)
        spans = tuple(Span("stem", hit.start, hit.end, item.stem[hit.start : hit.end].lower()) for hit in hits)
        return Finding((), spans, severity) if spans else None

    return find


def _in_option(item: Item, _: DatasetStatistics) -> Finding | None:
    return asymmetric(
        item, {option.label: matches(option, IN_OPTION, "talk about the option") for option in item.options}, "high"
    )


def _modality(item: Item, _: DatasetStatistics) -> Finding | None:
    shown = {hit.label for hit in MODALITIES.find(item.stem_words)}
    if not shown:
        return None
    carried = {
        option.label: [
            Span(option.label, hit.start, hit.end, hit.label)
            for hit in MODALITIES.find(option.words)
            if hit.label in shown
        ]
        for option in item.options
    }
    return asymmetric(item, carried, "medium", ", ".join(sorted(shown)))


def _entry(name: str, title: str, looks_at: str, find: Find) -> Screen:
    return Screen(name, title, "stem", "item", looks_at, find, MEDQA_MM, english=True, options=False)


SCREENS = (
    _entry(
        "prior-diagnosis-or-treatment",
        "Earlier diagnosis or treatment",
        "a stem that names a history of something, a diagnosis made, or a treatment given; not where it is denied",
        _stem(PRIOR, "medium", PRIOR_TRIGGERS, NO_PRIOR),
    ),
    _entry(
        "timeline",
        "Time course",
        "a stem with an interval, an onset or a before and after",
        _stem(TIMELINE, "low", TIMELINE_TRIGGERS),
    ),
    _entry(
        "device-named",
        "Device or material named",
        "a stem that names a tube, implant, hardware, cast or instrument; what anatomy calls so is passed over",
        _phrase(DEVICES, "medium"),
    ),
    _entry(
        "mark-named",
        "Mark on the image named",
        "a stem that speaks of arrows, circles, highlights, labels or colours on the image",
        _phrase(MARKS, "low"),
    ),
    _entry(
        "protocol-named",
        "Sequence, phase, tracer or stain named",
        "a stem that names a sequence, phase, contrast, tracer or stain",
        _stem(PROTOCOL, "low", PROTOCOL_TRIGGERS),
    ),
    _entry(
        "rationale-in-stem",
        "Answer or rationale in the stem",
        "a stem with an answer, explanation or rationale as a heading",
        _stem(RATIONALE, "high", ("answer", "correct", "explanation", "rationale")),
    ),
    Screen(
        "rationale-in-option",
        "Rationale inside an option",
        "option form",
        "option",
        "options that talk about answers, options or distractors, or hold a second paragraph, where others do not",
        _in_option,
        MEDQA_MM,
        english=True,
    ),
    _entry(
        "source-language",
        "Source or topic in the stem",
        "a stem with a chapter, topic, source, link or copyright",
        _stem(SOURCE, "medium", SOURCE_TRIGGERS),
    ),
    Screen(
        "modality-in-option",
        "Modality of the stem in an option",
        "stem",
        "option",
        "options that name a modality which the stem names too, where others do not",
        _modality,
        MEDQA_MM,
        english=True,
    ),
)
