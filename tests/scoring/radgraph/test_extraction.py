"""The extractor: crashes, silence, nonsense and restarts, with a real child process."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from perimetry.cases.errors import DataError, UsageError
from perimetry.scoring.cache import TextCache
from perimetry.scoring.radgraph import Annotation, ExtractorAnnotations, ExtractorSettings, Unread

FAKE = Path(__file__).with_name("fake_extractor.py")
QUICK = ExtractorSettings(timeout=20.0, start_timeout=20.0)


def command(state: Path, *more: str) -> str:
    return shlex.join([sys.executable, "-S", str(FAKE), "--state", str(state), *more])


def words(read: Annotation | Unread) -> list[str] | str:
    return [entity.tokens for entity in read.entities] if isinstance(read, Annotation) else read.reason


def asked(state: Path) -> list[str]:
    return [json.loads(line) for line in (state / "asked.txt").read_text().splitlines()]


def starts(state: Path) -> int:
    return (state / "starts.txt").read_text().count("start")


def test_a_crash_costs_its_own_report_alone(tmp_path: Path) -> None:
    source = ExtractorAnnotations(command(tmp_path), QUICK)
    texts = ["Lungs clear.", "CRASH here.", "Heart normal.", "ONCE more.", "ERROR told.", "Lungs clear."]
    read = source.annotate(texts)
    source.close()
    assert [words(read[at]) for at in (0, 2, 3, 5)] == [
        ["Lungs", "clear"],
        ["Heart", "normal"],
        ["ONCE", "more"],
        ["Lungs", "clear"],
    ]
    assert read[1] == Unread(
        "the extractor ended with exit code 3; its last words: segmentation fault, for example (2 times)"
    )
    assert read[4] == Unread("the extractor could not read it: no model for this")
    # Two tries of CRASH and two of ONCE, one of each other; one process, and one more after each crash.
    assert sorted(asked(tmp_path)) == sorted([*set(texts), "CRASH here.", "ONCE more."])
    assert 3 <= starts(tmp_path) <= 4


def test_silence_ends_by_the_clock_and_the_child_is_gone(tmp_path: Path) -> None:
    source = ExtractorAnnotations(command(tmp_path), ExtractorSettings(timeout=2.0, start_timeout=20.0, retries=0))
    read = source.annotate(["HANG up.", "Heart normal."])
    assert words(read[1]) == ["Heart", "normal"]
    assert "no answer in 2 s" in str(words(read[0]))
    child = source._process._child if source._process else None
    source.close()
    if child is not None:
        assert child.poll() is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("OTHER text.", "of another text"),
        ("WRONG id.", "answered for another id, 'no such id'"),
        ("SPLIT at 2.5 cm.", "cut the decimal 2.5 although it was given the tokens"),
    ],
)
def test_nonsense_is_missing_with_its_reason(tmp_path: Path, text: str, reason: str) -> None:
    source = ExtractorAnnotations(command(tmp_path), QUICK)
    bad, good = source.annotate([text, "Tip 2.5 cm above."])
    source.close()
    assert reason in str(words(bad))
    assert words(good) == ["Tip", "cm", "above"]


def test_talk_is_no_answer_and_blocks_nothing(tmp_path: Path) -> None:
    source = ExtractorAnnotations(command(tmp_path), QUICK)
    long = "word " * 10_000 + "é肺\n\x00\u2028 end."
    read = source.annotate(["FLOOD first.", long])
    source.close()
    assert words(read[0]) == ["FLOOD", "first"]
    assert len(words(read[1])) == 10_002


def test_tokens_decide_who_cuts(tmp_path: Path) -> None:
    ours = ExtractorAnnotations(command(tmp_path), QUICK)
    theirs = ExtractorAnnotations(command(tmp_path), ExtractorSettings(tokens="upstream", timeout=20.0))
    try:
        assert isinstance(ours.annotate(["SPLIT 2.5 cm."])[0], Unread)
        assert words(theirs.annotate(["SPLIT 2.5 cm."])[0]) == ["SPLIT", "cm"]
    finally:
        ours.close()
        theirs.close()
    assert ours.parameters["tokens"] == "whole"
    assert theirs.parameters["tokens"] == "upstream"


def test_an_extractor_that_never_starts_is_one_error_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"exit code 1; its last words: the weights are not there.*ready"):
        ExtractorAnnotations(command(tmp_path, "--start", "never"), QUICK).annotate(["Clear."])
    mute = ExtractorAnnotations(command(tmp_path, "--start", "mute"), ExtractorSettings(start_timeout=0.3))
    with pytest.raises(DataError, match=r"not ready in 0\.3 s"):
        mute.annotate(["Clear."])
    with pytest.raises(UsageError, match="runs the model 'radgraph', expected 'radgraph-xl'"):
        ExtractorAnnotations(command(tmp_path, "--model", "radgraph"), QUICK).annotate(["Clear."])
    lost = ExtractorAnnotations("/no/such/python extractor.py")
    assert "/no/such/python" in lost.obstacle()
    with pytest.raises(UsageError, match="/no/such/python"):
        lost.annotate(["Clear."])
    assert not (tmp_path / "asked.txt").exists()


def test_an_extractor_that_does_not_start_again_is_given_up(tmp_path: Path) -> None:
    settings = ExtractorSettings(timeout=20.0, start_timeout=20.0, retries=0, give_up=2)
    source = ExtractorAnnotations(command(tmp_path, "--start", "first"), settings)
    texts = [f"CRASH {word}." for word in ("one", "two", "three", "four", "five")]
    read = source.annotate(texts)
    assert all(isinstance(one, Unread) for one in read)
    assert sum("given up after 2 failures" in str(words(one)) for one in read) == 3
    assert starts(tmp_path) == 2


def test_order_does_not_matter(tmp_path: Path) -> None:
    texts = ["Lungs clear.", "CRASH one.", "CRASH two.", "Heart normal.", "CRASH three.", "No edema.", "CRASH four."]
    settings = ExtractorSettings(timeout=20.0, start_timeout=20.0, retries=0, give_up=2)
    results = []
    for order in (texts, texts[::-1], texts[3:] + texts[:3]):
        source = ExtractorAnnotations(command(tmp_path), settings)
        results.append(dict(zip(order, source.annotate(order), strict=True)))
        source.close()
    assert results[0] == results[1] == results[2]


def test_a_second_run_asks_nobody(tmp_path: Path) -> None:
    texts = ["Lungs clear.", "Tip 2.5 cm above.", "ERROR told."]
    with TextCache(tmp_path / "cache") as cache:
        first = ExtractorAnnotations(command(tmp_path), QUICK, cache)
        read = first.annotate(texts)
        first.close()
        assert first.annotate(texts[:2]) == read[:2]  # known to the object itself: no process
        before = asked(tmp_path)
        second = ExtractorAnnotations(command(tmp_path), QUICK).with_cache(cache)
        assert second.annotate(texts[:2]) == read[:2]
        assert asked(tmp_path) == before
        assert starts(tmp_path) == 1
        # What failed is asked again; another rule of tokens is another thing.
        second.annotate(texts)
        second.close()
        assert asked(tmp_path) == [*before, "ERROR told."]
        third = ExtractorAnnotations(command(tmp_path), ExtractorSettings(tokens="upstream"), cache)
        third.annotate(texts[:1])
        third.close()
        assert asked(tmp_path)[-1] == "Lungs clear."


def test_a_forgotten_extractor_ends(tmp_path: Path) -> None:
    source = ExtractorAnnotations(command(tmp_path), QUICK)
    source.annotate(["Clear."])
    process = source._process
    assert process is not None
    child = process._child.pid
    del source, process
    deadline = time.monotonic() + 10.0
    while time.monotonic() < deadline:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("the child lives on")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"timeout": 0.0}, "timeout is 0.0"),
        ({"timeout": float("nan")}, "timeout is nan"),
        ({"start_timeout": float("inf")}, "start_timeout is inf"),
        ({"retries": -1}, "retries is -1"),
        ({"give_up": 0}, "give_up is 0"),
    ],
)
def test_settings_are_held_to_their_range(change: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ExtractorSettings(**change)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "  ", "python 'extractor.py"])
def test_a_command_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="extractor is"):
        ExtractorAnnotations(text)
