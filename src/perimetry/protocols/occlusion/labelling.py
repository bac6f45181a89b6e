"""Labels of many reports, each distinct text labelled once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.digest import digest_parts
from perimetry.scoring.cache import TextCache
from perimetry.scoring.labels import CHEXBERT_ORDER
from perimetry.scoring.labels.chexbert import ChexbertF1
from perimetry.scoring.labels.spelled import make_labeller

__all__ = ["Labels"]

_KEPT = 200_000
"""Distinct texts whose labels are remembered: 14 bytes each beside their digests."""

Codes = NDArray[np.uint8]


class Labels:
    """Labels texts and remembers them.

    Parameters
    ----------
    spelling : str
        See `make_labeller`.
    cache : Path
        Folder in which labels that took weights to make are kept for later runs of this folder.
    """

    def __init__(self, spelling: str, cache: Path) -> None:
        labeller = make_labeller(spelling)
        self._cache: TextCache | None = None
        if isinstance(labeller, ChexbertF1):
            self._cache = TextCache(cache)
            labeller = labeller.with_cache(self._cache)
        self._labeller = labeller
        self._known: dict[str, tuple[bytes, str]] = {}

    @property
    def version(self) -> str:
        """What made the labels, with its version."""
        return self._labeller.info.signature

    def read(self, texts: Sequence[str | None]) -> tuple[Codes, list[str]]:
        """Codes of the fourteen classes, and why a text has none.

        Parameters
        ----------
        texts : sequence of str or None

        Returns
        -------
        uint8 array, (texts, 14); list of str
            In `CHEXBERT_ORDER`; a text that could not be read is blank and has a reason.
        """
        keys = [None if text is None else digest_parts([text]) for text in texts]
        pairs = zip(keys, texts, strict=True)
        fresh = {key: text for key, text in pairs if key is not None and text is not None and key not in self._known}
        made = dict(self._known) if len(self._known) + len(fresh) > _KEPT else self._known
        if made is not self._known:
            self._known = {}
        if fresh:
            table = self._labeller.labels(list(fresh.values()))
            for key, codes, reason in zip(fresh, table.labels.astype(np.uint8), table.reasons, strict=True):
                made[key] = (codes.tobytes(), reason)
        blank = (bytes(len(CHEXBERT_ORDER)), "there is no report")
        found = [blank if key is None else made[key] for key in keys]
        joined = b"".join(one for one, _ in found)
        return np.frombuffer(joined, dtype=np.uint8).reshape(len(found), len(CHEXBERT_ORDER)), [
            reason for _, reason in found
        ]

    def close(self) -> None:
        """Close the cache."""
        if self._cache is not None:
            self._cache.close()
