"""The command line: one file a command group, no logic of its own.

Exit codes: 0 done; 1 data or files are not as they must be; 2 the command was not as it must be; 3 the run ended,
but some requests have no answer yet (the same command asks them again); 130 interrupted.
"""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; errors that a user can act on are one line, no traceback."""
    from perimetry.cases.errors import PerimetryError
    from perimetry.cli.app import app

    try:
        app(args=arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except PerimetryError as error:
        print(f"perimetry: error: {error}", file=sys.stderr)  # noqa: T201 - the command line speaks here
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0
