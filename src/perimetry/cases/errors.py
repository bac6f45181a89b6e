"""Errors that name what was found, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["CaseError", "DataError", "ImageError", "PerimetryError", "UnknownNameError", "UsageError"]


class PerimetryError(Exception):
    """Base of every error that a user can act on.

    The command line prints its message without a traceback and exits with `exit_code`.
    """

    exit_code = 1


class UsageError(PerimetryError):
    """What was asked for cannot be done as it was asked."""

    exit_code = 2


class DataError(PerimetryError):
    """A file or folder of data is absent or not in the layout that was expected."""


class CaseError(DataError):
    """One record of a data set cannot become a case. The load goes on without it."""


class ImageError(DataError):
    """One image cannot be read. Only the cases that show it are affected."""


class UnknownNameError(UsageError):
    """A name that no registry holds.

    Parameters
    ----------
    kind : str
        What was looked for, for example ``"data set"``.
    name : str
        The name as it was given.
    known : iterable of str
        The names that would have worked; the nearest ones are suggested.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        import difflib

        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
        shown = (each if each == each.strip() else repr(each) for each in near)  # a blank at the end has to be seen
        hint = f"Did you mean {' or '.join(shown)}?" if near else f"Known: {', '.join(names)}."
        super().__init__(f"There is no {kind} called {name!r}. {hint}")
        self.kind = kind
        self.name = name
        self.known = tuple(names)
