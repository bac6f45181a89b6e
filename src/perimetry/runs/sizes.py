"""How much a plan would show, without building every request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from perimetry.runs.plan import requests_of

if TYPE_CHECKING:
    from perimetry.runs.preparation import Preparation

__all__ = ["shown_sizes"]

SAMPLED = 2000
"""Requests of a condition that are built; more than these are estimated from them."""


def shown_sizes(preparation: Preparation, sampled: int = SAMPLED) -> tuple[int, int]:
    """Characters and images over the requests of one model.

    Parameters
    ----------
    preparation : Preparation
    sampled : int, default 2000
        Requests of each condition that are built, evenly over the plan. Up to that many the counts are exact.

    Returns
    -------
    tuple of int
        Characters, images.
    """
    requests = preparation.requests()
    conditions = requests_of(preparation.plan)["condition"].to_numpy()
    characters = images = 0.0
    for condition in np.unique(conditions):
        places = np.flatnonzero(conditions == condition)
        chosen = places[np.linspace(0, len(places) - 1, min(len(places), sampled)).astype(np.int64)]
        prompts = [requests.build(int(place)).prompt for place in chosen]
        share = len(places) / len(chosen)
        characters += share * sum(len(prompt.text) + len(prompt.system) for prompt in prompts)
        images += share * sum(len(prompt.images) for prompt in prompts)
    return round(characters), round(images)
