"""What is examined: questions and studies, their images, and one loader a data set.

Examples
--------
>>> from perimetry.cases import datasets
>>> "vqa-rad" in datasets().names()
True
"""

from perimetry.cases.catalogue import DatasetInfo, dataset_infos
from perimetry.cases.dataset import Case, CaseSet, Dataset, DataUse, LoadOptions
from perimetry.cases.datasets import datasets
from perimetry.cases.errors import (
    CaseError,
    DataError,
    ImageError,
    PerimetryError,
    UnknownNameError,
    UsageError,
)
from perimetry.cases.funnel import Funnel, FunnelStep
from perimetry.cases.image import Image, ImageSource, Operation, Pixels
from perimetry.cases.load import data_use_of, load
from perimetry.cases.question import AnswerType, Option, Origin, Question, Shown
from perimetry.cases.registry import Registry
from perimetry.cases.sources import BytesSource, FileSource, TableSource
from perimetry.cases.study import Box, Examined, Study

__all__ = [
    "AnswerType",
    "Box",
    "BytesSource",
    "Case",
    "CaseError",
    "CaseSet",
    "DataError",
    "DataUse",
    "Dataset",
    "DatasetInfo",
    "Examined",
    "FileSource",
    "Funnel",
    "FunnelStep",
    "Image",
    "ImageError",
    "ImageSource",
    "LoadOptions",
    "Operation",
    "Option",
    "Origin",
    "PerimetryError",
    "Pixels",
    "Question",
    "Registry",
    "Shown",
    "Study",
    "TableSource",
    "UnknownNameError",
    "UsageError",
    "data_use_of",
    "dataset_infos",
    "datasets",
    "load",
]
