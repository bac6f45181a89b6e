"""One writer at a time for a run folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from perimetry.cases.errors import UsageError
from perimetry.inference.errors import StoreError

__all__ = ["RunLock"]


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, as the lock file tells it."""

    pid: int
    host: str
    since: str

    @classmethod
    def here(cls) -> Holder:
        """The present process."""
        return cls(os.getpid(), socket.gethostname(), time.strftime("%Y-%m-%d %H:%M:%S"))

    @classmethod
    def parse(cls, text: bytes) -> Holder | None:
        """Read a lock file's content; None if it says nothing usable."""
        try:
            fields = json.loads(text)
            return cls(int(fields["pid"]), str(fields["host"]), str(fields["since"]))
        except (ValueError, KeyError, TypeError):
            return None

    def may_live(self) -> bool:
        """Whether the process can still be there; one on another machine can."""
        if self.host != socket.gethostname():
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


class RunLock:
    """Context manager that holds a folder for writing.

    The kernel's ``flock`` decides, so that a lock ends with its process, however that ended. The file's content
    (process, machine, time) is for the message to whoever comes second. Where the file system knows no ``flock``, the
    content decides: a holder on this machine that no longer runs is replaced, one on another machine is believed.

    Parameters
    ----------
    folder : Path
        Created if absent; the lock is ``folder/.lock``. Locks of two folders, a run's and its store's, are apart.

    Raises
    ------
    UsageError
        On entering, when another process (or another `RunLock` of this one) holds the folder.

    Examples
    --------
    >>> import tempfile
    >>> with RunLock(Path(tempfile.mkdtemp())):
    ...     pass
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / ".lock"
        self._descriptor = -1

    def __enter__(self) -> RunLock:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{self.path}: the run folder cannot be written ({error.strerror}).") from error
        try:
            self._take(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The file stays: removing it would let two later processes lock two different files of that name.
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = -1

    def _take(self, descriptor: int) -> None:
        holder = Holder.parse(os.pread(descriptor, 4096, 0))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._taken(holder) from None
        except OSError:  # no flock on this file system
            if holder is not None and holder.may_live():
                raise self._taken(holder) from None
        here = Holder.here()
        content = json.dumps({"pid": here.pid, "host": here.host, "since": here.since}).encode()
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, content, 0)
        except OSError:
            # A full disk must not keep anyone from resuming: the lock itself is held, only its label is missing.
            return

    def _taken(self, holder: Holder | None) -> UsageError:
        who = (
            f"process {holder.pid} on {holder.host} since {holder.since}"
            if holder
            else "another process on this machine"
        )
        return UsageError(
            f"{self.folder} is being written by {who}. A run has one writer: wait for it or end it; if that process is "
            f"certainly gone, delete {self.path}."
        )
