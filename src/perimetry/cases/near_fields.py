"""Columns that nothing reads although their names come near a field's: most likely misspelt."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

__all__ = ["near_fields"]

CLOSE = 0.75

# Fields with two spellings: one of them is enough.
SPELLINGS = ({"image", "images"}, {"stem", "question"})

USUAL_NAMES = {
    **dict.fromkeys(("img", "imgs", "picture", "pictures", "photo", "scan", "image_path", "image_file"), "image"),
    **dict.fromkeys(("image_name", "img_path", "img_name", "file_name", "filename"), "image"),
    **dict.fromkeys(("choices", "choice", "candidates"), "options"),
    **dict.fromkeys(("gold", "label", "target", "ground_truth"), "answer"),
    **dict.fromkeys(("query", "prompt"), "question"),
}
"""What other tables call a field."""


def near_fields(unused: Iterable[str], fields: Collection[str], filled: Collection[str]) -> dict[str, str]:
    """Unused columns and the field that each may have been meant for.

    Parameters
    ----------
    unused : iterable of str
        Columns that no field reads.
    fields : collection of str
        Fields there are.
    filled : collection of str
        Fields that the table has already: nothing else is taken for them.

    Examples
    --------
    >>> near_fields(["imge", "ward"], ("image", "images", "answer"), ("answer",))
    {'imge': 'image'}
    """
    taken = set(filled).union(*(names for names in SPELLINGS if names & set(filled)))
    open_fields = [field for field in fields if field not in taken]
    found: dict[str, str] = {}
    for column in unused:
        name = column.strip().lower()
        usual = USUAL_NAMES.get(name.replace(" ", "_"))
        near = [usual] if usual in open_fields else difflib.get_close_matches(name, open_fields, n=1, cutoff=CLOSE)
        if near and near[0] is not None:
            found[column] = near[0]
    return found
