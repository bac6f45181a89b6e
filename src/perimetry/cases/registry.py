"""One registry mechanism for data sets, conditions, models, metrics and screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
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
        self._outside: dict[str, EntryPoint] = {}

    def _loaded(self) -> dict[str, Entry]:
        if self._entries is None:
            entries = dict(self._own())
            for point in entry_points(group=self.group):
                if point.name in entries:
                    raise UsageError(
                        f"The {self.kind} {point.name!r} of {point.value} has the name of one that is already "
                        f"registered. Rename its entry point in group {self.group!r}."
                    )
                self._outside[point.name] = point
            self._entries = entries
        return self._entries

    def get(self, name: str) -> Entry:
        """The entry of that name.

        An outside entry is imported when it is asked for, so that a broken one stands in nobody else's way.

        Raises
        ------
        UnknownNameError
            With the nearest names.
        UsageError
            When an outside entry cannot be imported.
        """
        entries = self._loaded()
        if name in entries:
            return entries[name]
        if name not in self._outside:
            raise UnknownNameError(self.kind, name, self.names())
        point = self._outside[name]
        try:
            entries[name] = point.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(
                f"The {self.kind} {name!r} of {point.value} cannot be imported: {error}. Update or remove the package "
                f"that offers it in group {self.group!r}."
            ) from error
        return entries[name]

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({*self._loaded(), *self._outside}))

    def items(self) -> Iterator[tuple[str, Entry]]:
        """Names and entries, sorted by name."""
        for name in self.names():
            yield name, self.get(name)
