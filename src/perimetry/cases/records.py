"""Questions and studies from plain records with their fields, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from perimetry.cases.boxes import fit_box
from perimetry.cases.chexpert import class_named
from perimetry.cases.echo import echo
from perimetry.cases.errors import CaseError
from perimetry.cases.fitted import CORNERS
from perimetry.cases.image import Image
from perimetry.cases.question import AnswerType, Origin, Question
from perimetry.cases.repeated_keys import parse_once
from perimetry.cases.shelf import image_group
from perimetry.cases.sources import FileSource
from perimetry.cases.study import SECTIONS, Box, Study
from perimetry.cases.values import closed_or_open, hidden_fields, labels_of, options_of, parse_list, text

__all__ = ["is_study", "question_from", "study_from", "study_record"]

ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
QUESTION_FIELDS = (
    *("id", "dataset", "group", "stem", "question", "answer", "answer_type", "options", "images", "image"),
    *("also_accepted", "hidden", "split", "origin"),
)
STUDY_FIELDS = ("id", "dataset", "group", "images", "image", "view", "sections", *SECTIONS, "boxes", "labels", "hidden")

_LABELS = (1.0, 0.0, -1.0)


def is_study(names: Mapping[str, Any] | tuple[str, ...]) -> bool:
    """Whether a record with these fields describes a study rather than a question.

    Examples
    --------
    >>> is_study(("id", "findings")), is_study(("id", "stem", "answer"))
    (True, False)
    """
    return not {"stem", "question"} & set(names) and bool({"sections", "boxes", "labels", *SECTIONS} & set(names))


def question_from(values: Mapping[str, Any], dataset: str, images: tuple[Image, ...], number: str) -> Question:
    """A question from a record with the fields of `Question`.

    ``question`` stands for ``stem``; options are a mapping label -> text, a list, or
    either of them as text; an answer may be a label or the text of an option (of several: each counts as right).
    Several keys are a list, or the text of one. Without an answer type, options make a ``choice``, yes and no
    ``closed``, all else ``open``. Other columns go to `hidden`.

    Raises
    ------
    CaseError
        When a field cannot be understood.
    """
    options = options_of(values.get("options"))
    given = values.get("answer")
    kind = text(values.get("answer_type")).lower()
    if kind and kind not in ANSWER_TYPES:
        raise CaseError(f"answer_type is {kind!r}; one of {', '.join(ANSWER_TYPES)} was expected")
    # Several keys in a list: the first is the gold one.
    listed = _keys(given) if options and kind in ("", "choice") else given
    keys = [text(each) for each in listed] or [""] if isinstance(listed, (list, tuple)) else [text(listed)]
    answer, further = keys[0], [*keys[1:], *_texts(values.get("also_accepted"))]
    answer_type = next((each for each in ANSWER_TYPES if each == kind), "choice" if options else closed_or_open(answer))
    if answer_type == "choice":
        answer, *others = labels_of(answer, options)
        named = dict.fromkeys([*others, *(label for each in further for label in labels_of(each, options))])
        further = [label for label in named if label != answer]
    return Question(
        id=text(values.get("id")) or number,
        dataset=dataset,
        group=text(values.get("group")) or image_group(images, number),
        stem=text(values.get("stem", values.get("question"))),
        answer=answer,
        answer_type=answer_type,
        options=options,
        images=images,
        also_accepted=tuple(further),
        hidden={**hidden_fields(values, *QUESTION_FIELDS), **_hidden(values)},
        origin=_origin(values.get("origin")),
    )


def study_from(
    values: Mapping[str, Any], dataset: str, images: tuple[Image, ...], number: str, lost: Iterable[Any] = ()
) -> Study:
    """A study from a record with the fields of `Study`; report sections may be columns of their own.

    CheXpert classes in labels and boxes may be written in any case, with underscores or blanks; a name that is no class
    stays as it is. A label of a class is 1, 0 or -1; empty and NaN ones are no labels. `lost` are the classes of boxes
    that were left out: those of which no label speaks are positive.

    Raises
    ------
    CaseError
        When a field cannot be understood, or a box names an image that the study does not have.
    """
    sections = {**values, **_mapping(values.get("sections"), "sections")}
    identity = text(values.get("id")) or number
    labels = _labels(_mapping(values.get("labels"), "labels"))
    for name in (each for classes in lost for each in _texts(classes)):
        labels.setdefault(class_named(name) or name, 1.0)
    return Study(
        id=identity,
        dataset=dataset,
        group=text(values.get("group")) or identity,
        images=images,
        sections={name: text(sections[name]) for name in SECTIONS if text(sections.get(name))},
        boxes=tuple(_box(box, len(images)) for box in (parse_list(values["boxes"]) if values.get("boxes") else ())),
        labels=labels,
        hidden={**hidden_fields(values, *STUDY_FIELDS), **_hidden(values)},
        origin=_origin(values.get("origin")),
    )


def study_record(study: Study) -> dict[str, Any]:
    """A study as a record that `study_from` reads: one line of ``studies.jsonl``.

    An image file stands under the data set's own name for it, which `studies` looks for in the folder of images; any
    other image under its source's name.

    Examples
    --------
    >>> study_record(Study("s1", "mine", "p1", sections={"findings": "Clear lungs."}))["sections"]
    {'findings': 'Clear lungs.'}
    """
    return {
        "id": study.id,
        "dataset": study.dataset,
        "group": study.group,
        "images": [{"path": _reference(image), "view": image.view} for image in study.images],
        "sections": dict(study.sections),
        "boxes": [
            {
                "image": box.image,
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "classes": sorted(box.classes),
                "finding": box.finding,
            }
            for box in study.boxes
        ],
        "labels": dict(study.labels),
        "hidden": dict(study.hidden),
        "origin": None if study.origin is None else {"parent": study.origin.parent, "edit": study.origin.edit},
    }


def _reference(image: Image) -> str:
    source = image.source
    return source.key if isinstance(source, FileSource) and source.key else source.name


def _keys(given: Any) -> Any:
    """A list of keys where a cell spells one (a CSV has texts only); anything else as it is."""
    if isinstance(given, str) and given.lstrip().startswith("["):
        try:
            return parse_list(given)
        except CaseError:
            return given
    return given


def _texts(value: Any) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    listed = parse_list(value) if not isinstance(value, str) or value.strip().startswith(("[", "(")) else [value]
    return tuple(text(each) for each in listed)


def _mapping(value: Any, field: str) -> Mapping[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = parse_once(value)
        except json.JSONDecodeError as error:
            raise CaseError(f"{field}: a JSON object was expected, found {str(value)[:60]!r}") from error
    if not isinstance(value, Mapping):
        raise CaseError(f"{field}: an object was expected, found {type(value).__name__}")
    return value


def _hidden(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: text(value) for name, value in _mapping(values.get("hidden"), "hidden").items()}


def _origin(value: Any) -> Origin | None:
    given = _mapping(value, "origin")
    return Origin(text(given.get("parent")), text(given.get("edit"))) if given else None


def _labels(given: Mapping[str, Any]) -> dict[str, float]:
    """Labels by class; two spellings of one class have to say the same."""
    found: dict[str, float] = {}
    for name, value in given.items():
        if value is None or text(value) == "":
            continue
        finding = class_named(name)
        number = _number(value, f"label {name!r}")
        if finding is not None and number not in _LABELS:
            raise CaseError(
                f"label {name!r} is {value!r}; expected 1 (there), 0 (not there) or -1 (uncertain), or nothing where "
                "the class is not spoken of"
            )
        if found.setdefault(finding or name, number) != number:
            raise CaseError(f"label {name!r} is {value!r}, another spelling of it {found[finding or name]:g}; keep one")
    return found


def _box(value: Any, images: int) -> Box:
    given = _box_fields(value)
    number = _number(given.get("image", 0), "box image")
    if not number.is_integer() or not 0 <= number < images:
        raise CaseError(f"a box lies on image {number:g}; the study has {images}")
    corners = [_number(given.get(name), f"box {name}") for name in CORNERS]
    x, y, width, height = fit_box(corners, None)
    classes = frozenset(class_named(name) or name for name in _texts(given.get("classes")))
    return Box(int(number), x, y, width, height, classes, text(given.get("finding")))


def _box_fields(value: Any) -> Mapping[str, Any]:
    """A box as an object with its four numbers; raises `CaseError` that says which are missing."""
    expected = 'expected an object such as {"image": 0, "x": 10, "y": 20, "width": 30, "height": 40, "classes": [...]}'
    if isinstance(value, str):
        value = _mapping(value, "boxes")
    if not isinstance(value, Mapping):
        raise CaseError(f"a box is {echo(value)}; {expected}")
    missing = [name for name in CORNERS if value.get(name) is None]
    if missing:
        names = {str(name).lower() for name in value}
        corners = " (its corners are given: width is x2 - x1, height is y2 - y1)" if {"x2", "y2"} <= names else ""
        if {"xmax", "ymax"} <= names:
            corners = " (its corners are given: width is xmax - xmin, height is ymax - ymin)"
        raise CaseError(
            f"a box has no {', '.join(missing)}{corners}; found {', '.join(map(str, value)) or 'nothing'}, {expected}"
        )
    return value


def _number(value: Any, field: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise CaseError(f"{field}: a number was expected, found {value!r}") from error
    if not math.isfinite(number):
        raise CaseError(f"{field}: a finite number was expected, found {value!r}")
    return number
