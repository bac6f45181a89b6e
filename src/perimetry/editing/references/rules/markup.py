"""Markup that a report may be written in: tables, bold words, headings of a mark-up language."""

from __future__ import annotations

import re

__all__ = ["LAID_OUT", "marked_up"]

# Forms that move, cut or head sentences. The others change words where they stand, markup and all.
LAID_OUT = frozenset(
    {
        "structure:structured",
        "structure:free_text",
        "section_assignment:alternative",
        "findings_scope:minimal",
        "negation:explicit",
        "negation:implicit",
    }
)
# No underscores: "___" stands for what de-identification hid.
_MARKUP = re.compile(
    r"^[ \t]*\|.*\||\*\*\S|^[ \t]{0,3}#{1,6}[ \t]+\S|^[ \t]*(?:-{3,}|\*{3,}|={3,})[ \t]*$|```"
    r"|</?(?:b|br|p|i|u|em|strong|ul|ol|li|table|tr|t[dh]|h[1-6]|div|span)\b[^>\n]*>",
    re.MULTILINE | re.IGNORECASE,
)


def marked_up(text: str) -> bool:
    r"""Whether a text is in markup, whose sentences cannot be moved without tearing it.

    Examples
    --------
    >>> marked_up("| Lungs | Clear |"), marked_up("**Lungs:** Clear."), marked_up("# Lungs\nClear.")
    (True, True, True)
    >>> marked_up("LUNGS: Clear.\n* No effusion.\n- No nodule, < 6 mm."), marked_up("Lungs are clear.")
    (False, False)
    """
    return _MARKUP.search(text) is not None
