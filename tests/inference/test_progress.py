from __future__ import annotations

import io

import pytest
from tests.inference.engine_models import Echo, plan_of, request_id

from perimetry.inference import LineProgress, RequestStore, RichProgress, SilentProgress, ask, choose_progress
from perimetry.inference.progress import spell_seconds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_come_no_more_often_than_told_and_the_last_one_always():
    now, stream = [0.0], io.StringIO()
    progress = LineProgress(stream, interval=5, clock=lambda: now[0])
    progress.start("hf:m", 1000)
    for tick in range(120):
        now[0] = tick / 10
        progress.update(tick * 5, tick)
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "hf:m: 300 of 1,000 asked, 50 failed, 60.0/s, 12 s left",
        "hf:m: 600 of 1,000 asked, 100 failed, 60.0/s, 7 s left",
        "hf:m: 714 of 1,000 asked, 119 failed, 60.0/s, 5 s left",
    ]


def test_the_kind_of_progress_follows_from_where_it_is_shown():
    assert isinstance(choose_progress(io.StringIO()), LineProgress)
    assert isinstance(choose_progress(Terminal()), RichProgress)
    assert isinstance(choose_progress(Terminal(), quiet=True), SilentProgress)


def test_the_bar_shows_label_counts_and_failures_as_they_are():
    stream = Terminal()
    progress = RichProgress(stream)
    progress.message("before [bold]")
    progress.start("hf:[red]m", 10)
    progress.update(6, 4)
    progress.message("between [bold]")
    progress.finish()
    progress.finish()
    shown = stream.getvalue()
    for text in ("before [bold]", "between [bold]", "hf:[red]m", "10/10", "4 failed"):
        assert text in shown


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_a_run_s_last_word_is_its_whole_count(tmp_path, stream):
    model = Echo(name=f"test:{type(stream).__name__}", fail={request_id(3): "timeout"})
    ask(model, plan_of(40), RequestStore(tmp_path), progress=choose_progress(stream))
    last = stream.getvalue()
    assert "40 of 40 asked, 1 failed" in last or ("40/40" in last and "1 failed" in last)


def test_durations_are_spelt_short():
    assert [spell_seconds(seconds) for seconds in (0, 59.4, 60, 3599, 3600, 90000)] == [
        "0 s", "59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min", "25 h 0 min",
    ]  # fmt: skip
