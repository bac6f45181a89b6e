"""The form in which free-text answers are compared."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["NO_WORDS", "YES_WORDS", "normalise", "yes_or_no"]

YES_WORDS = frozenset(
    ("yes", "yeah", "yep", "true", "是", "是的", "有", "有的", "包含", "可以", "存在", "对", "对的", "正确", "会", "能")
)
"""Whole answers that mean yes in a closed question, normalised."""

NO_WORDS = frozenset(
    (
        "no",
        "nope",
        "false",
        "不",
        "不是",
        "否",
        "没有",
        "沒有",
        "无",
        "不包含",
        "不可以",
        "不存在",
        "不对",
        "错误",
        "不会",
        "不能",
    )
)
"""Whole answers that mean no in a closed question, normalised."""

_TENS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = (
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
_NUMBERS = {word: str(value) for value, word in enumerate(_TENS + _TEENS)}
_ARTICLE = re.compile(r"\b(?:the|The|THE|a|an)\s+(?=\w)|^\W*(?:A|An)\s+(?=\w)")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u02bc](?=\w)")
_THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3})((?:,\d{3})+)(?![\d,])")
_KEEP = re.compile(
    r"\d+(?:\.\d+)+"  # 5.6, and versions like 1.2.3
    r"|(?<![\w.)])-?\.\d+"  # .5
    r"|(?<![\w)])-(?=\d)"  # a sign, not a hyphen
    r"|[^\W_]+"
    r"|[%+<>=/](?=\s*\d)|(?<=\d)\s*%|\+",
)
_XRAY = re.compile(r"\bx ray\b")
_UNIT = re.compile(r"(?<=\d)(?=(?:mm|cm|m|ml|l|mg|g|kg|ms|s|min|hz|khz|mhz|kv|mmhg|hu|years?|days?|hours?)\d?$)")


def normalise(text: str) -> str:
    """Bring a short answer into the form in which answers are compared.

    NFKC, lower case, articles dropped (a trailing one stays: "hepatitis A"), punctuation to spaces apart from
    decimal points, signs and percent, apostrophes inside words dropped, number words zero to twenty as
    digits, thousands joined, number and unit apart ("5cm" = "5 cm"), "x ray" as "xray", spaces single.

    Parameters
    ----------
    text : str
        A short answer; long texts work but are not what this is for.

    Returns
    -------
    str
        Normalised text; empty only if `text` holds no letter and no digit.

    Examples
    --------
    >>> normalise("The Left  Lung.")
    'left lung'
    >>> normalise("X-Ray"), normalise("One"), normalise("5cm")
    ('xray', '1', '5 cm')
    """
    if not text.isascii():
        text = _DASHES.sub("-", unicodedata.normalize("NFKC", text))
    text = _ARTICLE.sub("", text.strip()).casefold().replace("^", "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = _APOSTROPHE.sub("", text)
    if "," in text:
        text = _THOUSANDS.sub(lambda match: match[1] + match[2].replace(",", ""), text)
    words: list[str] = []
    sign = ""
    for found in _KEEP.finditer(text):
        word = found.group().strip()
        if word == "-":
            sign = "-"
            continue
        if word == "/":
            continue
        if word == "%" and words:
            words[-1] += "%"
            continue
        if word.startswith((".", "-.")):
            word = word.replace(".", "0.", 1)
        if word[0].isdigit():
            words += _UNIT.sub(" ", sign + word, count=1).split(" ")
        else:
            words.append(_NUMBERS.get(word, word))
        sign = ""
    return _XRAY.sub("xray", " ".join(words))


def yes_or_no(normalised: str) -> str | None:
    """``"yes"`` or ``"no"`` if that is what the whole normalised text says, else None.

    Examples
    --------
    >>> yes_or_no("no"), yes_or_no("nodule")
    ('no', None)
    """
    if normalised in YES_WORDS:
        return "yes"
    return "no" if normalised in NO_WORDS else None
