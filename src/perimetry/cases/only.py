"""Files of ids that restrict a data set: a subset somebody chose, or any list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from perimetry.cases.cells import original_cell
from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.spec import DataSpec
from perimetry.cases.table import TABLE_SUFFIXES, read_records
from perimetry.cases.values import text

__all__ = ["ONLY", "chosen_ids", "restricted"]

ONLY = "only"
"""The setting of every data set that names such a file."""

KEPT = "kept.csv"
ID_COLUMNS = ("case_id", "id", "study_id")
_NO = frozenset({"false", "0", "no"})


def restricted(data: str | Sequence[str], only: str | Path | None) -> list[str]:
    """Data specs with the setting ``only=FILE`` added, where a file is given.

    Examples
    --------
    >>> restricted(["phantom:n=5"], None)
    ['phantom:n=5']
    """
    specs = [data] if isinstance(data, str) else list(data)
    if only is None:
        return specs
    file = Path(only).expanduser().resolve()
    if set(",=") & set(str(file)):
        raise UsageError(f"--only {file} has a comma or = in its path, which no spec can hold. Give a link to it.")
    for spec in specs:
        if ONLY in DataSpec.parse(spec).settings:
            raise UsageError(f"--data {spec} has {ONLY}= of its own, and --only is given, too. Leave one of them out.")
    return [DataSpec.parse(spec).with_setting(ONLY, str(file)).absolute for spec in specs]


def chosen_ids(file: Path, dataset: str, known: Collection[str]) -> frozenset[str]:
    r"""The ids that a file names of a data set.

    Parameters
    ----------
    file : Path
        A table with a column ``case_id`` (or ``id``, ``study_id``), and, if wanted, ``dataset``: rows of others are
        left alone; and ``kept``: rows where it is false are passed over. Or a text file with one id a line. Or the
        folder of ``perimetry subset``.
    dataset : str
    known : collection of str
        The ids that the data set has.

    Raises
    ------
    DataError
        For an id that the data set does not have, and where the file names none of it.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "kept.csv")
    >>> _ = file.write_text("dataset,case_id\nmine,7\nother,8\n")
    >>> sorted(chosen_ids(file, "mine", {"6", "7"}))
    ['7']
    """
    if file.is_dir() and (file / KEPT).is_file():
        file = file / KEPT
    if not file.is_file():
        raise DataError(f"{ONLY}={file}: there is no such file. {_expected()}")
    found: set[str] = set()
    others: dict[str, None] = {}
    strangers: list[str] = []
    for of, named in _rows(file):
        if of and of != dataset:
            others[of] = None
            continue
        # A CSV of ours has an apostrophe before what a spreadsheet would run.
        identity = named if named in known else original_cell(named)
        (found.add if identity in known else strangers.append)(identity)
    if strangers:
        count = f"{len(strangers):,} {'id' if len(strangers) == 1 else 'ids'}"
        raise DataError(
            f"{file} names {count} that {dataset} does not have, such as {echo(strangers[0])}; its {len(known):,} ids "
            f"are such as {echo_list(sorted(known)[:3])}. Take them out, or load the split that has them (--split)."
        )
    if not found:
        held = f"it is of {echo_list(list(others))}" if others else "it is empty"
        raise DataError(f"{file} names no id of {dataset}: {held}. {_expected()}")
    return frozenset(found)


def _expected() -> str:
    return (
        f"Expected a table ({', '.join(TABLE_SUFFIXES)}) with a column case_id, a .txt file with one id a line, or the "
        "folder of perimetry subset."
    )


def _rows(file: Path) -> Iterator[tuple[str, str]]:
    """Data set (empty where the file does not say) and id of each row."""
    if file.suffix.lower() not in TABLE_SUFFIXES:
        try:
            lines = file.read_text("utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{file} cannot be read ({error}). {_expected()}") from error
        yield from (("", line.strip()) for line in lines if line.strip())
        return
    for record in read_records(file):
        column = next((name for name in ID_COLUMNS if name in record.values), None)
        if column is None:
            raise DataError(f"{file} has the columns {echo_list(list(record.values))}. {_expected()}")
        identity = text(record.values[column])
        if not identity:
            raise DataError(f"{file}, row {record.row + 1}: {column} is empty; an id was expected.")
        if text(record.values.get("kept", "true")).lower() not in _NO:
            yield text(record.values.get("dataset")), identity
