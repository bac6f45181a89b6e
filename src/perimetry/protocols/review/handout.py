"""What raters get: a sheet, a page to fill it in, and a Label Studio project. Nothing in it tells what was changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from perimetry.protocols.review.pairs import Pair
from perimetry.protocols.review.study import ANYBODY, Deal, ReviewStudy
from perimetry.protocols.review.task import Task
from perimetry.runs.folder import write_atomically
from perimetry.runs.spreadsheet import csv_rows

__all__ = [
    "Shown",
    "item_texts",
    "label_studio_config",
    "label_studio_tasks",
    "rating_page",
    "sheet",
    "shown_items",
    "write_deal",
]

TEMPLATE = Path(__file__).parent / "rate.html.j2"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a rater sees of an item.

    Parameters
    ----------
    item : str
    texts : tuple of (str, str)
        Heading and text: one, or reports A and B.
    earlier : tuple of (str, str)
        For the fourth rater, what the others chose and why; without names.
    """

    item: str
    texts: tuple[tuple[str, str], ...]
    earlier: tuple[tuple[str, str], ...] = ()


def shown_items(
    study: ReviewStudy, deal: Deal, earlier: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> list[Shown]:
    """The items of a deal as its rater sees them."""
    told = item_texts(study, deal.task)
    headings = ("Report A", "Report B") if study.task(deal.task).task.shows == "pair" else ("Report",)
    return [
        Shown(name, tuple(zip(headings, told[name].values(), strict=True)), tuple((earlier or {}).get(name, ())))
        for name in deal.items
    ]


def item_texts(study: ReviewStudy, task: str) -> dict[str, dict[str, str]]:
    """Item to the texts that its raters see, by column of the sheet: ``report``, or ``report_a`` and ``report_b``."""
    held = study.task(task)
    found = {}
    for item in held.items:
        pair: Pair = study.pairs[item.pair]
        sides = (pair.original, pair.alternative) if item.first == "original" else (pair.alternative, pair.original)
        found[item.id] = dict(zip(_keys(held.task), sides, strict=False))
    return found


def write_deal(folder: Path, study: ReviewStudy, deal: Deal, shown: Sequence[Shown], warning: str) -> Path:
    """Write the files of one deal; returns their folder."""
    task = study.task(deal.task).task
    where = folder / f"round-{deal.round}" / (deal.rater or "everybody")
    name = f"{task.name}-{deal.step}" if deal.step != "first" else task.name
    page = rating_page(study.id, task, deal.rater, shown, warning, file=f"{name}.csv")
    write_atomically(where / f"{name}.html", page.encode("utf-8", "replace"))
    write_atomically(where / f"{name}.csv", sheet(study.id, task, deal.rater, shown).encode("utf-8", "replace"))
    tasks = json.dumps(label_studio_tasks(study.id, task, deal.rater, shown), indent=1, ensure_ascii=False) + "\n"
    write_atomically(where / "label_studio" / f"{name}.json", tasks.encode("utf-8", "replace"))
    config = label_studio_config(task, earlier=any(each.earlier for each in shown))
    write_atomically(where / "label_studio" / f"{name}.xml", config.encode("utf-8", "replace"))
    return where


def sheet(study: str, task: Task, rater: str, shown: Sequence[Shown]) -> str:
    """The sheet as CSV; texts that a spreadsheet would take for formulas begin with an apostrophe.

    Examples
    --------
    >>> from perimetry.protocols.review.task import read_task
    >>> print(sheet("s1", read_task("realism"), "ann", [Shown("realism-001", (("Report", "- Clear."),))]), end="")
    study,task,rater,item,report,rating,comment
    s1,realism,ann,realism-001,'- Clear.,,
    """
    texts = _keys(task)
    told = any(each.earlier for each in shown)
    header = ("study", "task", "rater", "item", *texts, *(("earlier",) if told else ()), "rating", "comment")
    rows = (
        (
            *(study, task.name, rater, each.item),
            *(body for _, body in each.texts),
            *((_spelled(each.earlier),) if told else ()),
            *("", ""),
        )
        for each in shown
    )
    return csv_rows(header, rows)


def label_studio_tasks(study: str, task: Task, rater: str, shown: Sequence[Shown]) -> list[dict[str, Any]]:
    """Tasks to import into a Label Studio project with the configuration of `label_studio_config`.

    Examples
    --------
    >>> from perimetry.protocols.review.task import read_task
    >>> one = label_studio_tasks("s1", read_task("realism"), "", [Shown("realism-001", (("Report", "Clear."),))])[0]
    >>> one["data"]["report"], "rater" in one["data"]
    ('Clear.', False)
    """
    found = []
    for each in shown:
        data = {"study": study, "task": task.name, "item": each.item}
        data |= {"rater": rater} if rater != ANYBODY else {}
        data |= {name: body for name, (_, body) in zip(_keys(task), each.texts, strict=True)}
        data |= {"earlier": _spelled(each.earlier)} if each.earlier else {}
        found.append({"data": data})
    return found


def label_studio_config(task: Task, *, earlier: bool = False) -> str:
    """The labelling configuration; a choice exports its value, whatever its label says.

    Examples
    --------
    >>> from perimetry.protocols.review.task import read_task
    >>> 'alias="minor"' in label_studio_config(read_task("equivalence"))
    True
    """
    keys = _keys(task)
    titles = ("Report A", "Report B") if task.shows == "pair" else ("Report",)
    lines = [
        "<View>",
        f"  <Header value={quoteattr(task.question)}/>",
    ]
    # Meanings stand above as well: hints of choices are not shown by every version.
    meanings = [f"{choice.label}: {choice.meaning}" for choice in task.ratings if choice.meaning]
    lines += [f'  <Header size="6" value={quoteattr(line)}/>' for line in (*meanings, *task.guide)]
    style = "display: flex; gap: 24px;" if len(keys) > 1 else "display: block;"
    lines.append(f'  <View style="{style}">')
    for key, title in zip(keys, titles, strict=True):
        lines.append('    <View style="flex: 1 1 0; min-width: 0; white-space: pre-wrap;">')
        lines.append(f'      <Header size="5" value="{title}"/>')
        lines.append(f'      <Text name="{key}" value="${key}"/>')
        lines.append("    </View>")
    lines.append("  </View>")
    if earlier:
        lines.append('  <Header size="5" value="What the other raters said"/>')
        lines.append('  <Text name="earlier" value="$earlier"/>')
    lines.append(f'  <Choices name="rating" toName="{keys[0]}" choice="single-radio" required="true">')
    for choice in task.ratings:
        told = f" hint={quoteattr(choice.meaning)}" if choice.meaning else ""
        lines.append(f"    <Choice value={quoteattr(choice.label)} alias={quoteattr(choice.value)}{told}/>")
    lines.append("  </Choices>")
    lines.append(f'  <TextArea name="comment" toName="{keys[0]}" placeholder="Why" rows="2" maxSubmissions="1"/>')
    return "\n".join([*lines, "</View>", ""])


def rating_page(
    study: str, task: Task, rater: str, shown: Sequence[Shown], warning: str = "", *, file: str = "ratings.csv"
) -> str:
    """A self-contained page on which a rater fills the sheet in and saves it; every text is escaped.

    Examples
    --------
    >>> from perimetry.protocols.review.task import read_task
    >>> page = rating_page("s1", read_task("realism"), "", [Shown("realism-001", (("Report", "<b>Clear"),))])
    >>> "&lt;b&gt;Clear" in page, "<b>Clear" in page
    (True, False)
    """
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        TEMPLATE.read_text("utf-8")
    )
    return template.render(study=study, task=task, rater=rater, shown=shown, warning=warning, file=file)


def _keys(task: Task) -> tuple[str, ...]:
    return ("report_a", "report_b") if task.shows == "pair" else ("report",)


def _spelled(earlier: Sequence[tuple[str, str]]) -> str:
    told = (
        f"Rater {number}: {value}{f' ({why})' if why else ''}" for number, (value, why) in enumerate(earlier, start=1)
    )
    return "\n".join(told)
