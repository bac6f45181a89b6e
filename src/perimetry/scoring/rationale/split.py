"""What a response says on the way to its answer."""

from __future__ import annotations

import re

from perimetry.scoring.answers.extraction import Extraction
from perimetry.scoring.answers.thinking import cut_thinking
from perimetry.scoring.rationale.sentences import sentences

__all__ = ["split_rationale"]

_LAST_END = re.compile(r"[.!?][\"'”’)\]*_]{0,4}\s|[。！？]|\n")


def split_rationale(text: str | None, extraction: Extraction) -> str | None:
    """The rationale of a response, or None where it gives none.

    The content of its thinking blocks; without any, the whole sentences that stand before the answer; where no answer
    was read, the response itself if it has at least two sentences. A direct answer has none, also one that is explained
    afterwards.

    Parameters
    ----------
    text : str or None
        The raw response.
    extraction : Extraction
        What `extract` read from it.

    Notes
    -----
    CORAL (arXiv 2607.03647), section 3.3, defines its rationale metrics for thinking traces and leaves them
    undefined for direct answers.

    Examples
    --------
    >>> split_rationale("An opacity is seen. The answer is B.", Extraction("B", "phrase", 34, 36, "B."))
    'An opacity is seen.'
    >>> split_rationale("B", Extraction("B", "label", 0, 1, "B")) is None
    True
    """
    if not text:
        return None
    thinking = cut_thinking(text)
    thought = "\n".join(text[start:end].strip() for start, end in thinking.blocks).strip()
    if thought:
        return thought if sentences(thought) else None
    body = thinking.body
    if extraction.answer is None:
        return body.strip() if len(sentences(body)) > 1 else None
    before = body[: extraction.start]
    end = 0
    for found in _LAST_END.finditer(before):
        end = found.end()
    before = before[:end].strip()
    return before if sentences(before) else None
