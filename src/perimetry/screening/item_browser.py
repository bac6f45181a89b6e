"""Items to look at: option lengths drawn, spans marked, image marks outlined."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from perimetry.cases import Image, ImageError, Pixels
from perimetry.reports import Browser, BrowserCase, Flag, Marked
from perimetry.reports.browser import ImageLike
from perimetry.screening.item import Item
from perimetry.screening.judging.cue import JUDGED, judged_cues
from perimetry.screening.run import Screening

__all__ = ["SHOWN", "item_browser", "outlined"]

SHOWN = 300
"""Items of the browser over all data sets: those with most candidates that single out the key come first."""

COLOUR = (213, 94, 0)
LINE = 1 / 200


def item_browser(screenings: Sequence[Screening], candidates: pl.DataFrame) -> Browser | None:
    """The browser of the most suspicious items, or None where there is nothing to browse.

    Parameters
    ----------
    screenings : sequence of Screening
    candidates : polars.DataFrame
    """
    withhold = frozenset(one.dataset for one in screenings if one.data_use != "open")
    cases = list(_chosen(screenings, candidates))
    if not cases:
        return None
    limit = sum(min(_each(screenings), kept) for kept in Counter(dataset for dataset, _ in cases).values())
    return Browser(_cases(screenings, candidates, cases), withhold=withhold, limit=limit)


def _chosen(screenings: Sequence[Screening], candidates: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Data set and id of the items to show; the last data set gives one too many, so that the page tells of more."""
    each = _each(screenings)
    weight = pl.col("singles_out_key").fill_null(False).cast(pl.Int64) * pl.col("severity").cast(
        pl.String
    ).replace_strict({"high": 9, "medium": 3, "low": 1}, return_dtype=pl.Int64) + (
        pl.col("severity").cast(pl.String) == "high"
    ).cast(pl.Int64)
    # What a judge says may bring an item in where there is room; it puts none before those that screens find.
    by_rule = pl.col("layer").cast(pl.String) != JUDGED
    weight = pl.when(by_rule).then(weight).otherwise(0)
    narrow = candidates.select("dataset", "case_id", "layer", "severity", "singles_out_key")
    for one in screenings:
        mine = narrow.filter(pl.col("dataset").cast(pl.String) == one.dataset)
        ranked = (
            mine.with_columns(weight.alias("weight"))
            .group_by("case_id")
            .agg(pl.col("weight").sum(), by_rule.sum().alias("count"), pl.len().alias("all"))
            .sort(["weight", "count", "all", "case_id"], descending=[True, True, True, False])
        )
        for row in ranked.head(each + (one is screenings[-1])).iter_rows(named=True):
            yield one.dataset, row["case_id"]


def _each(screenings: Sequence[Screening]) -> int:
    """Every data set's share of the places."""
    return max(1, SHOWN // max(1, len(screenings)))


def _cases(
    screenings: Sequence[Screening], candidates: pl.DataFrame, chosen: Sequence[tuple[str, str]]
) -> Iterator[BrowserCase]:
    wanted = pl.DataFrame(chosen, schema={"dataset": pl.String, "case_id": pl.String}, orient="row")
    few = candidates.filter(pl.col("case_id").is_in(wanted["case_id"].implode()))
    plain = few.with_columns(pl.col(pl.Categorical).cast(pl.String)).join(wanted, on=["dataset", "case_id"], how="semi")
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in plain.iter_rows(named=True):
        found[row["dataset"], row["case_id"]].append(row)
    for one in screenings:
        ids = [item for dataset, item in chosen if dataset == one.dataset]
        items = one.items_of(frozenset(ids))
        titles = {screen.name: screen.title for screen in one.screens}
        titles |= {cue.name: f"{cue.title} (a model's opinion)" for cue in judged_cues()}
        for identity in ids:
            if identity in items:
                yield _case(items[identity], found[one.dataset, identity], titles)


def _case(item: Item, rows: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> BrowserCase:
    marks: dict[str, list[Marked]] = defaultdict(list)
    regions: dict[int, list[tuple[float, float, float, float]]] = defaultdict(list)
    for row in rows:
        title = titles.get(row["cue"], row["cue"])
        for evidence in json.loads(row["spans"]) if row["spans"] else ():
            if len(evidence) == 6:
                regions[int(evidence[0])].append((evidence[1], evidence[2], evidence[3], evidence[4]))
            elif not _covers_all(item, evidence):
                part = "" if evidence[0] == "stem" else evidence[0]
                marks[part].append(Marked(evidence[1], evidence[2], title))
    single = [row for row in rows if row["singles_out_key"] and row["layer"] != JUDGED]
    flags = [Flag(titles.get(row["cue"], row["cue"])) for row in rows if row["unit"] == "item" or row["key_has_cue"]]
    if single:
        flags.insert(0, Flag("a cue singles out the key"))
    images: dict[str, tuple[ImageLike, ...]] = {}
    if item.images and regions:
        images["marked"] = tuple(outlined(image, regions.get(number, ())) for number, image in enumerate(item.images))
    return BrowserCase(
        id=item.id,
        dataset=item.dataset,
        question=item.stem,
        gold=item.key_labels[0] if item.key_labels else "; ".join(sorted(item.keys)),
        options=tuple((option.label, option.text) for option in item.options),
        images=images,
        flags=tuple(dict.fromkeys(flags)),
        marks={part: tuple(spans) for part, spans in marks.items()},
        lengths=tuple(option.characters for option in item.options) if item.comparable else (),
        remarks=tuple(_remark(row, titles) for row in rows if _told(row)),
    )


def _covers_all(item: Item, evidence: Sequence[Any]) -> bool:
    """A mark over a whole option says nothing: the remark under the options names it."""
    field, start, end = evidence[0], evidence[1], evidence[2]
    return any(option.label == field and start == 0 and end >= len(option.text) for option in item.options)


def _remark(row: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    where = ", ".join(row["options"].split("+")) if row["options"] else ""
    told = f"{where} ({row['note']})" if where and row["note"] else where or row["note"]
    return f"{titles.get(row['cue'], row['cue'])}: {told}" if told else titles.get(row["cue"], row["cue"])


def _told(row: Mapping[str, Any]) -> bool:
    """Whether a line under the options says more than the marks: what options carry, and what an image shows."""
    return bool((row["unit"] == "option" and row["severity"] != "low") or row["layer"] in ("image", JUDGED))


def outlined(image: Image, boxes: Sequence[tuple[float, float, float, float]]) -> ImageLike:
    """The pixels with boxes drawn around regions; an unreadable image gives no bytes, which the page counts.

    Parameters
    ----------
    image : Image
    boxes : sequence of (x, y, width, height)
        In pixels of the image.
    """
    try:
        pixels = image.pixels()
    except ImageError:
        return b""
    return drawn(pixels, boxes) if boxes else pixels


def drawn(pixels: Pixels, boxes: Sequence[tuple[float, float, float, float]]) -> Pixels:
    """A copy in colour with the boxes drawn; lines grow with the image, so that a thumbnail shows them.

    Examples
    --------
    >>> drawn(np.zeros((10, 10), np.uint8), [(2, 2, 4, 4)]).shape
    (10, 10, 3)
    """
    out = np.stack([pixels] * 3, axis=-1) if pixels.ndim == 2 else pixels.copy()
    height, width = out.shape[:2]
    line = max(1, round(max(height, width) * LINE))
    for x, y, wide, high in boxes:
        left, top = max(0, int(x) - line), max(0, int(y) - line)
        right, bottom = min(width, int(np.ceil(x + wide)) + line), min(height, int(np.ceil(y + high)) + line)
        for rows, columns in (
            (slice(top, top + line), slice(left, right)),
            (slice(max(top, bottom - line), bottom), slice(left, right)),
            (slice(top, bottom), slice(left, left + line)),
            (slice(top, bottom), slice(max(left, right - line), right)),
        ):
            out[rows, columns] = COLOUR
    return out
