"""The registry of screens."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable

from perimetry.cases import Registry, UsageError
from perimetry.screening.screen import Layer, Screen

__all__ = ["chosen_screens", "screens"]


def _own() -> dict[str, Screen]:
    """Entries of the package: modules of ``screening.detectors`` (text) and ``screening.images`` offer ``SCREENS``."""
    from perimetry.screening import detectors, images

    found: dict[str, Screen] = {}
    for package in (detectors, images):
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            imported = importlib.import_module(f"{package.__name__}.{module.name}")
            offered: tuple[Screen, ...] = getattr(imported, "SCREENS", ())
            for screen in offered:
                if screen.name in found:
                    raise UsageError(f"Two screens are called {screen.name!r}; rename one in {module.name}.py.")
                found[screen.name] = screen
    return found


def screens() -> Registry[Screen]:
    """The registry of screens: the package's own, then those of entry-point group ``perimetry.screens``.

    An outside package offers a `Screen`.

    Examples
    --------
    >>> "large-gap" in screens().names()
    True
    """
    return Registry("screen", "perimetry.screens", _own)


def chosen_screens(
    names: Iterable[str] = (), *, without: Iterable[Layer] = ("image",), known: Registry[Screen] | None = None
) -> tuple[Screen, ...]:
    """Screens by name, all of them if none is named, sorted by name.

    Parameters
    ----------
    names : iterable of str
    without : iterable of Layer, default ("image",)
        Layers left out where no name is given.
    known : Registry, optional

    Raises
    ------
    UnknownNameError
        For a name that no registry holds; suggests the nearest ones.

    Examples
    --------
    >>> [screen.unit for screen in chosen_screens(["clang"])]
    ['option']
    """
    registry = known or screens()
    wanted = tuple(dict.fromkeys(names))
    if wanted:
        return tuple(registry.get(name) for name in sorted(wanted))
    left_out = set(without)
    return tuple(screen for _, screen in registry.items() if screen.layer not in left_out)
