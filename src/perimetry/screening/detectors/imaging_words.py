"""What the text says of the image: devices, marks, modality, protocol."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.lexicon import Lexicon, phrases
from perimetry.screening.screen import MEDQA_MM, Screen
from perimetry.screening.stem_phrases import stem_lexicon, stem_pattern, stem_screen, triggers

__all__ = ["SCREENS"]

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
PROTOCOL_TRIGGERS = triggers(
    "t1|t2|flair|stir|dwi|diffusion|adc|echo|weighted|gadolinium|contrast|phase|techne|tc-|tc9|fdg|mibg"
    "|datscan|scan|thallium|xylin|h&e|h & e|stain|pas|congo|ziehl|fast|giemsa|trichrome|prussian|immuno"
    "|india ink|mucicarmine"
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


SCREENS = (
    stem_screen(
        "device-named",
        "Device or material named",
        "a stem that names a tube, implant, hardware, cast or instrument; what anatomy calls so is passed over",
        stem_lexicon(DEVICES, "medium"),
    ),
    stem_screen(
        "mark-named",
        "Mark on the image named",
        "a stem that speaks of arrows, circles, highlights, labels or colours on the image",
        stem_lexicon(MARKS, "low"),
    ),
    stem_screen(
        "protocol-named",
        "Sequence, phase, tracer or stain named",
        "a stem that names a sequence, phase, contrast, tracer or stain",
        stem_pattern(PROTOCOL, "low", PROTOCOL_TRIGGERS),
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
