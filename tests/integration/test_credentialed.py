"""Data that must not leave this machine, and reports that must not carry it."""

from __future__ import annotations

import pytest
from tests.bad_input import audit, every_file, one_error, png, records, write_answers, write_table
from tests.models.loopback import LoopbackServer, error

from perimetry.cases import Dataset, Image, Question, datasets
from perimetry.cases.sources import BytesSource

ELSEWHERE = "openai:m@http://198.51.100.7:9/v1"  # TEST-NET: nobody answers there
WORDS = "zebrafish-handwriting"


def load_ward(path, options, funnel):
    for number in range(6):
        funnel.enter()
        image = Image(BytesSource(png(number), f"image {number}"))
        stem = f"Does film {number} show {WORDS}?"
        yield Question(
            str(number), "ward", f"g{number}", stem, "yes" if number % 2 else "no", "closed", images=(image,)
        )
    funnel.enter()
    funnel.leave_out("answer not among the options", f"7 ('{WORDS}' of A, B)")


def ward(use):
    return Dataset("ward", "Ward", "", "DUA", use, load_ward, "all", (), needs_path=False)


@pytest.fixture(params=["credentialed", "restricted"])
def use(request, monkeypatch):
    registry = datasets()
    registry.names()
    monkeypatch.setitem(registry._entries, "ward", ward(request.param))
    return request.param


@pytest.mark.usefixtures("pageless")
def test_credentialed_data_stays_here_unless_it_is_named(tmp_path, use):
    refused = audit("ward", ELSEWHERE, tmp_path / "run", "--max-requests", "0")
    if use == "restricted":
        assert refused.code == 3
        return
    one_error(refused, 2, "ward is credentialed", "--allow-remote ward")
    assert not (tmp_path / "run" / "run.toml").exists()
    assert not (tmp_path / "run" / "responses").exists()
    other = audit("ward", ELSEWHERE, tmp_path / "run", "--max-requests", "0", "--allow-remote", "another")
    one_error(other, 2, "--allow-remote ward")
    one_error(audit("ward", ELSEWHERE, tmp_path / "run", "--dry-run"), 2, "--allow-remote ward")
    assert audit("ward", ELSEWHERE, tmp_path / "run", "--max-requests", "0", "--allow-remote", "ward").code == 3


@pytest.mark.usefixtures("pageless")
def test_a_model_that_joins_later_is_held_back_too(tmp_path, use):
    if use == "restricted":
        pytest.skip("restricted data may be sent")
    with LoopbackServer("Answer: yes") as server:
        assert audit("ward", f"openai:here@{server.url}", tmp_path / "run").code == 0
    one_error(audit("ward", ELSEWHERE, tmp_path / "run"), 2, "ward is credentialed")


@pytest.mark.usefixtures("pageless")
def test_a_pool_of_hard_negatives_is_data_too(tmp_path, use):
    data = write_table(tmp_path, records(6))
    more = ["--pool", "ward", "--max-requests", "0"]
    ended = audit(data, ELSEWHERE, tmp_path / "run", *more, conditions="real,hardneg")
    if use == "credentialed":
        one_error(ended, 2, "ward is credentialed")
    else:
        assert ended.code == 3
    table = f"{write_table(tmp_path, records(6), 'pool.jsonl', use)},name=own"
    ended = audit(
        data, ELSEWHERE, tmp_path / "other", "--pool", table, "--max-requests", "0", conditions="real,hardneg"
    )
    assert ended.code == (2 if use == "credentialed" else 3)
    assert use == "restricted" or "own is credentialed" in ended.err


def carries(folder, text):
    """Files of a report that hold a text in any of the forms in which it could stand there."""
    return [name for name, content in every_file(folder / "report").items() if text.encode() in content]


def test_the_report_has_no_image_and_no_text_of_it(tmp_path, use):
    def reply(request):
        # A server that quotes the question in what it says went wrong, and in its answers.
        return error(400, f"cannot answer: {request.text}") if "film 1 " in request.text else f"{WORDS}: yes"

    with LoopbackServer(reply) as server:
        assert audit("ward", f"openai:m@{server.url}", tmp_path / "run").code == 3
    assert not carries(tmp_path / "run", WORDS)
    assert not carries(tmp_path / "run", "Does film")
    assert not list((tmp_path / "run" / "report").rglob("*.webp"))
    assert carries(tmp_path / "run", "bad_request")
    assert carries(tmp_path / "run", "left out: answer not among the options")


def test_an_open_data_set_shows_no_image_of_a_pool_that_is_not(tmp_path, use):
    rows = records(6)
    data, model = write_table(tmp_path, rows), write_answers(tmp_path / "a.jsonl", rows)
    assert audit(data, model, tmp_path / "open", conditions="real,hardneg").code == 0
    assert list((tmp_path / "open" / "report").rglob("*.webp"))
    assert audit(data, model, tmp_path / "run", "--pool", "ward", conditions="real,hardneg").code == 0
    assert not list((tmp_path / "run" / "report").rglob("*.webp"))
