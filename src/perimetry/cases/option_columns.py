"""Options that stand in columns of their own: A, B, C, D, or opt_a, opt_b, opt_c."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from perimetry.cases.errors import DataError
from perimetry.cases.values import LETTERS

__all__ = ["like_options", "option_columns"]

WORD = r"(?:options?|opts?|op|choices?|answers?|ans)"
LETTER = re.compile(rf"(?P<style>(?:{WORD}[\s_.-]*)?)(?P<label>[A-J])", re.IGNORECASE)
NUMBER = re.compile(rf"(?P<style>{WORD}[\s_.-]*)(?P<label>\d{{1,2}})", re.IGNORECASE)


def like_options(columns: Iterable[str]) -> dict[str, dict[str, str]]:
    """Columns named as options are, by the style of their names: label -> column. One column makes no options.

    Examples
    --------
    >>> like_options(["id", "A", "B", "opt_1", "opt_2", "choice_a"])
    {'': {'A': 'A', 'B': 'B'}, 'opt_': {'1': 'opt_1', '2': 'opt_2'}}
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        name = column.strip()
        if match := LETTER.fullmatch(name) or NUMBER.fullmatch(name):
            style = match["style"].casefold()
            label = match["label"].upper()
            # A and a side by side: two readings of one label, told apart so that somebody is asked.
            found[style if label not in found[style] else name][label] = column
    return {style: labels for style, labels in found.items() if len(labels) > 1}


def option_columns(columns: Iterable[str], where: str) -> dict[str, str]:
    """Label -> column of the options, where the columns can be read in one way only; nothing where none is like one.

    Letters have to run from A without a gap, all in one style of name. Columns with numbers are asked about: what a key
    counts from is not told by them.

    Parameters
    ----------
    columns : iterable of str
        Columns that nothing else reads.
    where : str
        What has them, for the error.

    Raises
    ------
    DataError
        When columns look like options and it is not certain that they are, or which label each has.

    Examples
    --------
    >>> option_columns(["ward", "Option B", "Option A"], "mine.csv")
    {'A': 'Option A', 'B': 'Option B'}
    """
    styles = like_options(columns)
    if len(styles) == 1:
        (labels,) = styles.values()
        if "".join(sorted(labels)) == LETTERS[: len(labels)]:
            return dict(sorted(labels.items()))
    if not styles:
        return {}
    raise unclear(next(iter(styles.values())), styles, where)


def unclear(labels: dict[str, str], styles: dict[str, dict[str, str]], where: str) -> DataError:
    """The question back, with the line of a mapping file that answers it."""
    asked = "; or ".join(", ".join(each.values()) for each in styles.values())
    rule = ", ".join(f'{label} = "{column}"' for label, column in sorted(labels.items()))
    return DataError(
        f"{where}: are the columns {asked} the options? Say so with --map FILE and a line as options = {{{rule}}} in "
        'it, with the labels that the keys use. If they are not: answer_type = "open" in that file.'
    )
