"""Report-like pairs of texts from a seed."""

from __future__ import annotations

import random

PROSE = """
the heart is normal in size and contour lungs are clear of focal airspace disease no pleural effusion or pneumothorax
seen mild left basilar opacities may represent atelectasis calcified granuloma measuring 5.2 cm 12 mm stable since
prior x-ray degenerative changes spine aorta tortuous right-sided catheter tip overlies svc unchanged xxxx Heart No
"""
WORDS = PROSE.split()
MARKS = (".", ".", ",", ";", ":", "?", "(", ")", "/", "'", '"', "-", "&", "%")
GLUE = (" ", " ", " ", " ", " ", " ", "  ", "\n", "")


def text(draw: random.Random, longest: int = 60) -> str:
    """Words and marks with uneven spacing; holds a word."""
    parts = [draw.choice(WORDS)]
    for _ in range(draw.randint(0, longest)):
        parts += [draw.choice(GLUE), draw.choice(WORDS if draw.random() < 0.85 else MARKS)]
    return "".join(parts)


def pairs(count: int, seed: int, longest: int = 60) -> tuple[list[str], list[str]]:
    """Hypotheses, of which most repeat stretches of their references, and the references."""
    draw = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(count):
        reference = text(draw, longest)
        start = draw.randint(0, len(reference) // 2)
        kept = reference[start : start + draw.randint(0, len(reference))] if draw.random() < 0.8 else ""
        hypotheses.append(f"{text(draw, longest // 3)} {kept}")
        references.append(reference)
    return hypotheses, references
