"""The spelling of a data set: ``NAME``, ``NAME:PATH``, ``NAME:key=value,...`` or ``NAME:PATH,key=value``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from perimetry.cases.errors import UsageError

__all__ = ["DataSpec"]

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
        whole = Path(tail).expanduser()
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
        return cls(name, Path(path).expanduser() if path else None, settings)
