from __future__ import annotations

import io

import pytest
from tests.inference.engine_models import Echo, EchoEndpoint, plan_of, request_id

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


def test_while_nothing_comes_a_line_says_so_now_and_then():
    now, stream = [0.0], io.StringIO()
    progress = LineProgress(stream, interval=5, clock=lambda: now[0], silence=15)
    progress.start("hf:m", 100)
    for second in range(1, 41):
        now[0] = second
        progress.beat()
    now[0] = 41
    progress.update(1, 0)
    for second in range(42, 72):
        now[0] = second
        progress.beat()
    progress.finish()
    progress.beat()
    assert stream.getvalue().splitlines() == [
        "hf:m: 0 of 100 asked, nothing yet for 15 s",
        "hf:m: 0 of 100 asked, nothing yet for 30 s",
        "hf:m: 1 of 100 asked",
        "hf:m: 1 of 100 asked, nothing new for 15 s",
        "hf:m: 1 of 100 asked, nothing new for 30 s",
        "hf:m: 1 of 100 asked",
    ]


@pytest.mark.parametrize("make", [Echo, EchoEndpoint])
def test_a_model_that_is_busy_does_not_keep_the_lines_from_showing_life(tmp_path, make):
    stream = io.StringIO()
    model = make(name="test:slow", pause=0.5)
    ask(model, plan_of(1), RequestStore(tmp_path), progress=LineProgress(stream, silence=0.05))
    first, *_, last = stream.getvalue().splitlines()
    assert first == "test:slow: 0 of 1 asked, nothing yet for 0 s"
    assert last == "test:slow: 1 of 1 asked"


def test_the_time_left_does_not_count_how_long_the_start_took():
    now, stream = [0.0], io.StringIO()
    progress = LineProgress(stream, interval=5, clock=lambda: now[0])
    progress.start("baseline:question", 1000)
    for moment, done in ((600.0, 8), (605.0, 16), (610.0, 108)):
        now[0] = moment
        progress.update(done, 0)
    progress.finish()
    assert stream.getvalue().splitlines()[:3] == [
        "baseline:question: 8 of 1,000 asked",
        "baseline:question: 16 of 1,000 asked",
        "baseline:question: 108 of 1,000 asked, 10.0/s, 1 min 29 s left",
    ]


def test_the_bar_shows_the_time_that_has_passed():
    stream = Terminal()
    progress = RichProgress(stream)
    progress.start("hf:m", 10)
    progress.finish()
    assert "0:00:00" in stream.getvalue()


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
