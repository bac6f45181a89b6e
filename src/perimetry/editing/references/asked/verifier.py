"""A language model as verifier: four answers and why (reref.txt, appendix A.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.digest import digest_parts
from perimetry.editing.edit import Outcome, Task, Verdict
from perimetry.editing.loop import ROUNDS
from perimetry.editing.references.asked.asking import LONGEST_RAW, ask_all, may_come, text_of
from perimetry.editing.references.asked.prompt import edit_prompt
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.taxonomy import Target
from perimetry.models.request import Decoding, Request
from perimetry.scoring.judges import Answer, Judge, Missing
from perimetry.scoring.judges.judgement import UnreadableAnswerError
from perimetry.scoring.judges.loose_json import read_object, unreadable

__all__ = ["QUESTIONS", "ModelVerifier", "settled"]

QUESTIONS = (
    "is_clinically_consistent",
    "is_valid_perturbation",
    "does_not_contain_required_info",
    "is_already_in_expected_form",
)
TOKENS = 4096
SEED = 42


def settled(answers: Mapping[str, bool]) -> tuple[Outcome, str]:
    """What four answers come to. That an edit is impossible or not needed goes first: it is never accepted.

    Answers that exclude each other are no verdict: which of them is meant is not guessed.

    Parameters
    ----------
    answers : mapping of question to bool

    Examples
    --------
    >>> settled(dict(zip(QUESTIONS, (True, True, False, False))))
    ('accepted', '')
    >>> settled(dict(zip(QUESTIONS, (True, True, True, False))))[0]
    'infeasible'
    >>> settled(dict(zip(QUESTIONS, (True, True, True, True))))
    ('failed', 'it contradicts itself: the form is both out of reach and there already')
    """
    consistent, valid, lacking, already = (answers[question] for question in QUESTIONS)
    if lacking and already:
        return "failed", "it contradicts itself: the form is both out of reach and there already"
    if lacking:
        return "infeasible", "the original lacks what the form needs"
    if already:
        return "already_in_form", "the original has the form"
    if not consistent:
        return "rejected", "not clinically consistent"
    if not valid:
        return "rejected", "not the form asked for"
    return "accepted", ""


@dataclass(frozen=True, slots=True)
class ModelVerifier:
    """A model's verdict at temperature 0; stands behind the rules, whose rejection it never sees.

    Parameters
    ----------
    judge : Judge
    targets : mapping of str to Target
    dataset : str
    tokens : int, default 4096
    structured : bool, default True
    rounds : int, default 5
        As of the generator.
    """

    judge: Judge
    targets: Mapping[str, Target]
    dataset: str
    tokens: int = TOKENS
    structured: bool = True
    rounds: int = ROUNDS

    def __call__(self, pairs: Sequence[tuple[Task[ReportText], ReportText]], number: int) -> list[Verdict]:
        """Ask about every candidate of a round."""
        requests = [self.request(task, content, number) for task, content in pairs]
        answers = ask_all(self.judge, requests, f"verifying, round {number} of at most {self.rounds}")
        return [self._read(request, answers.get(request.id)) for request in requests]

    def request(self, task: Task[ReportText], content: ReportText, number: int) -> Request:
        """What is asked about a candidate; the same candidate is asked about once, in whatever round."""
        prompt = edit_prompt("verifier")
        filled = prompt.fill(self.targets[task.kind], task.original, content)
        decoding = Decoding(self.tokens, 0.0)
        schema = prompt.schema if self.structured else ""
        identity = digest_parts(["verify", prompt.digest, task.kind, filled.text, decoding.spelling, schema])
        return Request(
            identity,
            task.target,
            self.dataset,
            f"verify:{task.kind}",
            number - 1,
            SEED,
            filled,
            decoding,
            schema,
        )

    def _read(self, request: Request, answer: Answer | None) -> Verdict:
        text = text_of(answer)
        if isinstance(text, Missing):
            return self._none(request, text.reason, answer, may_come(answer))
        try:
            held = read_object(text, QUESTIONS)
            for question in QUESTIONS:
                if not isinstance(held.get(question), bool):
                    raise UnreadableAnswerError(f"{question!r} is neither true nor false")
        except UnreadableAnswerError as error:
            missing = unreadable(text, error)
            return self._none(request, missing.reason, answer, False)
        answers = {question: bool(held[question]) for question in QUESTIONS}
        outcome, reason = settled(answers)
        why = " ".join(str(held.get("reasoning", "")).split())
        return Verdict(self.judge.name, outcome, reason, tuple(answers.items()), request.id, raw=why[:LONGEST_RAW])

    def _none(self, request: Request, reason: str, answer: Answer | None, passing: bool) -> Verdict:
        raw = (answer.text or "")[:LONGEST_RAW] if answer else ""
        return Verdict(self.judge.name, "failed", reason, request_id=request.id, raw=raw, passing=passing)
