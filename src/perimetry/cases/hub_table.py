"""Records of hub snapshots, and the plainest layout: image, question, answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.dataset import LoadOptions
from perimetry.cases.echo import echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import image_folders, split_files
from perimetry.cases.question import Question
from perimetry.cases.shelf import ImageShelf, image_group
from perimetry.cases.table import Record, columns, read_records
from perimetry.cases.values import closed_or_open, hidden_fields, text

__all__ = ["HubRecord", "first_of", "hub_records", "plain_questions"]


@dataclass(frozen=True, slots=True)
class HubRecord:
    """A record of a hub snapshot.

    Parameters
    ----------
    file : Path
        Table file.
    record : Record
    number : str
        ``SPLIT-N``, N counted over the split's files in order of their names: an id for records that bring none. It
        stays the same when a snapshot is cut into other files.
    """

    file: Path
    record: Record
    number: str

    @property
    def values(self) -> dict[str, Any]:
        """Column name to value."""
        return self.record.values


def hub_records(
    root: Path, split: str, dataset: str, *needed: str | tuple[str, ...], part: str = ""
) -> Iterator[HubRecord]:
    """Stream the records of a split of a hub snapshot.

    Parameters
    ----------
    root : Path
        Folder of the snapshot, or one table file.
    split : str
    dataset : str
    *needed : str or tuple of str
        Columns that must be there; a tuple names spellings one of which must be.
    part : str, default ""
        See `split_files`.

    Raises
    ------
    DataError
        When a file lacks a column that is needed.
    """
    number = 0
    for file in split_files(root, split, dataset, part):
        present = columns(file)
        for names in needed:
            if not set(present) & set([names] if isinstance(names, str) else names):
                wanted = repr(names) if isinstance(names, str) else " or ".join(map(repr, names))
                raise DataError(
                    f"{dataset}: {file} has no column {wanted}; its columns: {echo_list(present)}. For another layout "
                    "use hub:PATH with a mapping file (--map FILE)."
                )
        for record in read_records(file):
            yield HubRecord(file, record, f"{split}-{number}")
            number += 1


def first_of(values: Mapping[str, Any], *names: str) -> Any:
    """The first of several spellings of a column that a record has a value for.

    Examples
    --------
    >>> first_of({"Anwser": "B"}, "Answer", "Anwser")
    'B'
    """
    return next((values[name] for name in names if values.get(name) is not None), None)


def plain_questions(
    dataset: str,
    root: Path,
    options: LoadOptions,
    funnel: Funnel,
    image: tuple[str, ...] = ("image",),
    question: tuple[str, ...] = ("question",),
    answer: tuple[str, ...] = ("answer",),
) -> Iterator[Question]:
    """Questions of a table with an image, a question and an answer, under any of the spellings given.

    Yes and no make a question ``closed``, all else ``open``. An answer that is a list stands for several accepted ones.
    """
    shelf = ImageShelf(image_folders(root, options, "images"))
    for item in hub_records(root, options.split or "all", dataset, image, question, answer):
        funnel.enter()
        given = first_of(item.values, *answer)
        answers = [text(each) for each in given] if isinstance(given, list) else [text(given)]
        first = answers[0] if answers else ""
        images = shelf.cell(item.record, item.file, next(name for name in image if name in item.values))
        yield Question(
            id=text(first_of(item.values, "id", "qid", "question_id")) or item.number,
            dataset=dataset,
            group=image_group(images, item.number),
            stem=text(first_of(item.values, *question)),
            answer=first,
            answer_type=closed_or_open(first),
            images=images,
            also_accepted=tuple(answers[1:]),
            hidden=hidden_fields(item.values, *image, *question, *answer),
        )
    shelf.report(funnel)
