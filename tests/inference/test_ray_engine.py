from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.inference.engine_models import Echo, plan_of

from perimetry.cases.errors import UsageError
from perimetry.inference import RequestPlan, RequestStore, Settings, ask


def test_without_ray_the_error_names_the_extra(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"perimetry\[ray\]"):
        ask(Echo(), plan_of(3), RequestStore(tmp_path), Settings(engine="ray"))


def test_what_actors_cannot_be_handed_is_named_before_a_cluster_is_started(tmp_path: Path):
    pytest.importorskip("ray", reason="the ray extra is not installed")
    plan = plan_of(3)
    with pytest.raises(UsageError, match="cannot be handed to worker processes"):
        ask(
            Echo(),
            RequestPlan(plan.ids, lambda index: plan.build(index)),
            RequestStore(tmp_path),
            Settings(engine="ray"),
        )
