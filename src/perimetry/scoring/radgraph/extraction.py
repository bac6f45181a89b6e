"""Annotations from an extractor command that runs in an environment of its own."""

from __future__ import annotations

import json
import shlex
import shutil
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.errors import DataError, UsageError
from perimetry.scoring.cache import Cache, text_key
from perimetry.scoring.radgraph.annotation import Annotation, Unread, read_annotation
from perimetry.scoring.radgraph.process import LineProcess
from perimetry.scoring.radgraph.texts import Tokens, cut_decimal, same_form, whole_tokens

__all__ = ["ExtractorAnnotations", "ExtractorSettings"]

_VERSION = "radgraph-annotation/1"
_BUILD_UP = "see docs/radgraph.md for its environment"


@dataclass(frozen=True, slots=True)
class ExtractorSettings:
    """How an extractor is asked.

    Parameters
    ----------
    model : str, default "radgraph-xl"
        The model that it must say it runs.
    tokens : {"whole", "upstream"}, default "whole"
        Who cuts the report: we, with decimals whole, or the extractor.
    timeout : float, default 120
        Seconds for one report.
    start_timeout : float, default 600
        Seconds until it says that it is ready.
    retries : int, default 1
        How often a report is asked again after a crash or a timeout, each time of a new process.
    give_up : int, default 5
        After so many reports in a row that all their tries cost a process, the others are not asked.

    Raises
    ------
    UsageError
        For a value outside its range.
    """

    model: str = "radgraph-xl"
    tokens: Tokens = "whole"
    timeout: float = 120.0
    start_timeout: float = 600.0
    retries: int = 1
    give_up: int = 5

    def __post_init__(self) -> None:
        for name, value, least in (("retries", self.retries, 0), ("give_up", self.give_up, 1)):
            if value < least:
                raise UsageError(f"{name} is {value}; expected a whole number, {least} or more.")
        for name, seconds in (("timeout", self.timeout), ("start_timeout", self.start_timeout)):
            if not 0.0 < seconds < float("inf"):
                raise UsageError(f"{name} is {seconds}; expected seconds, more than 0.")


class _BrokenError(Exception):
    """The process is of no more use: it crashed, was silent, or spoke out of turn."""


class ExtractorAnnotations:
    """Asks an extractor for the annotation of each text, one at a time, and starts it again when it fails.

    The command reads requests and writes answers, one JSON object a line::

        extractor: {"ready": true, "model": "radgraph-xl"}
        perimetry: {"id": "0", "text": "tip 2.5 cm above", "tokens": ["tip", "2.5", "cm", "above"]}
        extractor: {"id": "0", "text": "tip 2.5 cm above", "entities": {...}}     or {"id": "0", "error": "..."}

    ``tokens`` is there with `ExtractorSettings.tokens` ``whole`` and must then be used as they are. Whatever else it
    prints is ignored. Distinct texts are asked in the order of their digests, so that neither the order of reports nor
    which of them came first decides which are read before an extractor is given up.

    Parameters
    ----------
    command : str
        Split as a shell would, and run without one.
    settings : ExtractorSettings
    cache : Cache, optional
        Keeps what was read; failures are never kept.

    Notes
    -----
    The process is started by the first text that no cache holds, and lives until `close`, or until this object goes.
    """

    def __init__(self, command: str, settings: ExtractorSettings | None = None, cache: Cache | None = None) -> None:
        self.settings = ExtractorSettings() if settings is None else settings
        try:
            self._command = tuple(shlex.split(command))
        except ValueError as error:
            raise UsageError(f"extractor is {command!r}, which cannot be split into words: {error}.") from error
        if not self._command:
            raise UsageError("extractor is empty; give a command, for example 'ENV/bin/python extractor.py'.")
        self.cache = cache
        self._process: LineProcess | None = None
        self._finalizer: weakref.finalize[[], ExtractorAnnotations] | None = None
        self._was_ready = False
        self._known: dict[str, Annotation] = {}

    def with_cache(self, cache: Cache) -> ExtractorAnnotations:
        """The same extractor, not yet started, with another cache."""
        return ExtractorAnnotations(shlex.join(self._command), self.settings, cache)

    @property
    def parameters(self) -> Mapping[str, str]:
        """The model, who cuts the report, and a digest of the command, which names the weights."""
        command = text_key(*self._command)[:8]
        return {"extractor": command, "model": self.settings.model, "tokens": self.settings.tokens}

    def obstacle(self) -> str:
        """See `AnnotationSource`."""
        name = self._command[0]
        return "" if shutil.which(name) else f"the extractor command {name!r} is not there ({_BUILD_UP})"

    def annotate(self, texts: Sequence[str]) -> tuple[Annotation | Unread, ...]:
        """See `AnnotationSource`.

        Raises
        ------
        UsageError
            When the command is not there, or runs another model than `ExtractorSettings.model`.
        DataError
            When it never becomes ready.
        """
        found: dict[str, Annotation | Unread] = {}
        open_texts: dict[str, str] = {}
        for text in dict.fromkeys(texts):
            key = self._key(text)
            kept = self._known.get(key) or self._cached(key, text)
            if kept is None:
                open_texts[key] = text
            else:
                found[text] = self._known[key] = kept
        failed_in_a_row = 0
        gone = ""
        for key, text in sorted(open_texts.items()):
            if gone:
                found[text] = Unread(gone)
                continue
            try:
                record = self._ask_often(text)
            except _BrokenError as error:
                found[text] = Unread(str(error))
                failed_in_a_row += 1
                if failed_in_a_row >= self.settings.give_up:
                    gone = f"the extractor was given up after {failed_in_a_row} failures in a row: {error}"
                continue
            failed_in_a_row = 0
            read = self._read(record, text)
            found[text] = read
            if isinstance(read, Annotation):
                self._known[key] = read
                if self.cache is not None:
                    self.cache.put(key, json.dumps(record).encode("utf-8"))
        return tuple(found[text] for text in texts)

    def close(self) -> None:
        """End the process; the next text that needs one starts another."""
        self._process = None
        if self._finalizer is not None:
            self._finalizer()
            self._finalizer = None

    def _key(self, text: str) -> str:
        return text_key(_VERSION, self.settings.model, self.settings.tokens, "\n".join(self._command), text)

    def _cached(self, key: str, text: str) -> Annotation | None:
        value = None if self.cache is None else self.cache.get(key)
        if value is None:
            return None
        try:
            record = json.loads(value)
        except ValueError:
            return None  # written by something else: it is asked for again
        read = self._read(record, text)
        return read if isinstance(read, Annotation) else None

    def _read(self, record: Mapping[str, object], text: str) -> Annotation | Unread:
        if "error" in record:
            # It is told by the process that was asked, which lives on: the same text would fail again.
            return Unread(f"the extractor could not read it: {str(record['error'])[:300]}")
        told = record.get("text")
        if isinstance(told, str) and self.settings.tokens == "whole" and same_form(told) == same_form(text):
            cut = cut_decimal(text, tuple(told.split()))
            if cut:
                return Unread(f"the extractor cut the decimal {cut} although it was given the tokens")
        return read_annotation(record, text)

    def _ask_often(self, text: str) -> Mapping[str, object]:
        tries = self.settings.retries + 1
        for left in reversed(range(tries)):
            try:
                return self._ask(text)
            except _BrokenError as error:
                self.close()
                if not left:
                    times = "" if tries == 1 else f" ({tries} times)"
                    raise _BrokenError(f"{error}{times}") from error
            except BaseException:
                self.close()  # an answer may be under way, which nobody must take for the next one's
                raise
        raise AssertionError("at least one try")

    def _ask(self, text: str) -> Mapping[str, object]:
        process = self._running()
        request: dict[str, object] = {"id": self._key(text), "text": text}
        if self.settings.tokens == "whole":
            request["tokens"] = whole_tokens(text, self.settings.model)
        process.send(json.dumps(request))
        deadline = time.monotonic() + self.settings.timeout
        while True:
            record = self._next(process, deadline, f"the extractor gave no answer in {self.settings.timeout:g} s")
            if record.get("id") == request["id"]:
                return record
            if "id" in record or "entities" in record or "error" in record:
                raise _BrokenError(f"the extractor answered for another id, {str(record.get('id'))[:80]!r}")

    def _running(self) -> LineProcess:
        if self._process is None:
            self._process = self._start()
        return self._process

    def _start(self) -> LineProcess:
        if self.obstacle():
            raise UsageError(f"extractor: {self.obstacle()}.")
        whole = shlex.join(self._command)
        try:
            process = LineProcess(self._command)
        except OSError as error:
            raise UsageError(f"extractor {whole} cannot be started: {error}. {_BUILD_UP}.") from error
        self._finalizer = weakref.finalize(self, process.stop)
        try:
            model = self._ready(process)
        except _BrokenError as error:
            self.close()
            if self._was_ready:
                raise
            raise DataError(
                f"extractor {whole}: {error}. When it can be asked it must write a line "
                f'{{"ready": true, "model": "{self.settings.model}"}}; {_BUILD_UP}.'
            ) from error
        if model != self.settings.model:
            self.close()
            raise UsageError(
                f"extractor {whole} runs the model {model!r}, expected {self.settings.model!r}. Have it load that one, "
                f"or say model={model}."
            )
        self._was_ready = True
        return process

    def _ready(self, process: LineProcess) -> str:
        limit = self.settings.start_timeout
        deadline = time.monotonic() + limit
        while True:
            record = self._next(process, deadline, f"it was not ready in {limit:g} s")
            if record.get("ready") is True:
                return str(record.get("model", ""))

    def _next(self, process: LineProcess, deadline: float, silence: str) -> Mapping[str, object]:
        """The next answer that is an object of JSON."""
        while True:
            try:
                line = process.receive(deadline)
            except TimeoutError as error:
                raise _BrokenError(_with_words(silence, process)) from error
            if line is None:
                code = process.exit_code(wait=5.0)
                ended = "its output ended" if code is None else f"the extractor ended with exit code {code}"
                raise _BrokenError(_with_words(ended, process))
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue  # talk that happens to begin with a brace
            if isinstance(record, dict):
                return record


def _with_words(what: str, process: LineProcess) -> str:
    return f"{what}; its last words: {process.last_words}" if process.last_words else what
