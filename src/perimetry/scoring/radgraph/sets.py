"""What two annotations are compared by: sets of entities at three levels, sets of relations, and their F1."""

from __future__ import annotations

from collections.abc import Set
from typing import Literal, TypeAlias

from perimetry.scoring.radgraph.annotation import Annotation, Entity

__all__ = ["Case", "Level", "Overlap", "elements", "overlap", "relation_elements", "set_f1"]

Level = Literal["simple", "partial", "complete"]

Case = Literal["upstream", "fold"]
"""``upstream``: capitals count, but not in the relations of ``complete``, as in the public package; ``fold``: they
never count."""

Element: TypeAlias = tuple[object, ...]
Overlap: TypeAlias = tuple[int, int, int]
"""Elements of both sides, of the hypothesis alone, of the reference alone."""


def elements(annotation: Annotation, level: Level, case: Case = "upstream") -> frozenset[Element]:
    """Set of one report's entities (Delbrouck et al. 2022, section 3).

    Parameters
    ----------
    annotation
    level
        - ``simple``: (tokens, label);
        - ``partial``: (tokens, label, whether a relation starts there);
        - ``complete``: (tokens, label, kind, target's tokens) for each relation, (tokens, label) for an entity without.
    case
        See `Case`.

    Examples
    --------
    >>> heart = Entity("heart", "ANAT-DP")
    >>> large = Entity("enlarged", "OBS-DP", (("located_at", 0),))
    >>> sorted(elements(Annotation((heart, large)), "complete"))
    [('enlarged', 'OBS-DP', 'located_at', 'heart'), ('heart', 'ANAT-DP')]
    """
    found: set[Element] = set()
    for entity in annotation.entities:
        tokens = entity.tokens.lower() if case == "fold" else entity.tokens
        if level == "partial":
            found.add((tokens, entity.label, bool(entity.relations)))
        elif level == "simple" or not entity.relations:
            found.add((tokens, entity.label))
        else:
            for kind, target in entity.relations:
                found.add((entity.tokens.lower(), entity.label, kind, annotation.entities[target].tokens.lower()))
    return frozenset(found)


def relation_elements(annotation: Annotation, case: Case = "upstream") -> frozenset[Element]:
    """Set of one report's relations: both ends with tokens and label, and the kind (Yu et al. 2023, Methods).

    Examples
    --------
    >>> pair = Entity("heart", "ANAT-DP"), Entity("large", "OBS-DP", (("located_at", 0),))
    >>> sorted(relation_elements(Annotation(pair)))
    [(('large', 'OBS-DP'), ('heart', 'ANAT-DP'), 'located_at')]
    """

    def end(entity: Entity) -> tuple[str, str]:
        return (entity.tokens.lower() if case == "fold" else entity.tokens), entity.label

    return frozenset(
        (end(entity), end(annotation.entities[target]), kind)
        for entity in annotation.entities
        for kind, target in entity.relations
    )


def overlap(hypothesis: Set[Element], reference: Set[Element]) -> Overlap:
    """Count what two sets share, and what each has alone."""
    both = len(hypothesis & reference)
    return both, len(hypothesis) - both, len(reference) - both


def set_f1(counts: Overlap) -> float | None:
    """F1 of two sets; 0 when one is empty, None when both are.

    Examples
    --------
    >>> set_f1((1, 1, 1)), set_f1((0, 2, 0)), set_f1((0, 0, 0))
    (0.5, 0.0, None)
    """
    both, ours, theirs = counts
    return 2 * both / (2 * both + ours + theirs) if any(counts) else None
