"""`perimetry sample-for-review`: cases for a radiologist, and her answers."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from perimetry.builders.review import ReviewSummary

__all__ = ["sample_for_review"]


def sample_for_review(
    studies: Annotated[
        str,
        typer.Argument(metavar="STUDIES", help="studies.jsonl, its folder, or NAME:PATH; with --read the review."),
    ],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="New folder for the cases and their key.")] = None,
    per_class: Annotated[int, typer.Option(min=1, help="Cases of each class.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 42,
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the images where it is not the layout's own.")
    ] = None,
    read: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Filled-in cases.csv or mapping.csv; repeatable, for both."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Draw boxes of each class for a radiologist, without the mapped label; or read back what she filled in.

    Example: perimetry sample-for-review built/padchest-gr --out review

    and later: perimetry sample-for-review review --read cases.csv --read mapping.csv
    """
    from perimetry.builders.review import hand_over, read_review
    from perimetry.cases import UsageError, load
    from perimetry.cli.show import complain, print_json

    if read:
        summary = read_review(Path(studies), read)
        if as_json:
            print_json(summary.to_dict())
        else:
            _show(summary)
        return
    if out is None:
        raise UsageError("--out DIR is missing: where the cases go. With --read FILE the folder stands first instead.")
    spec = studies if not Path(studies).exists() and ":" in studies else f"studies:{studies}"
    handed = hand_over(load(spec, images=images), out, per_class=per_class, seed=seed)
    if handed.warning:
        complain(f"Note: {handed.warning}")
    if handed.unreadable:
        complain(f"Note: {len(handed.unreadable)} images cannot be read; other studies took their place.")
    if as_json:
        print_json({"out": str(out), "cases": handed.cases, "per_class": handed.per_class, "warning": handed.warning})
        return
    few = [f"{name} {count}" for name, count in sorted(handed.per_class.items()) if count < per_class]
    typer.echo(f"{handed.cases} cases of {len(handed.per_class)} classes.")
    if few:
        typer.echo(f"Fewer than {per_class}: {', '.join(few)}.")
    typer.echo(f"Hand over:  {out / 'review'} (review.html, or images/ and cases.csv)")
    mapping = (out / "afterwards").is_dir()
    if mapping:
        typer.echo(f"Afterwards: {out / 'afterwards'} (mapping.csv; it names the mapped classes)")
    typer.echo(f"Keep:       {out / 'key.json'}")
    sheets = [out / "review" / "cases.csv", *([out / "afterwards" / "mapping.csv"] if mapping else [])]
    told = shlex.join(["perimetry", "sample-for-review", str(out), *(f"--read={sheet}" for sheet in sheets)])
    typer.echo(f"Read back:  {told}")
    typer.echo("            once they are filled in there; or name the files that came back.")


def _show(summary: ReviewSummary) -> None:
    from perimetry.cli.show import print_table

    if summary.agreements:
        rows = [
            (
                each.name,
                str(each.drawn),
                str(each.labelled),
                str(each.agreed),
                "" if each.share is None else f"{each.share:.0%} [{each.low:.0%}, {each.high:.0%}]",
            )
            for each in summary.agreements
        ]
        title = f"Agreement with the mapped labels of {summary.dataset} (Wilson's 95% interval)"
        print_table(title, ("class", "drawn", "labelled", "agreed", "share"), rows)
    if summary.disagreements:
        print_table(
            "Disagreements",
            ("case", "study", "mapped", "given", "sentence", "comment"),
            [
                (each.case, each.study, each.mapped, each.given, each.sentence, each.comment)
                for each in summary.disagreements
            ],
        )
    if summary.table:
        typer.echo(
            f"Mapping table {summary.table}: {summary.confirmed} lines confirmed, {len(summary.objections)} objected "
            f"to, {summary.open_lines} left open."
        )
    if summary.objections:
        print_table(
            "Objections to the mapping table",
            ("finding", "mapped", "proposed", "comment"),
            [
                (finding, mapped or "(none)", said.proposed or "(none)", said.comment)
                for finding, mapped, said in summary.objections
            ],
        )
