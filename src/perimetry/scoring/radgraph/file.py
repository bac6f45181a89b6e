"""Annotations from files in the RadGraph JSON format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from perimetry.cases.errors import DataError
from perimetry.scoring.radgraph.annotation import Annotation, Unread, read_annotation
from perimetry.scoring.radgraph.texts import Tokens, cut_decimal, same_form

__all__ = ["FileAnnotations"]

_ABSENT = Unread("the annotation file has no record of this text")
_TWICE = Unread("the annotation file has two records of this text that differ")


class FileAnnotations:
    """Annotations read from a file, found by the report's text.

    Reports and records meet by their text, however it was cut into tokens (`same_form`), and failing that without
    regard to capitals; neither position nor id is used, so that no reordering can pair a report with another's
    annotation. A record's text is its ``text``; where it has none, its key in the file is taken for the text.

    Parameters
    ----------
    path : Path
        ``.json``: an object of records by key, as the public extractor writes it. ``.jsonl``: a record a line. A
        folder: all such files in it (for example one of references and one for each system).
    tokens : {"whole", "upstream"}, default "whole"
        ``whole``: an annotation that cuts a decimal of its report leaves that report without one. ``upstream``: any cut
        of the same text will do.

    Examples
    --------
    >>> FileAnnotations(Path("absent.json")).obstacle()
    'absent.json is not there'
    """

    def __init__(self, path: Path, tokens: Tokens = "whole") -> None:
        self.path = path
        self.tokens: Tokens = tokens

    @property
    def parameters(self) -> Mapping[str, str]:
        """Digest of the files' bytes and the rule of tokens; ``absent`` where there is no file."""
        return {"annotations": "absent" if self.obstacle() else self._digest, "tokens": self.tokens}

    def obstacle(self) -> str:
        """See `AnnotationSource`."""
        if not self.path.exists():
            return f"{self.path} is not there"
        return "" if self._files() else f"{self.path} holds no .json and no .jsonl file"

    def annotate(self, texts: Sequence[str]) -> tuple[Annotation | Unread, ...]:
        """See `AnnotationSource`. The files are read on first use.

        Raises
        ------
        DataError
            For a file that is absent, not JSON or not of the form.
        """
        return tuple(self._find(text) for text in texts)

    def _find(self, text: str) -> Annotation | Unread:
        form = same_form(text)
        exact, folded = self._records
        record = exact[form] if form in exact else folded.get(form.casefold(), _ABSENT)
        if isinstance(record, Unread):
            return record
        told = record.get("text")
        cut = cut_decimal(text, tuple(told.split())) if isinstance(told, str) and self.tokens == "whole" else ""
        if cut:
            return Unread(
                f"the annotation cuts the decimal {cut}: annotate the text with decimals whole, or say tokens=upstream"
            )
        # A report in other capitals than its record: the entities are words of the record's text.
        return read_annotation(record, text if form in exact or not isinstance(told, str) else told)

    @cached_property
    def _records(self) -> tuple[dict[str, Mapping[str, object] | Unread], dict[str, Mapping[str, object] | Unread]]:
        """By exact form, and by form without capitals."""
        if self.obstacle():
            raise DataError(f"annotations: {self.obstacle()}. Name a file in the RadGraph JSON format.")
        exact: dict[str, Mapping[str, object] | Unread] = {}
        folded: dict[str, Mapping[str, object] | Unread] = {}
        for file in self._files():
            for key, record in _records_of(file):
                told = record.get("text", key)
                if not isinstance(told, str):
                    raise DataError(f"{file}: record {key!r} has a text that is {type(told).__name__}, not a string.")
                form = same_form(told)
                for known, by in ((exact, form), (folded, form.casefold())):
                    earlier = known.setdefault(by, record)
                    if not isinstance(earlier, Unread) and earlier.get("entities") != record.get("entities"):
                        known[by] = _TWICE
        if not exact:
            raise DataError(f"{self.path} holds no annotation. Name a file in the RadGraph JSON format.")
        return exact, folded

    @cached_property
    def _digest(self) -> str:
        digest = hashlib.sha256()
        for file in self._files():
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()[:16]

    def _files(self) -> tuple[Path, ...]:
        if not self.path.is_dir():
            return (self.path,)
        return tuple(sorted(file for file in self.path.iterdir() if file.suffix in {".json", ".jsonl"}))


def _records_of(file: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    expected = "expected the RadGraph JSON format: an object of records by key, each with text and entities"
    try:
        content = file.read_text(encoding="utf-8-sig")
        if file.suffix == ".jsonl":
            # Not splitlines(): a line of JSON may hold a line separator of Unicode as it is.
            lines = content.split("\n")
            loaded: object = {f"line {at}": json.loads(line) for at, line in enumerate(lines, 1) if line.strip()}
        else:
            loaded = json.loads(content)
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{file} cannot be read as JSON ({error}); {expected}.") from error
    if not isinstance(loaded, Mapping):
        raise DataError(f"{file} holds {type(loaded).__name__}; {expected}.")
    for key, record in loaded.items():
        if not isinstance(record, Mapping):
            raise DataError(f"{file}: record {key!r} is {type(record).__name__}; {expected}.")
        yield str(key), record
