"""Data inside a page: text that can end a script, a comment or a file name must not."""

from __future__ import annotations

import json
import re
from typing import Any

from perimetry.cases.errors import UsageError

__all__ = ["check_name", "script_json"]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")

# `<` ends scripts and opens comments, `>` ends comments, `&` is an entity where a page is read as XHTML, and the two
# line separators end a string literal for older JavaScript engines. JSON can spell all of them as escapes.
UNSAFE = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
UNSAFE_PATTERN = re.compile("[<>&\u2028\u2029]")


def script_json(value: Any) -> str:
    r"""Spell a value as JSON that is safe inside a script file and inside a ``<script>`` element.

    Parameters
    ----------
    value : any JSON value
        Numbers that are not finite become null: JSON has no word for them.

    Examples
    --------
    >>> print(script_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = UNSAFE_PATTERN.sub(lambda match: UNSAFE[match.group()], text)
    # A lone surrogate (half a character, from a cut-off model output) cannot be written as UTF-8.
    return text.encode("utf-8", "replace").decode("utf-8")


def finite(value: Any) -> Any:
    """The same value with NaN and infinities as None."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def check_name(name: str, kind: str) -> str:
    """Return a file name, or say why it cannot be one.

    Raises
    ------
    UsageError
        When the name is not lower-case letters, digits, ``-`` and ``_`` (80 at most, starting with a letter or digit).
    """
    if not NAME.fullmatch(name):
        raise UsageError(
            f"The {kind} name {name!r} cannot be a file name: expected 1 to 80 lower-case letters, digits, '-' or '_', "
            "starting with a letter or a digit. Rename it."
        )
    return name
