"""The part of the page on what a judge says: a model's opinion, apart from what screens find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perimetry.reports import Block, Column, Section, TableBlock, TextBlock
from perimetry.screening.judging.opinion import Opinion
from perimetry.screening.judging.tables import judged_frame, missing_frame

__all__ = ["judge_notes", "judge_section"]

OPINION_COLUMNS = (
    Column("dataset", "Data set", "name"),
    Column("title", "Cue, as the model sees it"),
    Column("items", "Verdicts", "integer", help="items that it was asked about and gave a verdict on"),
    Column("no_verdict", "None", "integer", help="asked about, without an answer that can be read and shown"),
    Column("items_with_cue", "There", "integer", help="items in which the model says that the cue is there"),
    Column("share_of_items", "%", "share", help="of the verdicts"),
    Column("key_has_cue", "Keys with it", "integer", help="of cues of options; the model is not told the key"),
    Column("share_of_keys", "% of keys", "share"),
    Column("odds_ratio", "Odds ratio", "number", 2, low="ci_low", high="ci_high"),
    Column("p_holm", "p, Holm", "p", help="adjusted over the judged cues of the data set, apart from the screens"),
)
AGREEMENT_COLUMNS = (
    Column("dataset", "Data set", "name"),
    Column("title", "Cue, as the model sees it"),
    Column("rules", "Screens of the same cue"),
    Column("both", "Both", "integer", help="items in which both say that the cue is there"),
    Column("judge_only", "Model only", "integer"),
    Column("rules_only", "Screens only", "integer"),
    Column("neither", "Neither", "integer"),
    Column("agreement", "Same, %", "share"),
    Column("kappa", "Kappa", "number", 2, help="Cohen's; none where one answer only is given"),
)
MISSING_COLUMNS = (
    Column("dataset", "Data set", "name"),
    Column("reason", "Why"),
    Column("items", "Items", "integer"),
    Column("verdicts", "Verdicts", "integer"),
)


def judge_section(opinions: Sequence[Opinion]) -> Section:
    """The section of the page.

    Parameters
    ----------
    opinions : sequence of Opinion
        One or more, of one judge.
    """
    first = opinions[0]
    return Section(
        "What a model says",
        f"The opinion of {first.judge} (prompt {first.prompt}), asked about cues that no rule can decide. It was shown "
        f"{'words and images' if first.images else 'words only'}, and not the key. Neither a finding of a screen nor "
        "the judgement of a clinician.",
        tuple(_blocks(opinions)),
    )


def judge_notes(opinions: Sequence[Opinion]) -> Iterator[str]:
    """Cautions under the headline."""
    for one in opinions:
        if one.pending:
            yield (
                f"{one.dataset}: {one.pending:,} requests to {one.judge} have no final answer; what the model says "
                "rests on the others. The same command asks them."
            )
        elif one.unjudged:
            yield (
                f"{one.dataset}: {one.unjudged:,} of {sum(one.asked.values()):,} verdicts of {one.judge} are missing, "
                "and count as none: never as a cue that is not there."
            )


def _blocks(opinions: Sequence[Opinion]) -> Iterator[Block]:
    rows = judged_frame(opinions).sort(
        "dataset", "share_of_items", "cue", descending=[False, True, False], nulls_last=True
    )
    plain = rows.to_dicts()
    several = len(opinions) > 1
    silent = sum(one.unasked for one in opinions)
    if silent:
        yield TextBlock((f"{silent:,} items hold no words that the model could be asked about.",))
    yield TableBlock(
        _of(OPINION_COLUMNS, several),
        tuple(plain),
        "A model's opinion. Shares are of the items with a verdict; where words are shown, they stand in the item.",
        "judged-cues",
        "Cues that the model sees",
    )
    held = [row for row in plain if row["agreement"] is not None]
    if held:
        yield TableBlock(
            _of(AGREEMENT_COLUMNS, several),
            tuple(held),
            "Items of which both say something. A model is asked whether the cue leads to an answer, a screen whether "
            "it is there at all: to see less than the screen is no fault of the model.",
            "judged-agreement",
            "Model and screens on the same cues",
        )
    missing = missing_frame(opinions).to_dicts()
    if missing:
        yield TableBlock(
            _of(MISSING_COLUMNS, several),
            tuple(missing),
            "None of these is counted as a cue that is not there.",
            "judged-missing",
            "Without a verdict",
        )


def _of(columns: tuple[Column, ...], several: bool) -> tuple[Column, ...]:
    """The data set stands in a table only where there are several."""
    return columns if several else columns[1:]
