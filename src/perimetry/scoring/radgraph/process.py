"""A child process that speaks in lines: every wait has an end, and no pipe can block the caller."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

__all__ = ["LineProcess"]

_TAIL = 20
_LONGEST = 64 * 1024 * 1024
# Another interpreter's environment must not see this one's modules.
_NOT_INHERITED = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")


class LineProcess:
    """A running command; lines that begin with ``{`` are its answers, everything else is talk.

    Threads do the reading and the writing: a child that does not read, does not answer or talks without end costs the
    caller no more than its timeout.

    Parameters
    ----------
    command : sequence of str
        Run without a shell, in a session of its own where the system has such.

    Raises
    ------
    OSError
        When it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        # The command is what the user gave as the extractor; there is no shell between.
        self._child = subprocess.Popen(  # noqa: S603
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
            start_new_session=os.name == "posix",
        )
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._tail: deque[bytes] = deque(maxlen=_TAIL)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        for thread in (
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._write, daemon=True),
            self._listener,
        ):
            thread.start()

    def send(self, line: str) -> None:
        """Hand a line over to be written; returns at once."""
        self._requests.put(line.encode("utf-8") + b"\n")

    def receive(self, deadline: float) -> str | None:
        """The next answer, or None when the child's output has ended.

        Parameters
        ----------
        deadline : float
            In seconds of `time.monotonic`.

        Raises
        ------
        TimeoutError
            When there is none by then.
        """
        try:
            line = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        return None if line is None else line.decode("utf-8", errors="replace")

    @property
    def last_words(self) -> str:
        """The last line that the child wrote beside its answers, cut to 300 characters."""
        lines = [line.decode("utf-8", errors="replace").strip() for line in list(self._tail)]
        return next((line[:300] for line in reversed(lines) if line), "")

    def stop(self) -> int | None:
        """End the child and whatever it started; returns its exit code. May be called again."""
        self._requests.put(None)
        if self._child.returncode is None:  # not yet reaped, so that the number is still its own
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.name == "posix":
                    os.killpg(self._child.pid, signal.SIGKILL)
                else:
                    self._child.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=10.0)
        return self._child.returncode

    def exit_code(self, wait: float) -> int | None:
        """Exit code of a child that has ended its output; None if it still runs after ``wait`` seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=wait)
        self._listener.join(timeout=1.0)  # so that its last words are heard
        return self._child.returncode

    def _read(self) -> None:
        with _pipe(self._child.stdout) as pipe:
            while line := pipe.readline(_LONGEST):
                if line.lstrip().startswith(b"{"):
                    self._answers.put(line)
                else:
                    self._tail.append(line)
        self._answers.put(None)

    def _listen(self) -> None:
        with _pipe(self._child.stderr) as pipe:
            while line := pipe.readline(_LONGEST):
                self._tail.append(line)

    def _write(self) -> None:
        # A child that has died shows it by the end of its output.
        with contextlib.suppress(BrokenPipeError, OSError), _pipe(self._child.stdin) as pipe:
            while (line := self._requests.get()) is not None:
                pipe.write(line)
                pipe.flush()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the child was started without its pipes")
    return pipe
