"""The spelling of a data set: ``NAME``, ``NAME:PATH``, ``NAME:key=value,...`` or ``NAME:PATH,key=value``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from perimetry.cases.errors import UsageError

__all__ = ["DataSpec"]

FILES = ("only",)
"""Settings that are paths."""

SETTING = re.compile(r"^[a-z][a-z0-9_]*=[^=]*$")


@dataclass(frozen=True, slots=True)
class DataSpec:
    """A data set, where it lies, and its settings.

    Examples
    --------
    >>> DataSpec.parse("phantom:n=500,cooccurrence=0.8").settings
    {'n': '500', 'cooccurrence': '0.8'}
    >>> spec = DataSpec.parse("slake:data/slake,lang=zh")
    >>> spec.name, spec.path.as_posix(), spec.settings
    ('slake', 'data/slake', {'lang': 'zh'})
    """

    name: str
    path: Path | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def absolute(self) -> str:
        """The spec with its path from the root, so that it means the same in any folder.

        A path that does not exist stays as it is: it may be the name of something to download.

        Examples
        --------
        >>> DataSpec.parse("phantom:n=5").absolute
        'phantom:n=5'
        """
        path = self.path.resolve() if self.path is not None and self.path.exists() else self.path
        settings = {key: str(Path(it).resolve()) if key in FILES else it for key, it in self.settings.items()}
        tail = ",".join(([str(path)] if path is not None else []) + [f"{key}={it}" for key, it in settings.items()])
        return f"{self.name}:{tail}" if tail else self.name

    def with_setting(self, key: str, value: str) -> DataSpec:
        """The same data set with one setting more.

        Examples
        --------
        >>> DataSpec.parse("phantom:n=5").with_setting("form", "choice").absolute
        'phantom:n=5,form=choice'
        """
        return replace(self, settings={**self.settings, key: value})

    def without_setting(self, key: str) -> DataSpec:
        """The same data set with one setting less, if it is there."""
        return replace(self, settings={name: value for name, value in self.settings.items() if name != key})

    @classmethod
    def parse(cls, spec: str) -> DataSpec:
        """Read a spec. What follows the first colon is a path when one exists under that name, commas and all.

        Otherwise the trailing comma-separated ``key=value`` parts are settings and the rest is the path.

        Raises
        ------
        UsageError
            When the name is empty or a setting occurs twice.
        """
        name, _, tail = spec.strip().partition(":")
        if not name:
            raise UsageError(f"{spec!r} names no data set; NAME:PATH was expected, for example vqa-rad:data/vqa_rad.")
        if not tail:
            return cls(name)
        whole = _expanded(tail, spec)
        if whole.exists():
            return cls(name, whole)
        parts = tail.split(",")
        first = len(parts)
        while first > 0 and SETTING.match(parts[first - 1].strip()):
            first -= 1
        settings: dict[str, str] = {}
        for part in parts[first:]:
            key, _, value = part.strip().partition("=")
            if key in settings:
                raise UsageError(f"{spec!r} gives the setting {key!r} twice.")
            settings[key] = value.strip()
        path = ",".join(parts[:first])
        return cls(name, _expanded(path, spec) if path else None, settings)


def _expanded(path: str, spec: str) -> Path:
    """The path without ``~``; a path that no file can have is refused here, before anybody looks for it."""
    try:
        expanded = Path(path).expanduser()
        expanded.exists()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"The data set {spec[:200]!r} has a path that cannot be used: {reason}.") from error
    return expanded
