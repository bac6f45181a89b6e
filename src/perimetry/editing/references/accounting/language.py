"""Whether a report is in English: the rules know no other language."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from perimetry.editing.references.accounting.lexicon import single_words
from perimetry.editing.references.kept import REPORTS
from perimetry.editing.references.report import ReportText

__all__ = ["NOT_ENGLISH", "not_english"]

NOT_ENGLISH = "it is not in English"
FEWEST = 3
"""Words that say anything of a language, below which nothing is said of it."""
SOME, LONG = 5, 15
"""Of so many, that none or few are known is sign enough."""
SHARE, SHARE_WITHOUT_SIGN = 0.5, 0.35

_LETTERS = re.compile(r"[^\W\d_]+")
_TAKEN_OUT = re.compile(r"x{2,}$")


@lru_cache(maxsize=REPORTS)
def not_english(report: ReportText) -> bool:
    """Whether a report is in another language than English, as far as its words tell.

    Most words of a report in English stand in the lexicon or are common words; typos, names, abbreviations and what was
    taken out ("XXXX") are not taken for another language. A text of few words is given the benefit of the doubt.

    Parameters
    ----------
    report : ReportText

    Examples
    --------
    >>> not_english(ReportText("Herz normal groß. Kein Pleuraerguss, kein Pneumothorax."))
    True
    >>> not_english(ReportText("XXXX sternotomy. Lungs claer. Pectus excavatum.")), not_english(ReportText("Normal."))
    (False, False)
    """
    said = [word.lower() for word in _LETTERS.findall(unicodedata.normalize("NFC", report.text))]
    said = [word for word in said if not _TAKEN_OUT.match(word)]
    letters = "".join(said)
    strange = (sign for sign in letters if not sign.isascii())
    other = sum(not unicodedata.name(sign, "LATIN").startswith(("LATIN", "GREEK")) for sign in strange)
    if other * 2 > len(letters):
        return True
    held = _languages()
    words = [word for word in said if len(word) > 1 and word not in held.shared]
    if len(words) < FEWEST:
        return False
    known = sum(word in held.english for word in words) / len(words)
    if (known < SHARE_WITHOUT_SIGN and len(words) >= LONG) or (known == 0 and len(words) >= SOME):
        return True
    unknown = [word for word in words if word not in held.english]
    marked = sum(not word.isascii() for word in unknown)
    return known < SHARE and (marked >= (2 if known else 1) or any(word in held.signs for word in unknown))


@dataclass(frozen=True, slots=True)
class _Languages:
    shared: frozenset[str]
    english: frozenset[str]
    signs: frozenset[str]


@cache
def _languages() -> _Languages:
    text = (files("perimetry.editing.references.accounting") / "languages.toml").read_text(encoding="utf-8")
    held = tomllib.loads(text)
    signs = frozenset(word for words in held["signs"].values() for word in words)
    return _Languages(frozenset(held["shared"]), single_words() | frozenset(held["common"]), signs)
