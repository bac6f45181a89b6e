"""A page whose every text is hostile, and helpers to read pages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOSTILE = '<script>alert(1)</script></script><!-- "\'&amp;{{7*7}} \u2028 <img src=x onerror="window.hacked=1"> =1+1'


@pytest.fixture(scope="session")
def hostile() -> str:
    return HOSTILE


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """The module of made-up estimates and cases."""
    path = Path(__file__).with_name("synthetic.py")
    specification = importlib.util.spec_from_file_location("reports_synthetic", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["reports_synthetic"] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory, synthetic: ModuleType, hostile: str) -> Path:
    """A built report in which every text that a data set, a model or a user can name is hostile."""
    from perimetry.reports import (
        Browser,
        BrowserAnswer,
        BrowserCase,
        Column,
        FailureRow,
        Figure,
        Flag,
        Reproduce,
        Section,
        Site,
        TableBlock,
        TextBlock,
        Verdict,
        build_site,
    )
    from perimetry.reports.charts import accuracy_by_condition, blank_drop_radar, metric_forest, model_comparison

    models = [f"model {hostile}", "reader:sees"]
    datasets = [f"set {hostile}", "slake", "pathvqa"]
    table = synthetic.estimates(models, datasets)
    cases = [
        BrowserCase(
            f"id {hostile}",
            f"set {hostile}",
            f"question {hostile}",
            f"gold {hostile}",
            ((f"A {hostile}", f"option {hostile}"), ("B", "no")),
            {f"condition {hostile}": (synthetic.picture(1), b"not an image")},
            (
                BrowserAnswer(
                    models[0], f"condition {hostile}", f"{hostile} text", f"answer {hostile}", f"rule {hostile}", False
                ),
            ),
            (Flag(f"flag {hostile}", models[0]),),
        ),
        *synthetic.browser_cases(models, 23),
    ]
    columns = (
        Column("m", hostile, "name", help=hostile),
        Column("t", "Text"),
        Column("c", "Code", "code"),
        Column("v", "Value", "points", low="lo", high="hi", resolve=True),
    )
    rows = (
        {"m": hostile, "t": hostile, "c": hostile, "v": 0.05, "lo": 0.01, "hi": 0.09},
        {"m": "b", "t": "x", "c": "y", "v": -0.2, "lo": -0.5, "hi": 0.1},
        {"m": "c", "t": None, "c": None, "v": None},
        {"m": "d", "t": "z", "c": "z", "v": 0.3, "lo": 0.1, "hi": 0.5},
    )
    blocks = (
        accuracy_by_condition(table),
        metric_forest(table),
        blank_drop_radar(table),
        model_comparison(table, models[1], models[0]),
        TableBlock(columns, rows, hostile, "a-table", hostile),
        TextBlock((hostile,), "caution", hostile),
    )
    site = Site(
        hostile,
        hostile,
        (Verdict(hostile, hostile, hostile, "good", Figure(hostile, 0.2, 0.1, 0.3)), Verdict("b", "c", "d")),
        (Section(hostile, hostile, blocks),),
        Browser(cases),
        (FailureRow(hostile, hostile, 3, hostile, hostile, hostile),),
        Reproduce(hostile, {hostile: hostile}, {"seed": hostile}, {"digest": hostile}, (hostile,)),
        (hostile,),
        hostile,
    )
    return build_site(tmp_path_factory.mktemp("hostile"), site).parent
