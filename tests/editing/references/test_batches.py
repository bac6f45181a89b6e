"""Rewriting in batches: nothing depends on how many reports are made at once, and they are told of."""

from __future__ import annotations

import json
import multiprocessing
from functools import partial

import polars as pl
import pytest
from tests.editing.helpers import write_reports
from tests.models.loopback import LoopbackServer, hang_up

from perimetry.cases import UsageError
from perimetry.editing import Edit, FunnelCount, Task, edit_funnels
from perimetry.editing.edit import Status
from perimetry.editing.references import make_alternatives, rewrite
from perimetry.editing.references import rewriting as module
from perimetry.inference import Settings
from perimetry.models import ModelContext

REPORTS = [
    (f"Mild cardiomegaly. There is a {size} mm nodule in the right upper lobe. No pleural effusion.", "1. Nodule.")
    for size in range(3, 20)
]
FILES = ("alternatives.jsonl", "edits.jsonl", "funnel.json")


@pytest.fixture
def data(tmp_path):
    return write_reports(tmp_path / "data", REPORTS)


def test_batches_of_any_size_give_the_same_bytes(tmp_path, data, monkeypatch):
    found = []
    for size in (1, 5, 64):
        monkeypatch.setattr(module, "BATCH", size)
        done = rewrite(data, out=tmp_path / str(size), axes=["all", "terminology+structure:free_text"])
        page = done.page.read_text(encoding="utf-8")
        found.append(([(done.path / name).read_bytes() for name in FILES], page.replace(str(done.path), "")))
        table = pl.read_parquet(done.path / "alternatives.parquet")
        assert table["id"].to_list() == [record.study for record in done.records()]
    assert found[0][0] == found[1][0] == found[2][0]
    assert found[0][1] == found[1][1] == found[2][1]


def _note(told: list[tuple[int, int]], ready: int, total: int) -> None:
    told.append((ready, total))


def test_processes_give_the_same_bytes_and_leave_none_behind(tmp_path, data, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 3)
    axes = ["all", "terminology+structure:free_text"]
    found = []
    for workers in (1, 2):
        told: list[tuple[int, int]] = []
        done = rewrite(
            data,
            out=tmp_path / str(workers),
            axes=axes,
            workers=workers,
            counted=partial(_note, told),
        )
        found.append(([(done.path / name).read_bytes() for name in FILES], told))
    assert found[0] == found[1]
    assert multiprocessing.active_children() == []


def test_an_interruption_ends_the_processes(tmp_path, data, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 3)

    def stop(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rewrite(data, out=tmp_path / "out", axes=["terminology"], workers=2, counted=stop)
    assert multiprocessing.active_children() == []
    assert not (tmp_path / "out" / "alternatives.jsonl").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [({"workers": 0}, "--workers is 0"), ({"workers": 2, "rewriter": "openai:m@http://x"}, "of rules")],
)
def test_workers_are_of_rules(tmp_path, data, more, said):
    with pytest.raises(UsageError, match=said):
        rewrite(data, out=tmp_path / "out", axes=["terminology"], **more)
    assert not (tmp_path / "out").exists()


def test_reports_are_made_batch_by_batch_and_counted(tmp_path, data, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 1)
    seen = []
    made = make_alternatives

    def counted(*given, **more):
        seen.append(len(given[0]))
        return made(*given, **more)

    monkeypatch.setattr("perimetry.editing.references.pooled.make_alternatives", counted)
    told = []
    rewrite(data, out=tmp_path / "out", axes=["terminology"], counted=lambda done, total: told.append((done, total)))
    assert seen == [1] * len(REPORTS)
    assert told == [(number + 1, len(REPORTS)) for number in range(len(REPORTS))]


def test_what_ends_early_leaves_the_old_files_and_no_scratch(tmp_path, data, monkeypatch):
    out = tmp_path / "out"
    rewrite(data, out=out, axes=["terminology"])
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    monkeypatch.setattr(module, "BATCH", 4)

    def stop(done, _total):
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rewrite(data, out=out, axes=["terminology"], counted=stop)
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before


def test_an_endpoint_that_only_fails_is_left_alone_by_later_batches(tmp_path, data, monkeypatch):
    monkeypatch.setattr(module, "ASKING_BATCH", 4)
    with LoopbackServer(lambda _: hang_up()) as server:
        done = rewrite(
            data, out=tmp_path / "out", axes=["terminology"], rewriter=f"openai:m@{server.url}",
            settings=Settings(max_failures=3), options=ModelContext(max_retries=0, timeout=20, concurrency=1),
        )  # fmt: skip
        assert server.count <= 4
    assert done.waiting == len(REPORTS)
    assert [record.waiting for record in done.records()] == [True] * len(REPORTS)


def test_counting_one_by_one_is_counting_all_at_once():
    endings: list[tuple[str, Status, str]] = [
        ("a", "infeasible", "no"), ("b", "rejected", "bad"), ("a", "infeasible", "no"), ("a", "failed", "down"),
    ]  # fmt: skip
    edits = [
        Edit(Task(str(number), kind, "x"), (), status, "rules", f"{reason}: {number}")
        for number, (kind, status, reason) in enumerate(endings * 3)
    ]
    for funnel in edit_funnels(edits):
        count = FunnelCount(funnel.kind)
        for edit in edits:
            if edit.task.kind == funnel.kind:
                count.add(edit)
        assert count.funnel == funnel
        told = funnel.to_dict()
        assert sum(each["edits"] for each in told["reasons"]) == funnel.tasks
        assert told["reasons"][0]["detail"].startswith(told["reasons"][0]["reason"])
        json.dumps(told)
