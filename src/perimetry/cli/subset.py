"""`perimetry subset`: a shortcut-mitigated subset with the reason for every removal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from perimetry.screening.subset import SubsetResult

__all__ = ["subset"]


def subset(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Outputs of perimetry screen, guess and audit routes, in any order."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for items, reasons, tiers, card and page.")],
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file of rules; those of the package if not given.")
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Table of what people decided: dataset, case_id, cue, tier, by."),
    ] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples behind every interval.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of resamples and random filters.")] = 42,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data card as JSON.")] = False,
) -> None:
    """Choose items by rules on screens, guesses and model answers; write the subset with its data card.

    Example: perimetry subset screens guesses runs/routes --rules mine.toml --out subset
    """
    from perimetry.cli.show import interruptible
    from perimetry.screening.subset import make_subset

    with interruptible("Nothing is kept on the way: the same command begins again."):
        result = make_subset(folders, rules=rules, decisions=decisions, out=out, resamples=resamples, seed=seed)
    show_subset(result, as_json)


def show_subset(result: SubsetResult, as_json: bool) -> None:
    """Counts, reasons, before and after, and where everything lies."""
    from perimetry.cli.show import complain, print_json, print_table
    from perimetry.reports import interval_text, p_text
    from perimetry.screening.subset.card import FEW

    card = result.card
    if as_json:
        print_json(card)
        return
    counts = card["counts"]
    removed = [
        (it["rule"], it["because"], f"{it['items']:,}", f"{it['by_this_rule_alone']:,}") for it in card["removed_by"]
    ]
    title = f"{counts['removed']:,} of {counts['items']:,} items removed, {counts['kept']:,} kept"
    print_table(title, ("rule", "because", "items", "by it alone"), removed)
    rows = []
    held = [it for it in card["accuracy"] if not it["chose_items"]]
    for it in held:
        cells = [
            "–" if it[name] is None else interval_text(*it[name], sign=name in ("change", "random"))
            for name in ("before", "after", "change", "random")
        ]
        if it["after"] is not None and it["items_after"] < FEW:
            cells[1] += f" ({it['items_after']:,} items only)"
        rows.append((it["dataset"], it["who"], it["setting"] or "-", *cells, p_text(it["p_random"])))
    columns = ("data set", "who", "setting", "before", "after", "change", "random filter, change", "p")
    print_table("Answers that did not choose the items", columns, rows)
    if len(held) < len(card["accuracy"]):
        complain("Note: answers that chose drop by the choice itself; card.md has them apart.")
    for one in card["notes"]:
        complain(f"Note: {one}")
    for one in card["missing_evidence"]:
        complain(f"Note: not given: {one}")
    for one in card["idle_rules"]:
        complain(f"Note: a rule without effect: {one}")
    assert result.path is not None
    typer.echo(f"Items:  {result.path / 'items.csv'}")
    typer.echo(f"Card:   {result.path / 'card.md'}")
    typer.echo(f"Report: {result.path / 'report' / 'index.html'}")
