"""What lies in the pixels of an item's images apart from the finding: text, drawn marks, panels, and repeats.

Examples
--------
>>> from perimetry.cases import Image
>>> from perimetry.phantoms.radiograph import RadiographSpec
>>> from perimetry.phantoms.source import PhantomSource
>>> drawn_marks(Image(PhantomSource(RadiographSpec(), seed=1)).pixels())
()
"""

from perimetry.screening.images.facts import ImageFacts, look
from perimetry.screening.images.image_survey import ImageSurvey, survey
from perimetry.screening.images.marks import Mark, drawn_marks
from perimetry.screening.images.ocr import TextReader, open_reader, why_not
from perimetry.screening.images.provenance import Provenance
from perimetry.screening.images.reading import Frame, Reading, TextLine

__all__ = [
    "Frame",
    "ImageFacts",
    "ImageSurvey",
    "Mark",
    "Provenance",
    "Reading",
    "TextLine",
    "TextReader",
    "drawn_marks",
    "look",
    "open_reader",
    "survey",
    "why_not",
]
