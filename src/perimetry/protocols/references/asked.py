"""What a reference audit was asked to do, as its run folder keeps it, and the files that it read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from perimetry.cases.digest import digest_bytes
from perimetry.cases.errors import DataError
from perimetry.cases.spec import DataSpec
from perimetry.models.chat.secrets import without_credentials
from perimetry.protocols.references.asking import is_model
from perimetry.protocols.references.systems import absolute_systems
from perimetry.scoring.report_metric import ReportMetric

__all__ = ["DEFAULT_METRICS", "Wanted", "asked_table", "check_inputs", "inputs_table", "wanted_of"]

DEFAULT_METRICS = "bleu_1,bleu_2,bleu_4,rouge_l,f1_rules"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reference audit is asked to do.

    Parameters
    ----------
    data : tuple of str
        ``NAME:PATH`` of studies.
    alternatives : tuple of str or Path
        Folders of `perimetry rewrite`: one for all data sets, or one for each.
    systems : tuple of str
        ``FILE`` or ``FILE:COLUMN,COLUMN``, see `read_systems`; or models, which are asked for a report of every study.
    metrics : str or tuple
        Spellings, or `ReportMetric` objects.
    section : {"findings", "impression", "report"}
    id_column : str, default ""
        Of the systems' files.
    corrupted : str or Path or None
        Table of references with planted errors; see `read_planted`.
    plant : bool, default True
        Whether rules plant errors where no such table is given (`plant_in`).
    judge : str, default ""
    allow_remote : tuple of str
    split, limit, mapping, images, max_new_tokens
        As in every audit.
    resamples, seed : int
    """

    data: tuple[str, ...]
    alternatives: tuple[str | Path, ...]
    systems: tuple[str, ...]
    metrics: str | tuple[str | ReportMetric, ...] = DEFAULT_METRICS
    section: str = "findings"
    id_column: str = ""
    corrupted: str | Path | None = None
    plant: bool = True
    judge: str = ""
    allow_remote: tuple[str, ...] = ()
    split: str | None = None
    limit: int | None = None
    mapping: str | Path | None = None
    images: str | Path | None = None
    max_new_tokens: int = 2048
    resamples: int = 10_000
    seed: int = 42


def asked_table(wanted: Wanted) -> dict[str, Any]:
    """For ``references.toml``: every path from the root, no credentials; metrics that are objects by their names.

    Examples
    --------
    >>> asked_table(Wanted(("phantom:n=5",), (), ("openai:m@https://me:pw@host/v1",)))["systems"]
    ['openai:m@https://host/v1']
    """
    metrics = (wanted.metrics,) if isinstance(wanted.metrics, str) else wanted.metrics
    return asdict(wanted) | {
        "data": [DataSpec.parse(spec).absolute for spec in wanted.data],
        "alternatives": [_absolute(each) for each in wanted.alternatives],
        "systems": [without_credentials(each) if is_model(each) else absolute_systems(each) for each in wanted.systems],
        "metrics": [each.info.name if isinstance(each, ReportMetric) else each for each in metrics],
        "objects": sum(isinstance(each, ReportMetric) for each in metrics),
        "judge": without_credentials(wanted.judge),
        "allow_remote": list(wanted.allow_remote),
        **{name: _absolute(getattr(wanted, name)) for name in ("corrupted", "mapping", "images")},
    }


def wanted_of(asked: Mapping[str, Any], file: Path) -> Wanted:
    """The same again from the table ``asked``.

    Raises
    ------
    DataError
        Where it is damaged, or had metrics that are objects of a program.
    """
    if asked.get("objects"):
        raise DataError(
            f"{file}: some metrics of this run are objects of a program ({', '.join(asked['metrics'])}), which no file "
            "holds. Run that program again: it asks nobody twice."
        )
    known = {field.name for field in fields(Wanted)}
    lists = {"data", "alternatives", "systems", "metrics", "allow_remote"}
    held: dict[str, Any] = {
        name: tuple(value) if name in lists else value for name, value in asked.items() if name in known
    }
    if not all(held.get(name) for name in ("data", "alternatives", "systems", "metrics")):
        raise DataError(f"{file}: the table asked is damaged. Restore the file, or give the audit command again.")
    return Wanted(**held)


def inputs_table(files: Sequence[tuple[str, Path]]) -> list[dict[str, str]]:
    """Files that were read, with what each is and its digest."""
    return [{"what": what, "path": str(path.resolve()), "digest": _digest(path)} for what, path in files]


def check_inputs(inputs: Sequence[Mapping[str, str]], file: Path) -> None:
    """Raise a `DataError` where a file of the run is gone, or is not the one that it was."""
    for what, path, digest in _inputs(inputs, file):
        if not path.is_file():
            raise DataError(
                f"{path} ({what}) is not there any more: the run was made of it, and was recorded with the digest "
                f"{digest}. Put it back, or give the audit command again with its new place; nothing was changed."
            )
        if _digest(path) != digest:
            raise DataError(
                f"{path} ({what}) is not the file that the run was made of: its digest was {digest}. Put that one "
                "back, or give the audit command again to audit the new one; nothing was changed."
            )


def _inputs(inputs: Sequence[Mapping[str, str]], file: Path) -> Iterator[tuple[str, Path, str]]:
    for each in inputs:
        try:
            yield each["what"], Path(each["path"]), each["digest"]
        except (KeyError, TypeError) as error:
            raise DataError(f"{file}: the list inputs is damaged. Give the audit command again.") from error


def _digest(path: Path) -> str:
    return digest_bytes(path.read_bytes())


def _absolute(path: str | Path | None) -> str | None:
    return None if path is None else str(Path(path).expanduser().resolve())
