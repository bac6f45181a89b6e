"""Porter's stemmer with the extensions of the implementation that rouge-score uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

__all__ = ["porter_stem"]

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "inning": "inning",
    "innings": "inning",
    "outing": "outing",
    "outings": "outing",
    "canning": "canning",
    "cannings": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",
    "logi": "log",
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = {
    "al": "",
    "ance": "",
    "ence": "",
    "er": "",
    "ic": "",
    "able": "",
    "ible": "",
    "ant": "",
    "ement": "",
    "ment": "",
    "ent": "",
    "ion": "",
    "ou": "",
    "ism": "",
    "ate": "",
    "iti": "",
    "ous": "",
    "ive": "",
    "ize": "",
}


def porter_stem(word: str) -> str:
    """Stem of a lower-case English word.

    The algorithm of the paper with its author's later changes (``bli``, ``logi``) and the extensions that NLTK's
    stemmer has by default: irregular forms, ``ies`` and ``ied`` of four-letter words, ``y`` only after a consonant,
    ``alli`` before all of step 2. Digits count as consonants.

    Parameters
    ----------
    word : str
        Lower case. Words of one or two letters are returned as they are.

    Returns
    -------
    str
        Never empty for a word that is not.

    References
    ----------
    Porter, "An algorithm for suffix stripping", Program 14(3), 1980.

    Examples
    --------
    >>> [porter_stem(word) for word in ("opacities", "effusions", "calcified", "enlarged")]
    ['opac', 'effus', 'calcifi', 'enlarg']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_plural(word)
    word = _without_past(word)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    word = _derived(word)
    word = _replace(word, _STEP_3, lambda stem, _: _measure(stem) > 0)
    word = _replace(word, _STEP_4, lambda stem, suffix: _measure(stem) > 1 and (suffix != "ion" or stem[-1] in "st"))
    return _tidy(word)


def _shape(word: str) -> str:
    """``c`` and ``v`` per letter: y is a vowel after a consonant. A beginning of the word has the shape's beginning."""
    shape: list[str] = []
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and bool(shape) and shape[-1] == "c")
        shape.append("v" if vowel else "c")
    return "".join(shape)


def _measure(stem: str) -> int:
    """How often a run of vowels is followed by a consonant: Porter's m."""
    return _shape(stem).count("vc")


def _ends_in_short_syllable(stem: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y at the end; or a word of vowel and consonant."""
    shape = _shape(stem)
    return (shape.endswith("cvc") and stem[-1] not in "wxy") or shape == "vc"


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    stem = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if "v" not in _shape(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    shape = _shape(stem)
    if len(stem) > 1 and stem[-1] == stem[-2] and shape[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if shape.count("vc") == 1 and _ends_in_short_syllable(stem) else stem


def _derived(word: str) -> str:
    """Step 2; ``alli`` is cut before anything else, because what is left can end in another of its suffixes."""
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    # The l of "logi" counts as part of the stem, so that "geologi" is as long as "archaeologi".
    return _replace(word, _STEP_2, lambda stem, suffix: _measure(stem + "l" if suffix == "logi" else stem) > 0)


def _replace(word: str, rules: Mapping[str, str], holds: Callable[[str, str], bool]) -> str:
    """Replace the longest suffix that has a rule; nothing else is tried where its condition fails."""
    for length in range(min(7, len(word)), 1, -1):
        suffix = word[-length:]
        if suffix in rules:
            stem = word[:-length]
            return stem + rules[suffix] if holds(stem, suffix) else word
    return word


def _tidy(word: str) -> str:
    """Step 5: a final e, and one of two l."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_in_short_syllable(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
