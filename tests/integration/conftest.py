"""Fixtures of tests that run whole audits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perimetry.protocols import registry
from perimetry.reports import Site


@pytest.fixture
def pageless(monkeypatch):
    """Leave the page out of every run: what is tested lies before it, and drawing takes most of a small run's time."""
    without = tuple(replace(protocol, page=lambda *_: Site("Nothing drawn")) for protocol in registry.PROTOCOLS)
    monkeypatch.setattr(registry, "PROTOCOLS", without)
    monkeypatch.setattr("perimetry.protocols.finish.build_site", lambda *_: None)
