"""The libraries that only neural metrics need: imported when a model is opened, and named when they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from perimetry.cases.errors import UsageError

__all__ = ["best_device", "library", "missing_libraries", "quiet"]

_NEEDED = ("torch", "transformers")
_HOW = "Install them with: pip install 'perimetry[clinical]' (or the extra hf, which holds them too)"


def library(name: str) -> Any:
    """Import torch or transformers by name, so that the scoring package itself needs neither.

    Raises
    ------
    UsageError
        When it is not installed, or cannot be imported.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"Neural metrics need {' and '.join(_NEEDED)} ({error}). {_HOW}.") from error


def missing_libraries() -> str:
    """Which of the libraries are not installed, and what to do; empty if all are. Imports nothing."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed. {_HOW}" if missing else ""


def best_device(asked: str = "") -> str:
    """The torch device asked for, else CUDA where there is one, else the CPU.

    Raises
    ------
    UsageError
        When CUDA is asked for and absent.
    """
    torch = library("torch")
    if asked.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError(f"device is {asked!r}, but torch sees no CUDA device here. Use device=cpu.")
    return asked or ("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep notes and bars of transformers off the terminal while it loads; what matters in them is an error of ours."""
    logging = library("transformers").utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
