"""A cache of what was made from a text: labels, embeddings, scores; keyed by digest, so that nothing goes stale."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import DataError

__all__ = ["Cache", "CachingMetric", "TextCache", "text_key"]

_FILE = "texts.sqlite"
_AT_ONCE = 500
_WAIT = 60.0


def text_key(*parts: str) -> str:
    """Key of something made from texts: a digest of what it is, of the weights and parameters, and of the texts.

    No text can be read back from a key.

    Parameters
    ----------
    *parts : str
        Everything that changes the value, in a fixed order; two lists of parts never share a key by joining.

    Examples
    --------
    >>> text_key("chexbert/1", "weights", "no effusion") == text_key("chexbert/1", "weightsno", " effusion")
    False
    """
    return digest_parts(parts)


class Cache(Protocol):
    """What a metric needs of a cache."""

    def get(self, key: str) -> bytes | None:
        """The value, or None."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep a value."""
        ...


@runtime_checkable
class CachingMetric(Protocol):
    """A metric that can keep what it makes of texts, so that a second run encodes nothing."""

    def with_cache(self, cache: Cache) -> Self:
        """The same metric with that cache."""
        ...


class TextCache:
    """Values by key in one SQLite file; safe to kill, to share between threads, and between processes.

    A cache is never the only place of anything: a file that turns out to be damaged is set aside (``.damaged``) and
    begun anew. The file is opened on first use.

    Parameters
    ----------
    folder : Path
        Made on first use; the file is ``FOLDER/texts.sqlite``.

    Attributes
    ----------
    written : int
        Values put into it by this object.

    Raises
    ------
    DataError
        On first use, when the folder cannot be written, or another process keeps the file for a minute.

    Examples
    --------
    >>> import tempfile
    >>> with TextCache(Path(tempfile.mkdtemp())) as cache:
    ...     cache.put(text_key("length/1", "clear lungs"), b"11")
    ...     cache.get(text_key("length/1", "clear lungs")), cache.get(text_key("length/1", "other"))
    (b'11', None)
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @property
    def file(self) -> Path:
        """Where the values lie."""
        return self.folder / _FILE

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        return self.get_many([key]).get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; an earlier one of the same key is replaced."""
        self.put_many({key: value})

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that have one."""
        found: dict[str, bytes] = {}
        distinct = list(dict.fromkeys(keys))
        with self._open() as connection:
            for part in _parts(distinct):
                marks = ",".join("?" * len(part))
                # Only question marks are put into the statement.
                rows = connection.execute(f"SELECT key, value FROM texts WHERE key IN ({marks})", part)  # noqa: S608
                found.update((key, bytes(value)) for key, value in rows)
        return found

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Keep values: all of them, or after a kill none."""
        if not values:
            return
        with self._open() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", values.items())
        self.written += len(values)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __enter__(self) -> TextCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._connected()
                yield self._connection
            except (sqlite3.Error, OSError) as error:
                raise DataError(
                    f"{self.file}: the cache cannot be used ({error}). Make its folder writable, wait for the process "
                    "that uses it, or delete the file: everything in it can be made again."
                ) from error

    def _connected(self) -> sqlite3.Connection:
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            return _connect(self.file)
        except sqlite3.OperationalError:
            raise  # busy, or not to be written: the file itself may be sound
        except sqlite3.DatabaseError:
            self.file.replace(self.file.with_suffix(".damaged"))
            return _connect(self.file)


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_WAIT, check_same_thread=False)
    try:
        # The journal guards against a killed process; only a crash of the machine can cost the file: a cache.
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = TRUNCATE")
        connection.execute("CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        connection.execute("SELECT COUNT(*) FROM (SELECT 1 FROM texts LIMIT 1)").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), _AT_ONCE):
        yield keys[start : start + _AT_ONCE]
