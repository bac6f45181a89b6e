"""The command line: one file a command group, no logic of its own.

Exit codes: 0 done; 1 data or files are not as they must be, or a model answered nothing and asking again cannot help;
2 the command was not as it must be; 3 the run ended, but some requests have no answer yet (the same command asks them
again), or a report was made without some damaged files of answers; 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; errors that a user can act on are one line, no traceback."""
    from perimetry.cases.errors import PerimetryError
    from perimetry.cli.app import app
    from perimetry.cli.show import complain, logged_once

    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows another one in its place.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        with _terminate_like_interrupt(), logged_once():
            app(args=arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except PerimetryError as error:
        complain(f"perimetry: error: {error}")
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(
            f"perimetry: error: {where}{error.strerror or error}. Check the path, its permissions and the space left."
        )
        return 1
    return 0


@contextmanager
def _terminate_like_interrupt() -> Iterator[None]:
    """Let SIGTERM, as batch systems and containers send it, end a run in the same good order as Ctrl-C."""
    mine = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if mine:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        if mine:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
