"""The two metrics of a judged score: under its official prompt, and under ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from perimetry.scoring.judges.metric import JudgeMetric
from perimetry.scoring.judges.options import path_of, read_decoding, read_whole
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.parameters import check_known, read_flag

__all__ = ["JudgedScore"]


@dataclass(frozen=True)
class JudgedScore:
    """What both metrics of a score share, for the registry.

    Parameters
    ----------
    name : str
        Of the official metric; ours is ``NAME_judge``.
    value_range : str
        For people.
    tokens : int
        Default of ``max_new_tokens``.

    Examples
    --------
    >>> from perimetry.scoring.judges.green import GreenJudge
    >>> kind = JudgedScore("green", "0..1", 2048).own(GreenJudge, "ours")
    >>> kind.name, kind.make({"words": "300"}).words
    ('green_judge', 300)
    """

    name: str
    value_range: str
    tokens: int

    def official(
        self, make: Callable[..., JudgeMetric], summary: str, model: str, files: Mapping[str, str]
    ) -> MetricKind:
        """The kind under the official prompt.

        Parameters
        ----------
        make : callable
            The metric's class.
        summary : str
        model : str
            The official model.
        files : mapping of parameter to field
            Parameters that name a file, and what the class calls them.
        """
        listed = (*(f"{name}=FILE" for name in files), "judge=--judge", f"max_new_tokens={self.tokens}")

        def made(given: Mapping[str, str]) -> JudgeMetric:
            check_known(self.name, given, listed)
            return make(
                decoding=read_decoding(self.name, given, self.tokens),
                judge_spec=given.get("judge", ""),
                **{field: path_of(given, name) for name, field in files.items()},
            )

        needs = f"the official prompt in a file, a judge ({model})"
        return MetricKind(self.name, summary, "higher", self.value_range, needs, made, listed)

    def own(self, make: Callable[..., JudgeMetric], summary: str) -> MetricKind:
        """The kind under our prompt."""
        name = f"{self.name}_judge"
        tokens = f"max_new_tokens={self.tokens}"
        listed = ("judge=--judge", tokens, "structured=true", "temperature=0", "words=0")

        def made(given: Mapping[str, str]) -> JudgeMetric:
            check_known(name, given, listed)
            return make(
                decoding=read_decoding(name, given, self.tokens),
                judge_spec=given.get("judge", ""),
                structured=read_flag(name, "structured", given.get("structured", "true")),
                words=read_whole(name, given, "words", 0),
            )

        return MetricKind(name, summary, "higher", self.value_range, "a judge", made, listed)
