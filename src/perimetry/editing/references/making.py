"""Alternatives of many studies: one loop a step, so that all reports are asked about together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perimetry.cases.study import Study
from perimetry.editing.edit import Edit, Proposer, Task, Verifier
from perimetry.editing.loop import ROUNDS, run_loop
from perimetry.editing.references.accounting.verifier import BY
from perimetry.editing.references.alternative import Alternative
from perimetry.editing.references.casing import in_style_of
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.taxonomy import Target

__all__ = ["make_alternatives"]

_Key = tuple[str, tuple[str, ...]]


def make_alternatives(
    studies: Sequence[Study],
    wanted: Sequence[tuple[Target, ...]],
    proposer: Proposer[ReportText],
    verifiers: Sequence[Verifier[ReportText]],
    *,
    rounds: int = ROUNDS,
) -> tuple[Alternative, ...]:
    """Bring every study into every wanted form.

    The steps of a compound form follow one another: what was accepted at a step is the original of the next, and each
    step is verified by itself.

    Parameters
    ----------
    studies : sequence of Study
        With findings; ids are distinct.
    wanted : sequence of tuple of Target
        As `parse_targets` gives them.
    proposer : Proposer
    verifiers : sequence of Verifier
    rounds : int, default 5
        Of each step.

    Returns
    -------
    tuple of Alternative
        By study, then by form: the order does not depend on how many are made at once.

    Examples
    --------
    >>> from perimetry.editing.references.accounting import RuleVerifier
    >>> from perimetry.editing.references.rules import RuleGenerator
    >>> from perimetry.editing.references.taxonomy import parse_targets
    >>> study = Study("s1", "mine", "s1", sections={"findings": "1. Mild cardiomegaly."})
    >>> made, = make_alternatives([study], parse_targets(["structure:free_text+terminology"]), RuleGenerator(),
    ...     [RuleVerifier()])
    >>> made.status, made.text.findings[:15]
    ('accepted', 'Mildly enlarged')
    """
    originals = {study.id: ReportText.of(study.sections) for study in studies}
    edits: dict[_Key, list[Edit[ReportText]]] = {key: [] for key in _keys(studies, wanted)}
    latest: dict[_Key, ReportText] = {key: originals[key[0]] for key in edits}
    steps = {tuple(step.spelling for step in each): each for each in wanted}
    for depth in range(max((len(each) for each in wanted), default=0)):
        going = [key for key, text in latest.items() if depth < len(key[1])]
        # A first step that two forms share is one task; later steps begin from texts of their own.
        tasks: dict[tuple[str, str, ReportText], Task[ReportText]] = {
            (key[0], key[1][depth], latest[key]): Task(key[0], key[1][depth], latest[key]) for key in going
        }
        done = _looped(tuple(tasks.values()), proposer, verifiers, rounds)
        for key in going:
            edit = done[key[0], key[1][depth], latest[key]]
            last = depth > 0 and depth == len(key[1]) - 1
            if last and edit.result is not None and _same(edit.result, originals[key[0]]):
                edit = _led_back(edit)
            edits[key].append(edit)
            if edit.result is None:
                del latest[key]
            else:
                latest[key] = edit.result
    return tuple(
        Alternative(
            study.id, study.dataset, study.group, steps[spelled], originals[study.id], tuple(edits[study.id, spelled])
        )
        for study in studies
        for spelled in steps
    )


def _same(one: ReportText, other: ReportText) -> bool:
    """Whether two reports say the same in the same words and layout, stops and blanks aside."""
    one = in_style_of(one, other)
    return all(_laid(one.get(name)) == _laid(other.get(name)) for name in {*one.sections, *other.sections})


def _laid(text: str) -> list[tuple[str, str, str]]:
    statements = Layout.of(text).statements
    return [(each.mark.strip(), each.title.lower(), each.said.lower().rstrip(" .")) for each in statements]


def _led_back(edit: Edit[ReportText]) -> Edit[ReportText]:
    """The last step of a compound that ended where its first began: no other text, though each step was one."""
    rounds = tuple(replace(each, chosen=None) for each in edit.rounds)
    return replace(edit, rounds=rounds, status="already_in_form", by=BY, reason="the steps lead back to the original")


def _looped(
    tasks: Sequence[Task[ReportText]],
    proposer: Proposer[ReportText],
    verifiers: Sequence[Verifier[ReportText]],
    rounds: int,
) -> dict[tuple[str, str, ReportText], Edit[ReportText]]:
    """Run the loop; tasks with the same study and step but other texts go into loops of their own."""
    done: dict[tuple[str, str, ReportText], Edit[ReportText]] = {}
    left = list(tasks)
    while left:
        now = {task.id: task for task in reversed(left)}
        for edit in run_loop(tuple(now.values()), proposer, verifiers, rounds=rounds):
            done[edit.task.target, edit.task.kind, edit.task.original] = edit
        left = [task for task in left if (task.target, task.kind, task.original) not in done]
    return done


def _keys(studies: Sequence[Study], wanted: Sequence[tuple[Target, ...]]) -> Iterator[_Key]:
    for each in wanted:
        for study in studies:
            yield study.id, tuple(step.spelling for step in each)
