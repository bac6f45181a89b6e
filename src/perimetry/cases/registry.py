"""One registry mechanism for data sets, conditions, models, metrics and screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from perimetry.cases.errors import UnknownNameError, UsageError

__all__ = ["Registry"]

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Named entries: those of the package first, then those that other packages offer by entry point.

    Parameters
    ----------
    kind : str
        What an entry is called in messages, for example ``"data set"``.
    group : str
        Entry-point group, for example ``"perimetry.datasets"``. An outside entry that has the name of one of the
        package's own is refused.
    own : callable returning a dict
        Gives the package's entries; called on first use, so that importing a registry imports nothing else.
    """

    def __init__(self, kind: str, group: str, own: Callable[[], dict[str, Entry]]) -> None:
        self.kind = kind
        self.group = group
        self._own = own
        self._entries: dict[str, Entry] | None = None

    def _all(self) -> dict[str, Entry]:
        if self._entries is None:
            entries = dict(self._own())
            for point in entry_points(group=self.group):
                if point.name in entries:
                    raise UsageError(
                        f"The {self.kind} {point.name!r} of {point.value} has the name of one that is already "
                        f"registered. Rename its entry point in group {self.group!r}."
                    )
                entries[point.name] = point.load()
            self._entries = entries
        return self._entries

    def get(self, name: str) -> Entry:
        """The entry of that name; raises `UnknownNameError` with the nearest names otherwise."""
        entries = self._all()
        if name not in entries:
            raise UnknownNameError(self.kind, name, entries)
        return entries[name]

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted(self._all()))

    def items(self) -> Iterator[tuple[str, Entry]]:
        """Names and entries, sorted by name."""
        for name in self.names():
            yield name, self._all()[name]
