"""A language model as generator of alternative references (reref.txt, section 2.2 and appendix A)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import UsageError
from perimetry.editing.edit import Proposal, Task
from perimetry.editing.loop import ROUNDS
from perimetry.editing.references.asked.asking import LONGEST_RAW, ask_all, may_come, text_of
from perimetry.editing.references.asked.prompt import edit_prompt
from perimetry.editing.references.report import ReportText, no_report
from perimetry.editing.references.taxonomy import Target
from perimetry.models.request import Decoding, Request
from perimetry.scoring.judges import Answer, Judge, Missing
from perimetry.scoring.judges.judgement import UnreadableAnswerError
from perimetry.scoring.judges.loose_json import read_object, unreadable

__all__ = ["TEMPERATURES", "TOKENS", "ModelGenerator"]

TEMPERATURES = (0.7,)
TOKENS = 4096
SEED = 42


@dataclass(frozen=True, slots=True)
class ModelGenerator:
    """Proposes what a model writes; each round draws anew.

    Parameters
    ----------
    judge : Judge
        The model with its store.
    targets : mapping of str to Target
        By spelling; a task's kind is one.
    dataset : str
    temperatures : tuple of float, default (0.7,)
        Of the rounds; the last holds for all further ones.
    tokens : int, default 4096
        New tokens at most.
    candidates : int, default 1
        Draws a round.
    seed : int, default 42
    structured : bool, default True
        Whether endpoints are asked to hold the answer to its schema.
    rounds : int, default 5
        That there are at most, for the line of progress.
    """

    judge: Judge
    targets: Mapping[str, Target]
    dataset: str
    temperatures: tuple[float, ...] = TEMPERATURES
    tokens: int = TOKENS
    candidates: int = 1
    seed: int = SEED
    structured: bool = True
    rounds: int = ROUNDS

    def __post_init__(self) -> None:
        if not self.temperatures or min(self.temperatures) < 0:
            raise UsageError(f"temperatures are {self.temperatures}; expected one or more numbers of 0 or above.")
        if self.candidates < 1:
            raise UsageError(f"candidates is {self.candidates}; expected at least 1.")

    def __call__(self, tasks: Sequence[Task[ReportText]], number: int) -> list[list[Proposal[ReportText]]]:
        """Ask for the candidates of a round."""
        requests = [[self.request(task, number, draw) for draw in range(self.candidates)] for task in tasks]
        what = f"rewriting, round {number} of at most {self.rounds}"
        answers = ask_all(self.judge, [request for several in requests for request in several], what)
        return [[self._read(request, answers.get(request.id)) for request in several] for several in requests]

    def request(self, task: Task[ReportText], number: int, draw: int = 0) -> Request:
        """What is asked for a task in a round; the same in every invocation, so that it is asked once."""
        prompt = edit_prompt("generator")
        schema = prompt.schema if self.structured else ""
        decoding = Decoding(self.tokens, self.temperatures[min(number, len(self.temperatures)) - 1])
        # Reports with the same text share their requests: the id is of what is asked, not of whom.
        seed = self.seed + 1000 * draw + number - 1
        identity = digest_parts(
            [
                "rewrite",
                prompt.digest,
                task.kind,
                prompt.fill(self.targets[task.kind], task.original).text,
                decoding.spelling,
                schema,
                str(seed),
            ]
        )
        return Request(
            identity,
            task.target,
            self.dataset,
            f"rewrite:{task.kind}",
            number - 1,
            seed,
            prompt.fill(self.targets[task.kind], task.original),
            decoding,
            schema,
        )

    def _read(self, request: Request, answer: Answer | None) -> Proposal[ReportText]:
        temperature = request.decoding.temperature
        text = text_of(answer)
        if isinstance(text, Missing):
            return self._none(request, text.reason, answer, may_come(answer))
        try:
            content = _report(text)
        except UnreadableAnswerError as error:
            missing = unreadable(text, error)
            return self._none(request, missing.reason, answer, False)
        return Proposal(self.judge.name, content, request_id=request.id, temperature=temperature)

    def _none(self, request: Request, reason: str, answer: Answer | None, passing: bool) -> Proposal[ReportText]:
        raw = (answer.text or "")[:LONGEST_RAW] if answer else ""
        return Proposal(
            self.judge.name,
            declined="failed",
            reason=reason,
            raw=raw,
            request_id=request.id,
            temperature=request.decoding.temperature,
            passing=passing,
        )


def _report(text: str) -> ReportText:
    held = read_object(text, ("findings", "impression"))
    values = []
    for name in ("findings", "impression"):
        value = held.get(name, None)
        if not isinstance(value, str):
            raise UnreadableAnswerError(f"{name!r} is {'no text' if name in held else 'not there'}")
        empty = value.strip().lower() in ("(none)", *(("none", "n/a") if name == "impression" else ()))
        values.append("" if empty else value.strip())
        fault = no_report(values[-1])
        if fault:
            raise UnreadableAnswerError(f"{name!r} is no report: {fault}")
    return ReportText(values[0], values[1])
