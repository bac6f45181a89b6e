"""What is true of a study, as codes of the fourteen classes, and the text its report is held against."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perimetry.cases import Study
from perimetry.scoring.labels.classes import BLANK, CHEXBERT_ORDER, NEGATIVE, POSITIVE, UNCERTAIN

__all__ = ["box_truth", "reference_text", "reference_whole"]

_CODE = {1.0: POSITIVE, 0.0: NEGATIVE, -1.0: UNCERTAIN}


def box_truth(study: Study) -> NDArray[np.uint8]:
    """Codes of the fourteen classes from labels and boxes: what a box shows is positive, whatever the label says.

    Returns
    -------
    uint8 array, (14,)
        In `CHEXBERT_ORDER`: 0 blank, 1 positive, 2 negative, 3 uncertain.

    Examples
    --------
    >>> box_truth(Study("1", "mine", "g", labels={"Edema": -1.0}))[4]
    np.uint8(3)
    """
    shown = {name for box in study.boxes for name in box.classes}
    return np.asarray(
        [POSITIVE if name in shown else _CODE.get(study.labels.get(name), BLANK) for name in CHEXBERT_ORDER],  # type: ignore[arg-type]
        dtype=np.uint8,
    )


def reference_text(study: Study) -> str | None:
    """The findings of the reference report, or its impression where it has no findings; None without a report.

    Examples
    --------
    >>> reference_text(Study("1", "mine", "g", sections={"findings": "Clear.", "impression": "Normal."}))
    'Clear.'
    """
    for name in ("findings", "impression"):
        if study.sections.get(name, "").strip():
            return study.sections[name]
    return None


def reference_whole(study: Study) -> str | None:
    """Findings and impression, which the labeller reads together; None without a report."""
    parts = [study.sections.get(name, "").strip() for name in ("findings", "impression")]
    return "\n".join(part for part in parts if part) or None
