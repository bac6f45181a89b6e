"""RadGraph F1 over annotations that come from a file or from an extractor in an environment of its own."""

from perimetry.scoring.radgraph.annotation import Annotation, Entity, Unread, read_annotation
from perimetry.scoring.radgraph.combined import RadGraphCombined, combined_f1
from perimetry.scoring.radgraph.extraction import ExtractorAnnotations, ExtractorSettings
from perimetry.scoring.radgraph.f1 import RadGraphF1
from perimetry.scoring.radgraph.file import FileAnnotations
from perimetry.scoring.radgraph.sets import elements, overlap, relation_elements, set_f1
from perimetry.scoring.radgraph.source import AnnotationSource, GivenAnnotations

__all__ = [
    "Annotation",
    "AnnotationSource",
    "Entity",
    "ExtractorAnnotations",
    "ExtractorSettings",
    "FileAnnotations",
    "GivenAnnotations",
    "RadGraphCombined",
    "RadGraphF1",
    "Unread",
    "combined_f1",
    "elements",
    "overlap",
    "read_annotation",
    "relation_elements",
    "set_f1",
]
