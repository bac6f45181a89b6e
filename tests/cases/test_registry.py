"""The registry, and the two listings made from it."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from perimetry.cases import Registry, UnknownNameError, UsageError, dataset_infos, datasets
from perimetry.cases import registry as registry_module

QUESTION_SETS = {
    *("vqa-rad", "slake", "path-vqa", "pmc-vqa", "medxpertqa-mm", "mmmu", "mmmu-pro", "medthinkvqa"),
    *("chartqa", "scienceqa", "vqav2", "gqa", "table", "hub"),
}


def registry_with(monkeypatch, *points):
    monkeypatch.setattr(registry_module, "entry_points", lambda group: [p for p in points if p.group == group])
    return Registry("thing", "test.things", lambda: {"own": 1})


def test_outside_entries_are_imported_when_asked_for(monkeypatch):
    registry = registry_with(
        monkeypatch,
        EntryPoint("pi", "math:pi", "test.things"),
        EntryPoint("broken", "no.such.module:x", "test.things"),
        EntryPoint("other", "math:e", "test.others"),
    )
    assert registry.names() == ("broken", "own", "pi")
    assert registry.get("own") == 1
    assert registry.get("pi") == pytest.approx(3.14159, abs=1e-5)
    with pytest.raises(UsageError, match=r"thing 'broken' of no\.such\.module:x cannot be imported"):
        registry.get("broken")


def test_an_outside_entry_cannot_replace_an_own_one(monkeypatch):
    registry = registry_with(monkeypatch, EntryPoint("own", "math:pi", "test.things"))
    with pytest.raises(UsageError, match="'own' of math:pi has the name of one that is already registered"):
        registry.get("own")


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(UnknownNameError, match=r"no data set called 'vqa_rad'\. Did you mean vqa-rad"):
        datasets().get("vqa_rad")
    with pytest.raises(UnknownNameError, match=r"Known: .*slake"):
        datasets().get("zzz")


def test_every_question_set_is_registered_and_described():
    assert set(datasets().names()) >= QUESTION_SETS
    infos = {info.name: info for info in dataset_infos()}
    for name in QUESTION_SETS:
        info = infos[name]
        assert info.problem == ""
        assert info.title
        assert info.licence
        assert info.layout
        assert info.data_use in ("open", "restricted", "credentialed")
        assert info.default_split in (*info.splits, "all", "test")
