"""How far a radiologist agrees with the mapped labels and with the mapping table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from perimetry.builders.review.answers import Answer, MappingAnswer, read_answers
from perimetry.builders.review.folder import KEY
from perimetry.cases.chexpert import CHEXBERT_ORDER
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.layout import found_in
from perimetry.cases.plain_files import read_json
from perimetry.cases.tables import FindingTable, finding_table

__all__ = ["Agreement", "Disagreement", "ReviewSummary", "read_review", "wilson"]

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often she gave a class of the box.

    Parameters
    ----------
    name : str
        Class that the cases were drawn for, or ``all``.
    drawn, labelled, agreed : int
    low, high : float
        Wilson's 95% interval of the share; 0 and 1 where nothing was labelled.
    """

    name: str
    drawn: int
    labelled: int
    agreed: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """Share of the labelled cases; None where there is none."""
        return self.agreed / self.labelled if self.labelled else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A case where she gave another class.

    Parameters
    ----------
    case, study, mapped, given, sentence, comment : str
    """

    case: str
    study: str
    mapped: str
    given: str
    sentence: str
    comment: str


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """What a review came to.

    Parameters
    ----------
    dataset : str
    agreements : tuple of Agreement
        By class, then over all; empty where no sheet of cases was read.
    disagreements : tuple of Disagreement
    table : str
        Name of the mapping table; empty where its sheet was not read.
    confirmed, open_lines : int
        Lines of the table that she agrees with, and that she left open.
    objections : tuple of (str, str, MappingAnswer)
        Finding, mapped classes and what she said.
    """

    dataset: str
    agreements: tuple[Agreement, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    table: str = ""
    confirmed: int = 0
    open_lines: int = 0
    objections: tuple[tuple[str, str, MappingAnswer], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "dataset": self.dataset,
            "agreement": [
                {
                    "class": each.name,
                    "drawn": each.drawn,
                    "labelled": each.labelled,
                    "agreed": each.agreed,
                    "share": each.share,
                    "ci_low": each.low,
                    "ci_high": each.high,
                    "level": LEVEL,
                    "method": "Wilson",
                }
                for each in self.agreements
            ],
            "disagreements": [
                {name: getattr(each, name) for name in ("case", "study", "mapped", "given", "sentence", "comment")}
                for each in self.disagreements
            ],
            "mapping": {
                "table": self.table,
                "confirmed": self.confirmed,
                "open": self.open_lines,
                "objections": [
                    {"finding": finding, "mapped": mapped, "proposed": said.proposed, "comment": said.comment}
                    for finding, mapped, said in self.objections
                ],
            },
        }


def wilson(agreed: float, total: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval of a share (Wilson 1927): honest for few cases, and within 0..1.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(5, 5)]
    [0.566, 1.0]
    """
    if total == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = agreed / total
    middle = share + z * z / (2 * total)
    half = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    scale = 1 + z * z / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def read_review(folder: Path, sheets: Sequence[Path]) -> ReviewSummary:
    """Read filled-in sheets of a review and summarise them.

    Parameters
    ----------
    folder : Path
        As `perimetry.builders.review.hand_over` left it, with ``key.json``.
    sheets : sequence of Path
        ``cases.csv``, ``mapping.csv``, or both.

    Raises
    ------
    DataError
        When the key is not there, or a sheet is filled in wrongly; names the line.
    UsageError
        When two sheets are of the same kind.
    """
    key = _key(folder)
    cases: Mapping[str, Any] = key["cases"]
    table = finding_table(key["table"]) if key.get("table") else None
    findings = {row.finding for row in table.rows} if table else set()
    answers: tuple[Answer, ...] = ()
    mapping: tuple[MappingAnswer, ...] = ()
    for sheet in sheets:
        labelled, judged = read_answers(sheet, cases.keys(), findings)
        if (labelled and answers) or (judged and mapping):
            raise UsageError(f"--read {sheet}: a sheet of this kind was read before it. Read one reviewer at a time.")
        answers, mapping = answers + labelled, mapping + judged
    rejected = [each for each in mapping if not each.agrees]
    return ReviewSummary(
        dataset=str(key.get("dataset", "")),
        agreements=_agreements(answers, cases) if answers else (),
        disagreements=tuple(
            Disagreement(
                each.case,
                cases[each.case]["study"],
                ", ".join(cases[each.case]["classes"]),
                each.label,
                cases[each.case]["sentence"],
                each.comment,
            )
            for each in answers
            if each.label not in cases[each.case]["classes"]
        ),
        table=table.name if table and mapping else "",
        confirmed=len(mapping) - len(rejected),
        open_lines=len(findings) - len(mapping) if mapping else 0,
        objections=tuple((each.finding, _mapped(table, each.finding), each) for each in rejected),
    )


def _agreements(answers: Sequence[Answer], cases: Mapping[str, Any]) -> tuple[Agreement, ...]:
    given = {each.case: each.label for each in answers}
    found = []
    for name in (*CHEXBERT_ORDER, "all"):
        drawn = [case for case, said in cases.items() if name in ("all", said["class"])]
        labelled = [case for case in drawn if case in given]
        agreed = sum(given[case] in cases[case]["classes"] for case in labelled)
        if drawn:
            found.append(Agreement(name, len(drawn), len(labelled), agreed, *wilson(agreed, len(labelled))))
    return tuple(found)


def _mapped(table: FindingTable | None, finding: str) -> str:
    return "|".join(table.classes(finding) or ()) if table else ""


def _key(folder: Path) -> Mapping[str, Any]:
    path = folder / KEY
    if not path.is_file():
        raise DataError(
            f"{path} was looked for: the key that stayed behind when the cases were drawn. {found_in(folder)}"
        )
    key = read_json(path)
    if not isinstance(key, dict) or not isinstance(key.get("cases"), dict):
        raise DataError(f"{path} is not the key of a review. Take the one that was written with the cases.")
    return key
