"""The loop by itself, with callables whose answers are written down."""

from __future__ import annotations

from typing import Literal

import pytest

from perimetry.cases import UsageError
from perimetry.editing import Proposal, Task, Verdict, edit_funnels, run_loop

TASK = Task("s1", "loud", "a")


def says(*texts):
    """A proposer that says these, one a round; None fails, '!' declines as infeasible, '=' as in form."""
    asked = []

    def proposer(tasks, number):
        asked.append((number, [task.id for task in tasks]))
        text = texts[min(number, len(texts)) - 1]
        if text is None:
            return [[Proposal("p", declined="failed", reason="unreadable", raw="garbage")] for _ in tasks]
        if text in "!=":
            declined: Literal["infeasible", "already_in_form"] = "infeasible" if text == "!" else "already_in_form"
            return [[Proposal("p", declined=declined, reason="so it is")] for _ in tasks]
        return [[Proposal("p", text)] for _ in tasks]

    proposer.asked = asked  # type: ignore[attr-defined]  # a function that keeps count
    return proposer


def accepts(*good, by="v", otherwise="rejected"):
    seen = []

    def verifier(pairs, number):
        seen.append([content for _, content in pairs])
        return [
            Verdict(by, "accepted") if content in good else Verdict(by, otherwise, "not good") for _, content in pairs
        ]

    verifier.seen = seen  # type: ignore[attr-defined]  # a function that keeps count
    return verifier


def test_it_stops_at_the_first_accepted_round():
    proposer = says("b", "c", "d")
    (edit,) = run_loop([TASK], proposer, [accepts("c")])
    assert (edit.status, edit.result, len(edit.rounds), edit.rounds[1].chosen) == ("accepted", "c", 2, 0)
    assert [number for number, _ in proposer.asked] == [1, 2]
    assert edit.rounds[0].trials[0].proposal.content == "b"


def test_five_rounds_at_most_and_the_last_proposal_is_kept():
    (edit,) = run_loop([TASK], says("b", "c", "d", "e", "f", "g"), [accepts()])
    assert (edit.status, edit.last, len(edit.rounds), edit.reason) == ("rejected", "f", 5, "not good")
    assert edit.result is None


@pytest.mark.parametrize(
    ("mark", "status"), [("!", "infeasible"), ("=", "already_in_form")], ids=["infeasible", "in form"]
)
def test_what_cannot_or_need_not_be_is_not_asked_again(mark, status):
    proposer = says(mark, "b")
    (edit,) = run_loop([TASK], proposer, [accepts("b")])
    assert (edit.status, edit.by, edit.reason, len(proposer.asked)) == (status, "p", "so it is", 1)


def test_a_verifier_says_infeasible_too():
    (edit,) = run_loop([TASK], says("b"), [accepts("b"), accepts(by="model", otherwise="infeasible")])
    assert (edit.status, edit.by) == ("infeasible", "model")


def test_the_chain_stops_at_the_first_rejection_and_names_it():
    rules, model = accepts("c", by="rules"), accepts("b", "c", by="model")
    (edit,) = run_loop([TASK], says("b", "c"), [rules, model])
    assert [verdict.by for verdict in edit.rounds[0].trials[0].verdicts] == ["rules"]
    assert [verdict.by for verdict in edit.rounds[1].trials[0].verdicts] == ["rules", "model"]
    assert model.seen == [["c"]]  # what the rules reject, the model never sees


def test_garbage_from_first_to_last_is_a_failure_with_every_round_kept():
    (edit,) = run_loop([TASK], says(None), [accepts("b")])
    assert (edit.status, len(edit.rounds), edit.waiting) == ("failed", 5, False)
    assert {each.trials[0].proposal.raw for each in edit.rounds} == {"garbage"}


def test_garbage_after_a_rejection_is_a_rejection():
    (edit,) = run_loop([TASK], says("b", None), [accepts()])
    assert (edit.status, edit.by, edit.last) == ("rejected", "v", "b")


def test_a_missing_answer_waits_and_is_no_further_round():
    def proposer(tasks, number):
        return [[Proposal("p", declined="failed", reason="timeout", passing=True)] for _ in tasks]

    (edit,) = run_loop([TASK], proposer, [accepts()])
    assert (edit.status, edit.waiting, len(edit.rounds)) == ("failed", True, 1)


def test_only_open_tasks_go_on_and_the_order_is_kept():
    tasks = [Task(str(n), "loud", "a") for n in range(3)]

    def proposer(open_tasks, number):
        return [[Proposal("p", f"{task.target}{number}")] for task in open_tasks]

    edits = run_loop(tasks, proposer, [accepts("02", "11", "23")])
    assert [(edit.task.target, edit.result) for edit in edits] == [("0", "02"), ("1", "11"), ("2", "23")]


def test_the_best_of_several_candidates_by_a_policy():
    proposer = lambda tasks, number: [[Proposal("p", text) for text in "bcd"] for _ in tasks]  # noqa: E731
    last = lambda task, trials: max(place for place, trial in enumerate(trials) if trial.accepted)  # noqa: E731
    (edit,) = run_loop([TASK], proposer, [accepts("b", "c")], choice=last)
    assert edit.result == "c"
    with pytest.raises(UsageError, match="had not accepted"):
        run_loop([TASK], proposer, [accepts("b")], choice=lambda task, trials: 2)


def test_bad_calls_say_what_is_wrong():
    with pytest.raises(UsageError, match="more than once"):
        run_loop([TASK, TASK], says("b"), [accepts()])
    with pytest.raises(UsageError, match="at least one verifier"):
        run_loop([TASK], says("b"), [])
    with pytest.raises(UsageError, match="rounds is 0"):
        run_loop([TASK], says("b"), [accepts()], rounds=0)


def test_the_funnel_accounts_for_every_edit():
    edits = [
        *run_loop([Task("1", "loud", "a")], says("b"), [accepts("b")]),
        *run_loop([Task("2", "loud", "a")], says("!"), [accepts()]),
        *run_loop([Task("3", "loud", "a")], says("b"), [accepts()]),
        *run_loop([Task("4", "loud", "a")], says(None), [accepts()]),
    ]
    (funnel,) = edit_funnels(edits)
    assert dict(funnel.endings) == {"accepted": 1, "infeasible": 1, "already_in_form": 0, "rejected": 1, "failed": 1}
    assert (funnel.tasks, funnel.proposed, funnel.rounds) == (4, 2, ((1, 1),))
    assert sum(row[3] for row in funnel.reasons) == 3
