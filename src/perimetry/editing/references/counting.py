"""What a rewriting would ask, before anybody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases import load
from perimetry.editing.edit import Task
from perimetry.editing.loop import ROUNDS
from perimetry.editing.references.asked import ModelGenerator
from perimetry.editing.references.asked.generator import TEMPERATURES, TOKENS
from perimetry.editing.references.english import in_english
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.request_record import check_same_request, request_of
from perimetry.editing.references.room import RULES, names_of, open_room, settings_of
from perimetry.editing.references.studies import with_findings
from perimetry.editing.references.taxonomy import parse_targets
from perimetry.inference import RequestPlan
from perimetry.models import ModelContext

__all__ = ["Counted", "count_rewrites"]


@dataclass(frozen=True, slots=True)
class Counted:
    """What would be asked at most, and what the store holds of the first round."""

    reports: int
    forms: int
    edits: int
    first_round: int
    stored: int
    most_requests: int


def count_rewrites(
    data: str,
    *,
    out: Path | str,
    axes: Sequence[str] = ("all",),
    rewriter: str = RULES,
    verifier: str = RULES,
    split: str | None = None,
    limit: int | None = None,
    mapping: Path | str | None = None,
    rounds: int = ROUNDS,
    temperatures: Sequence[float] = TEMPERATURES,
    tokens: int = TOKENS,
    structured: bool = True,
    seed: int = 42,
    options: ModelContext | None = None,
) -> Counted:
    """What `rewrite` would ask at most; asks and writes nothing. Parameters as there."""
    wanted = parse_targets(axes, by_rules=rewriter == RULES)
    case_set = load(data, split=split, limit=limit, seed=seed, mapping=mapping)
    studies, _ = with_findings(case_set)
    english = in_english(studies)
    steps = sum(len(each) for each in wanted) * len(english)
    asked = set()
    stored = 0
    with open_room(rewriter, verifier, Path(out), None, options, progress=False) as room:
        made_by, checked_by = names_of(room)
        asking = settings_of(room, rounds=rounds, temperatures=temperatures, tokens=tokens, structured=structured)
        request = request_of(
            case_set.name, studies, wanted, rewriter=made_by, verifier=checked_by, seed=seed, asking=asking
        )
        check_same_request(Path(out), request)
        if room.generator is not None:
            targets = {step.spelling: step for each in wanted for step in each}
            proposer = ModelGenerator(
                room.generator, targets, case_set.name, tuple(temperatures), tokens, seed=seed, structured=structured
            )
            first = {
                request.id: request
                for each in wanted
                for study in english
                for request in (proposer.request(Task(study.id, each[0].spelling, ReportText.of(study.sections)), 1),)
            }
            asked = set(first)
            stored = len(asked) - room.generator.unasked(RequestPlan.of(first.values()))
        models = (room.generator is not None) + (room.verifier is not None)
        turns = rounds if room.generator is not None else 1
    return Counted(len(studies), len(wanted), len(studies) * len(wanted), len(asked), stored, steps * turns * models)
