"""Recorded answers: every way in which a file can be short, double or strange."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import perimetry
from perimetry.cases.errors import DataError, UsageError
from perimetry.models.recorded import RecordedModel, RecordedWarning
from perimetry.models.registry import ModelContext
from perimetry.models.request import Failure, Prompt, Request, TextPart
from perimetry.models.spec import resolve_model

ROWS = [
    {"case_id": "1", "condition": "real", "response": "yes"},
    {"case_id": "1", "condition": "noimage", "response": "no"},
    {"case_id": "2", "condition": "real", "response": "Answer: B"},
]


def write(folder: Path, rows: Sequence[dict[str, Any]], suffix: str = "jsonl") -> Path:
    path = folder / f"answers.{suffix}"
    if suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif suffix == "csv":
        pl.DataFrame(rows).write_csv(path)
    else:
        pl.DataFrame(rows).write_parquet(path)
    return path


def request(case_id: str, condition: str = "real", repeat: int = 0, dataset: str = "mine") -> Request:
    return Request(f"{case_id}-{condition}-{repeat}", case_id, dataset, condition, repeat, 0, Prompt((TextPart("?"),)))


def model(path: Path, **context: Any) -> RecordedModel:
    made = resolve_model(f"recorded:{path}", replace(ModelContext(), **context))
    assert isinstance(made, RecordedModel)
    return made


def texts(made: RecordedModel, *requests: Request) -> list[str | None]:
    return [response.text for response in made.answer(requests)]


def failure(made: RecordedModel, asked: Request) -> Failure:
    (response,) = made.answer([asked])
    assert response.failure is not None
    assert response.text is None
    return response.failure


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_answers_come_back_in_the_order_of_the_requests(tmp_path: Path, suffix: str) -> None:
    made = model(write(tmp_path, ROWS, suffix))
    assert texts(made, request("2"), request("1", "noimage"), request("1")) == ["Answer: B", "no", "yes"]
    assert made.report.rows == 3
    assert made.report.cases == 2


def test_equal_requests_have_either_spelling(tmp_path: Path) -> None:
    rows = [
        {"case_id": "1", "condition": "textonly", "response": "text"},
        {"case_id": "1", "condition": "full", "response": "all"},
        {"case_id": "1", "condition": "hardneg(rank=1)", "response": "other"},
        {"case_id": "1", "condition": "retest", "response": "again"},
    ]
    made = model(write(tmp_path, rows))
    assert texts(made, *(request("1", name) for name in ("noimage", "textonly", "real", "gridmask(0)", "hardneg"))) == [
        "text",
        "text",
        "all",
        "all",
        "other",
    ]
    assert texts(made, request("1", "retest")) == ["again"]
    assert failure(made, request("1", "shuffle")).kind == "not_recorded"


def test_retest_is_never_served_from_real(tmp_path: Path) -> None:
    assert failure(model(write(tmp_path, ROWS)), request("1", "retest")).kind == "not_recorded"


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    made = model(write(tmp_path, ROWS))
    other = failure(made, request("1", "shuffle"))
    assert "'1' under 'shuffle', repeat 0" in other.message
    assert "noimage (repeat 0), real (repeat 0)" in other.message
    assert "nor any other of this case" in failure(made, request("99")).message
    assert "repeat 3" in failure(made, request("1", "real", 3)).message
    assert other.is_final


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_not_a_number_is_no_answer(tmp_path: Path, suffix: str) -> None:
    # A column of floats in which nothing stands is how other libraries write that every answer is missing.
    nothing = None if suffix == "csv" else float("nan")
    path = write(tmp_path, [{"case_id": "1", "condition": "real", "response": nothing}], suffix)
    with pytest.warns(RecordedWarning, match="1 of 1 rows hold no answer"):
        assert "but it holds no answer" in failure(model(path), request("1")).message


@pytest.mark.parametrize(("held", "asked"), [("full", "real"), ("real", "full"), ("textonly", "noimage")])
def test_what_is_there_goes_by_the_name_that_the_file_gives_it(tmp_path: Path, held: str, asked: str) -> None:
    made = model(write(tmp_path, [{"case_id": "1", "condition": held, "response": "a"}]))
    assert texts(made, request("1", asked)) == ["a"]
    said = failure(made, request("1", asked, 1)).message
    assert said.endswith(f"no row of case '1' under '{asked}', repeat 1; of this case it has {held} (repeat 0).")
    assert failure(made, request("1", "shuffle")).message.endswith(f"it has {held} (repeat 0).")


def test_what_is_there_goes_by_its_own_name(tmp_path: Path) -> None:
    rows = [{"case_id": str(n), "condition": name, "response": "a"} for n, name in enumerate(("oco@0", "real"))]
    said = failure(model(write(tmp_path, rows)), request("1", "oco@100")).message
    assert said.endswith("of this case it has real (repeat 0).")


def test_repeats(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "repeat": number, "response": f"r{number}"} for number in range(3)]
    made = model(write(tmp_path, rows, "csv"))
    assert texts(made, request("1", repeat=2), request("1", repeat=0)) == ["r2", "r0"]


def test_data_sets_with_the_same_ids(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "dataset": name, "response": name} for name in ("a", "b")]
    made = model(write(tmp_path, rows))
    assert texts(made, request("1", dataset="b"), request("1", dataset="a")) == ["b", "a"]
    assert failure(made, request("1", dataset="c")).kind == "not_recorded"


def test_double_rows_that_agree_are_one(tmp_path: Path) -> None:
    made = model(write(tmp_path, [*ROWS, ROWS[0]]))
    assert made.report.rows == 3
    assert texts(made, request("1")) == ["yes"]


@pytest.mark.parametrize("condition", ["real", "full"])
def test_double_rows_that_disagree_are_named(tmp_path: Path, condition: str) -> None:
    path = write(tmp_path, [*ROWS, {"case_id": "1", "condition": condition, "response": "no"}])
    with pytest.raises(DataError, match=r"case '1', real: rows 1 and 4"):
        texts(model(path), request("1"))


def test_ids_of_no_case_are_counted_in_one_warning(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        *ROWS,
        *({"case_id": f"x{i}", "condition": "reall", "response": "?"} for i in range(7)),
    ]
    rows.append({"case_id": "2", "condition": "blank", "response": None})
    made = model(write(tmp_path, rows), case_ids=["1", "2", "3"])
    with pytest.warns(RecordedWarning) as caught:
        texts(made, request("1"))
        texts(made, request("2"))
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "7 of 9 case ids" in message
    assert "x0, x1, x2, x3, x4)" in message
    assert "no condition is called reall" in message
    assert "1 of 11 rows hold no answer" in message
    assert made.describe()["warnings"] == [message]
    assert "holds no answer" in failure(made, request("2", "blank")).message


def test_a_clean_file_warns_of_nothing(tmp_path: Path) -> None:
    made = model(write(tmp_path, ROWS), case_ids=["1", "2"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert texts(made, request("1")) == ["yes"]
    assert made.describe()["warnings"] == []


def test_a_name_is_the_same_on_every_machine(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS)
    made = model(path)
    assert made.name == "recorded:answers"
    assert made.describe()["file"] == str(path)
    named = resolve_model(f"recorded:{path}#gpt-4o")
    assert named.name == "recorded:gpt-4o"
    assert isinstance(named, RecordedModel)
    assert texts(named, request("1")) == ["yes"], "a file that names no model may be given a name"


def test_several_models_in_one_file(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "model": name, "response": name} for name in ("a", "b")]
    path = write(tmp_path, rows)
    with pytest.raises(UsageError, match=r"several models; found: a, b\. Name one: recorded:FILE#MODEL"):
        texts(model(path), request("1"))
    chosen = resolve_model(f"recorded:{path}#b")
    assert isinstance(chosen, RecordedModel)
    assert texts(chosen, request("1")) == ["b"]
    assert chosen.name == "recorded:b"
    assert chosen.describe()["file"] == str(path)
    wrong = resolve_model(f"recorded:{path}#c")
    assert isinstance(wrong, RecordedModel)
    with pytest.raises(UsageError, match="no rows of 'c'; found: a, b"):
        texts(wrong, request("1"))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"case_id": "1", "response": "yes"}, "row 1: there is no field 'condition'; found case_id, response"),
        ({"case_id": "", "condition": "real", "response": "yes"}, "row 1: case_id is"),
        ({"case_id": 1.5, "condition": "real", "response": "yes"}, "row 1: case_id is 1.5"),
        ({"case_id": "1", "condition": "real", "response": ["a", "b"]}, "row 1: response is a list"),
        ({"case_id": "1", "condition": "real", "response": "y", "repeat": "first"}, "repeat is 'first'"),
        ({"case_id": "1", "condition": "real", "response": "y", "repeat": -1}, "repeat is -1"),
    ],
)
def test_rows_that_cannot_be_read_name_the_place(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    path = write(tmp_path, [row])
    with pytest.raises(DataError) as caught:
        texts(model(path), request("1"))
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_numbers_are_ids_and_answers_too(tmp_path: Path) -> None:
    made = model(write(tmp_path, [{"case_id": 12, "condition": "real", "response": 4}], "parquet"))
    assert texts(made, request("12")) == ["4"]


def test_an_empty_file_and_a_missing_one(tmp_path: Path) -> None:
    empty = write(tmp_path, [])
    with pytest.raises(DataError, match="no row"):
        texts(model(empty), request("1"))
    with pytest.raises(DataError, match=r"no file .*gone\.jsonl"):
        resolve_model(f"recorded:{tmp_path / 'gone.jsonl'}")


def test_a_mapping_file_says_what_the_columns_are(tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": 7, "prediction": "B", "split": "x"}])
    mapping = tmp_path / "map.toml"
    mapping.write_text('case_id = "{split}-{id}"\ncondition = "full"\nresponse = "prediction"\n', encoding="utf-8")
    assert texts(model(path, mapping=mapping), request("x-7", "real")) == ["B"]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ('case_id = "id"\nresponse = "respnse"', r"map\.toml, field 'response': 'respnse' is no column.*'response'"),
        ('case_id = "di"\nresponse = "response"', r"map\.toml, field 'case_id': 'di' is no column.*id, response"),
        ('case_id = "{idd}"\nresponse = "response"', r"map\.toml, field 'case_id': 'idd' is no column.*'id'"),
        ('case_id = "id"\nresponse = "response"\nrepeat = {column = "tmie"}', r"field 'repeat': 'tmie' is no.*'time'"),
    ],
)
def test_a_misspelt_column_is_never_an_answer(tmp_path: Path, suffix: str, rules: str, words: str) -> None:
    path = write(tmp_path, [{"id": "7", "response": "B", "time": 0}, {"id": "8", "response": "C", "time": 0}], suffix)
    mapping = tmp_path / "map.toml"
    mapping.write_text(f'condition = "full"\n{rules}\n', encoding="utf-8")
    with pytest.raises(DataError, match=words):
        texts(model(path, mapping=mapping), request("7"))


def test_a_column_that_some_records_lack_is_no_constant(tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": "7"}, {"id": "8", "said": "C"}])
    mapping = tmp_path / "map.toml"
    mapping.write_text('case_id = "id"\ncondition = "full"\nresponse = "said"\n', encoding="utf-8")
    with pytest.warns(RecordedWarning, match="1 of 2 rows hold no answer"):
        assert texts(model(path, mapping=mapping), request("7"), request("8")) == [None, "C"]


def test_real_answers_through_a_mapping(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "mmmu_pro" / "gpt-4o_standard_10_options_direct.jsonl"
    mapping = tmp_path / "map.toml"
    mapping.write_text('case_id = "{id}"\ncondition = "full"\nresponse = "response"\n', encoding="utf-8")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    made = model(path, mapping=mapping)
    found = texts(made, *(request(row["id"]) for row in rows))
    assert found == [row["response"] for row in rows]
    assert len(rows) == 286


def test_published_answers_of_one_condition_are_audited_by_one_command(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "mmmu_pro" / "gpt-4o_standard_10_options_direct.jsonl"
    mapping = tmp_path / "map.toml"
    mapping.write_text(
        'case_id = "{id}"\ncondition = "full"\nresponse = "response"\n'
        'id = "id"\nstem = "question"\noptions = "options"\nanswer = "answer"\n',
        encoding="utf-8",
    )
    done = perimetry.audit(
        data=f"table:{path},name=mmmu-pro-text",
        models=f"recorded:{path}#gpt-4o",
        conditions=("full",),
        mapping=mapping,
        out=tmp_path / "run",
    )
    (summary,) = done.summaries
    assert (summary.model, summary.answered, summary.failed) == ("recorded:gpt-4o", 286, ())
    accuracy = done.run.estimates.filter(
        metric="accuracy", dataset="mmmu-pro-text", stratum="all", model="recorded:gpt-4o"
    )["value"][0]
    assert accuracy == 121 / 286  # docs/answers.md tells how that differs from the authors' own count


def test_pickling_carries_the_file_not_the_rows(tmp_path: Path) -> None:
    made = model(write(tmp_path, ROWS))
    assert texts(made, request("1")) == ["yes"]
    again = pickle.loads(pickle.dumps(made))
    assert texts(again, request("1")) == ["yes"]
    made.close()
    assert texts(made, request("1")) == ["yes"]
