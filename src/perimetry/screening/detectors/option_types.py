"""What kind of thing an option names, and what the lead-in asks for."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from perimetry.screening.asymmetry import asymmetric, whole
from perimetry.screening.dataset_statistics import DatasetStatistics, lead_in
from perimetry.screening.finding import Finding
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import HALADYNA, Screen
from perimetry.screening.words import fold

__all__ = ["SCREENS", "option_type"]

# The head of an option is the last of its words that tells a kind. Endings count for words that no list has.
HEADS: dict[str, frozenset[str]] = {
    kind: frozenset(members.split())
    for kind, members in {
        "diagnosis": "disease syndrome disorder fracture dislocation cancer infection injury tear rupture tumor"
        " tumour cyst"
        " abscess aneurysm thrombosis embolism infarction infarct hemorrhage haemorrhage stenosis failure"
        " deficiency lesion"
        " malformation hernia obstruction ulcer metastasis lymphoma melanoma sarcoma leukemia anemia diabetes"
        " asthma copd"
        " edema effusion pneumothorax ischemia necrosis hypertension tachycardia fibrillation block shock sepsis"
        " stroke",
        "procedure": "surgery resection repair fixation reduction excision drainage bypass transplant transplantation"
        " embolization ablation amputation debridement release fusion replacement reconstruction osteotomy observation"
        " therapy treatment radiotherapy chemotherapy immobilization casting bracing splinting injection dialysis"
        " transfusion intubation ventilation catheterization stenting cryotherapy phototherapy rehabilitation"
        " discharge"
        " reassurance counseling aspiration decompression nailing plating tube",
        "drug": "antibiotic steroid corticosteroid aspirin heparin warfarin insulin metformin prednisone dexamethasone"
        " methotrexate acyclovir vancomycin nsaid opioid diuretic furosemide epinephrine adenosine morphine ibuprofen"
        " acetaminophen colchicine allopurinol tamoxifen digoxin nitroglycerin antihistamine vaccine",
        "test": "ct mri ultrasound ultrasonography radiograph radiography x-ray echocardiogram echocardiography"
        " mammogram"
        " mammography scintigraphy angiography endoscopy colonoscopy bronchoscopy biopsy culture test assay ecg"
        " ekg eeg"
        " electromyography arthrogram spirometry pet scan aspirate smear",
        "anatomy": "nerve artery vein muscle ligament tendon bone lobe gland cortex ventricle atrium valve duct"
        " joint vertebra"
        " nucleus fascia aorta liver spleen kidney pancreas stomach lung heart brain thalamus cerebellum femur"
        " tibia fibula"
        " humerus radius ulna scaphoid lunate patella sacrum pelvis clavicle scapula rib disc disk meniscus"
        " plexus root"
        " segment sinus ureter bladder uterus ovary prostate retina cornea epidermis dermis lumen fossa foramen"
        " septum",
    }.items()
}
ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (kind, tuple(endings.split()))
    for kind, endings in (
        ("procedure", "ectomy plasty otomy ostomy rrhaphy pexy desis"),
        ("test", "scopy graphy gram metry centesis"),
        (
            "drug",
            "cillin mycin floxacin azole olol pril sartan statin zumab ximab mumab tinib vir cycline dipine thiazide"
            " parin dronate profen oxacin sone solone triptan",
        ),
        (
            "diagnosis",
            "itis oma osis emia aemia opathy pathy plegia ectasis ectasia iasis uria algia megaly malacia trophy plasia"
            " sclerosis lithiasis pnea penia",
        ),
    )
)
FAMILY = {"procedure": "management", "drug": "management"}
ASKED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "diagnosis",
        re.compile(r"\b(?:diagnos[ie]s|condition|disease|disorder|cause of (?:this|the|his|her))\b", re.IGNORECASE),
    ),
    (
        "management",
        re.compile(
            r"\b(?:treatment|management|therapy|treat(?:ed)?|intervention|medication|drug|procedure)\b", re.IGNORECASE
        ),
    ),
    (
        "test",
        re.compile(
            r"\b(?:diagnostic (?:test|study|step)|imaging (?:study|modality)|which test|modality)\b", re.IGNORECASE
        ),
    ),
    (
        "anatomy",
        re.compile(
            r"\b(?:which|what) (?:\w+ )?(?:structure|nerve|artery|vein|muscle|ligament|bone|organ)\b", re.IGNORECASE
        ),
    ),
)
KNOWN = 0.8


@lru_cache(maxsize=65536)
def _kind(word: str) -> str:
    for kind, members in HEADS.items():
        if word in members:
            return kind
    if len(word) > 6:
        return next((kind for kind, endings in ENDINGS if word.endswith(endings)), "")
    return ""


def option_type(option: Choice) -> str:
    """``diagnosis``, ``management``, ``test``, ``anatomy``, or nothing where no word tells.

    Examples
    --------
    >>> option_type(Choice("A", "Bronchogenic carcinoma")), option_type(Choice("B", "Rotator cuff repair"))
    ('diagnosis', 'management')
    >>> option_type(Choice("C", "Figure C"))
    ''
    """
    for word in reversed(option.words):
        kind = _kind(word.lower) or _kind(fold(word.lower))
        if kind:
            return FAMILY.get(kind, kind)
    return ""


def _outlier(item: Item, _: DatasetStatistics) -> Finding | None:
    kinds = {option.label: option_type(option) for option in item.options}
    if len(kinds) < 3 or not all(kinds.values()):
        return None
    counts = Counter(kinds.values())
    lone = [option for option in item.options if counts[kinds[option.label]] == 1]
    if len(counts) != 2 or len(lone) != 1:
        return None
    other = next(kind for kind in counts if kind != kinds[lone[0].label])
    return asymmetric(item, {lone[0].label: [whole(lone[0], kinds[lone[0].label])]}, "high", f"the others: {other}")


def _mixed(item: Item, _: DatasetStatistics) -> Finding | None:
    kinds = [kind for option in item.options if (kind := option_type(option))]
    counts = Counter(kinds)
    if len(kinds) < max(3, KNOWN * len(item.options)) or len(counts) < 2:
        return None
    return Finding(severity="low", note=", ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def _mismatch(item: Item, _: DatasetStatistics) -> Finding | None:
    asked = lead_in(item.stem)
    wanted = [kind for kind, pattern in ASKED if pattern.search(asked)]
    if len(wanted) != 1:
        return None
    kinds = {option.label: option_type(option) for option in item.options}
    off = {
        option.label: [whole(option, kinds[option.label])]
        for option in item.options
        if kinds[option.label] not in ("", wanted[0])
    }
    if wanted[0] not in kinds.values():
        return None
    return asymmetric(item, off, "medium", f"{wanted[0]} is asked for")


SCREENS = (
    Screen(
        "option-type-outlier",
        "Option of another kind",
        "option form",
        "option",
        "the one option that names another kind of thing (diagnosis, management, test, anatomy) than all others",
        _outlier,
        HALADYNA,
        english=True,
    ),
    Screen(
        "mixed-option-types",
        "Options of several kinds",
        "option form",
        "item",
        "options that name different kinds of things, where the kind of at least 80% of them can be told",
        _mixed,
        HALADYNA,
        english=True,
    ),
    Screen(
        "answer-type-mismatch",
        "Option that does not answer the question",
        "option form",
        "option",
        "options of another kind than the lead-in asks for, where at least one is of that kind",
        _mismatch,
        HALADYNA,
        english=True,
    ),
)
