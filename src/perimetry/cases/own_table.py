"""Cases from a user's own tables, with or without a mapping file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from perimetry.cases.boxes import note_boxes
from perimetry.cases.check import built
from perimetry.cases.dataset import Case, LoadOptions
from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.fitted import fitted_boxes
from perimetry.cases.funnel import Funnel
from perimetry.cases.image import Image
from perimetry.cases.layout import canonical_split, image_folders, setting
from perimetry.cases.mapping import Mapping, Rule
from perimetry.cases.near_fields import near_fields
from perimetry.cases.option_columns import option_columns
from perimetry.cases.records import QUESTION_FIELDS, STUDY_FIELDS, is_study, question_from, study_from
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.study import SECTIONS
from perimetry.cases.table import Record, columns, read_records
from perimetry.cases.values import parse_list, text

__all__ = ["MAPPED_FIELDS", "OWN_SETTINGS", "own_cases", "own_mapping"]

# What only a recorded answer has.
ANSWER_FIELDS = frozenset({"case_id", "condition", "response"})

OWN_SETTINGS = ("name", "data_use")

NAME = re.compile(r"[^\W_][\w .()-]{0,59}")

# Fields that cannot be the same for every row, and the one whose members can.
VARYING = (
    *("id", "group", "stem", "question", "answer", "also_accepted", "images", "image"),
    *("sections", *SECTIONS, "boxes", "labels"),
)
OPTIONS = ("options",)

MAPPED_FIELDS = frozenset({*QUESTION_FIELDS, *STUDY_FIELDS, *ANSWER_FIELDS, "repeat", "model"})
"""What a mapping file may have lines for: fields of cases and of recorded answers, since one file may serve both."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How the records of one file become cases."""

    file: Path
    dataset: str
    mapping: Mapping | None
    names: tuple[str, ...]
    study: bool
    unused: dict[str, str]
    options: dict[str, str]

    @classmethod
    def of(cls, file: Path, dataset: str, mapping: Mapping | None) -> Reader:
        """Bind the mapping to the file's columns and look at which kind of case its fields describe."""
        present = columns(file)
        bound = None if mapping is None else mapping.bind(present, varying=VARYING, members=OPTIONS)
        names = present if bound is None else tuple(bound.rules)
        study = is_study(names)
        read = bound.used | bound.rules.keys() if bound else frozenset[str]()
        fields = STUDY_FIELDS if study else QUESTION_FIELDS
        rest = [name for name in present if name not in (*fields, *read)]
        options = {} if study or "options" in names else _options(rest, bound, file)
        rest = [name for name in rest if name not in options.values()]
        unused = near_fields(rest, fields, {*present, *names, *(("options",) if options else ())})
        if not study and not ({"stem", "question"} & set(names) and "answer" in names):
            where = f"the mapping {bound.source} gives" if bound else f"{file} has"
            meant = "".join(f" Is {echo(column)!r} the {field}?" for column, field in unused.items())
            raise DataError(
                f"{dataset}: {where} {echo_list(names) or 'no columns'}; a question needs stem (or question) and "
                f"answer, a study needs findings or other sections.{meant} Say which columns they are with --map FILE."
            )
        return cls(file, dataset, bound, names, study, unused, options)

    def fields(self, values: dict[str, Any]) -> dict[str, Any]:
        """The record under the names of the fields; columns that no rule names keep theirs."""
        if self.mapping is None:
            return self._with_options(values)
        used = self.mapping.used | self.mapping.rules.keys()
        return self._with_options(
            {
                **{name: value for name, value in values.items() if name not in used},
                **self.mapping.row(values),
            }
        )

    def _with_options(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Options from columns of their own, for rows that do not say that they are no choices."""
        if not self.options or text(fields.get("answer_type")).lower() not in ("", "choice"):
            return fields
        taken = set(self.options.values())
        options = {label: fields.get(column) for label, column in self.options.items()}
        return {**{name: value for name, value in fields.items() if name not in taken}, "options": options}

    def case(self, record: Record, fields: dict[str, Any], shelf: ImageShelf, boxes: Funnel, number: str) -> Case:
        """The case of a record; raises `CaseError` when it cannot become one."""
        images = self._images(record, shelf)
        if self.study:
            given = parse_list(fields["boxes"]) if fields.get("boxes") else []
            fitted, lost = fitted_boxes(given, images, boxes, text(fields.get("id")) or number)
            return study_from({**fields, "boxes": fitted}, self.dataset, images, number, lost)
        return question_from(fields, self.dataset, images, number)

    def _images(self, record: Record, shelf: ImageShelf) -> tuple[Image, ...]:
        view = text(record.values.get("view"))
        if self.mapping is None:
            column = "images" if record.values.get("images") is not None else "image"
            return shelf.cell(record, self.file, column, view)
        rule = self.mapping.rules.get("images", self.mapping.rules.get("image", []))
        found: list[Image] = []
        for each in rule if isinstance(rule, list) else [rule]:
            if isinstance(each, Rule) and each.kind == "column":
                found += shelf.cell(record, self.file, str(each.value), view)
            elif reference := text(Mapping({"image": each}).row(record.values)["image"]):
                found.append(shelf.file(reference, view))
        return tuple(found)


def _options(rest: Iterable[str], mapping: Mapping | None, file: Path) -> dict[str, str]:
    """Label -> column where options have columns of their own; asked for where a mapping names none."""
    if mapping is None:
        return option_columns(rest, str(file))
    if "answer_type" in mapping.rules and mapping.constants.get("answer_type") != "choice":
        return {}
    return option_columns(rest, f"{file} with {mapping.source}")


def own_mapping(path: Path | None) -> Mapping | None:
    """The rules of a mapping file that make cases; None where it has none of them.

    One file serves the data and the recorded answers of a run.

    Raises
    ------
    DataError
        When the file cannot be read, or has a line for a field that there is none of.
    """
    if path is None:
        return None
    mapping = Mapping.read(path)
    mapping.refuse_unknown(MAPPED_FIELDS)
    if not mapping.rules.keys() - ANSWER_FIELDS:
        return None
    return mapping.only(mapping.rules.keys() - ANSWER_FIELDS) if mapping.rules.keys() >= ANSWER_FIELDS else mapping


def own_cases(dataset: str, files: Iterable[Path], root: Path, options: LoadOptions, funnel: Funnel) -> Iterator[Case]:
    """Yield the questions or studies of tables with the fields of `Question` or `Study`, or mapped onto them.

    Images are paths relative to the table's folder (or ``--images``), base64, or bytes. Rows of another split leave
    where the table has a column ``split`` and one is asked for. Rows get their row number where the table has no ids.

    Raises
    ------
    DataError
        When a file lacks the fields that are needed, or the mapping names no column.
    """
    mapping = own_mapping(options.mapping)
    shelf = ImageShelf(image_folders(root, options, "images"))
    name = _plain_name(setting(options, "name", dataset))
    boxes = Funnel("boxes")
    number = 0
    for file in files:
        reader = Reader.of(file, name, mapping)
        for column, field in reader.unused.items():
            funnel.note(
                f"the column {echo(column)!r} is not shown to any model: was {field} meant? Rename it, or map it with "
                "--map FILE"
            )
        if reader.options:
            funnel.note(f"the columns {echo_list(tuple(reader.options.values()))} are read as the options")
        for record in read_records(file, faulty=True):
            funnel.enter()
            number += 1
            if record.fault:
                funnel.leave_out("a key that stands twice in its record", record.fault)
                continue
            fields = reader.fields(record.values)
            split = canonical_split(text(fields.get("split")))
            if split and options.split not in (None, "all", split):
                funnel.leave_out(f"of the split {echo(split)}", f"row {number}", asked_for=True)
                continue
            if not text(fields.get("id")):
                if "id" in reader.names:  # a number in its place could be the id of another row
                    funnel.leave_out("no id in a table with ids", f"row {number}")
                    continue
                funnel.note("rows without an id are named by their row number")
            make = partial(reader.case, record, fields, shelf, boxes, str(number))
            yield from built(make, text(fields.get("id")) or f"row {number}", funnel)
    if not number:
        held = " and ".join(f"{file} has the columns {echo_list(columns(file)) or '(none)'}" for file in files)
        raise DataError(f"{name}: {held} and no rows; one row a case was expected.")
    note_boxes(boxes, funnel)
    shelf.report(funnel)


def _plain_name(name: str) -> str:
    """A name that can stand in tables and file names; refused here, before anybody is asked."""
    if not NAME.fullmatch(name) or name in ("macro", "pooled"):
        raise UsageError(
            f"The data set name {name[:100]!r} cannot be used; 1 to 60 letters, digits, blanks and . _ - ( ) were "
            "expected, beginning with a letter or digit, and neither macro nor pooled."
        )
    return name
