"""A judge of cues from end to end, against a scripted endpoint on this machine."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.models.loopback import LoopbackServer, error
from tests.screening.judging.asked import SECRET, VIOLIN, cues_of, keys, saying, write_items

from perimetry.cli import main
from perimetry.screening import screen

ONCE = ("--concurrency", "1", "--max-retries", "0")


def call(table, out, server, *more, data="table:{table},name=ward"):
    data = data.format(table=table)
    return main(["screen", "--data", data, "--out", str(out), "--judge", f"openai:m@{server.url}", *ONCE, *more])


@pytest.fixture
def table(tmp_path):
    return write_items(tmp_path / "mine.jsonl")


@pytest.fixture
def pageless(monkeypatch):
    """Pages are not what is tested here."""
    monkeypatch.setattr("perimetry.reports.build_site", lambda folder, site: folder / "report" / "index.html")


FARMER = {**VIOLIN, "steering-context": {"words": ["Chinese farmer"]}}


def farmers(request):
    return saying(there=FARMER if "farmer" in request.text else VIOLIN)(request)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judging")
    table = write_items(folder / "mine.jsonl")
    screen([f"table:{table},name=ward"], out=folder / "plain")
    with LoopbackServer(farmers) as server:
        assert call(table, folder / "out", server) == 0
        asked = server.requests
    return folder, asked


def test_what_is_asked(done):
    _, asked = done
    assert len(asked) == 12
    for request in asked:
        assert request.body["temperature"] == 0
        schema = request.body["response_format"]["json_schema"]["schema"]
        assert set(cues_of(request)) == set(schema["required"]) == keys()
        assert request.images == [] and SECRET not in request.raw.decode()


def test_what_a_judge_says_is_of_its_own_layer_and_changes_no_table_of_screens(done):
    folder, _ = done
    for name in ("prevalence.csv", "cues.csv", "estimates.csv", "funnel.json", "items.parquet", "checklist.md"):
        assert (folder / "out" / name).read_bytes() == (folder / "plain" / name).read_bytes()
    with_judge, plain = (pl.read_parquet(folder / it / "candidates.parquet") for it in ("out", "plain"))
    text = pl.col("layer").cast(pl.String)
    assert with_judge.filter(text != "judged").rows() == plain.rows()
    judged = with_judge.filter(text == "judged")
    assert judged.group_by(pl.col("cue").cast(pl.String)).len().sort("cue").rows() == [
        ("judged-absurd-option", 12),
        ("judged-steering-context", 6),
    ]
    by = judged["decided_by"].cast(pl.String).unique().to_list()
    assert len(by) == 1 and by[0].startswith("judge openai:m, prompt cues/1#")
    row = judged.filter((pl.col("case_id") == "q3") & (pl.col("unit").cast(pl.String) == "option")).to_dicts()[0]
    assert (row["options"], row["key"], row["key_has_cue"], row["singles_out_key"]) == ("C", "C", True, True)
    assert json.loads(row["spans"]) == [["C", 2, 15, ""]]


def test_counts_by_hand(done):
    rows = {row["cue"]: row for row in pl.read_parquet(done[0] / "out" / "judged.parquet").to_dicts()}
    violin, context = rows["judged-absurd-option"], rows["judged-steering-context"]
    assert {row["judge"] for row in rows.values()} == {"openai:m"}
    assert all(row["prompt"].startswith("cues/1#") for row in rows.values())
    # C is the key of every third item: four of twelve, two other options each.
    assert (violin["items"], violin["items_with_cue"], violin["key_has_cue"], violin["no_verdict"]) == (12, 12, 4, 0)
    assert violin["odds_ratio"] == pytest.approx(4 * 2 / 8)
    # The rules find farmer and Chinese in the same six items.
    assert [context[it] for it in ("both", "judge_only", "rules_only", "neither")] == [6, 0, 0, 6]
    assert (context["agreement"], context["kappa"]) == (1.0, 1.0)
    assert violin["both"] is None and violin["rules"] is None
    verdicts = pl.read_parquet(done[0] / "out" / "judged_verdicts.parquet")
    assert verdicts.height == 12 * len(keys())
    assert verdicts["verdict"].value_counts().sort("verdict").rows() == [
        ("not there", 12 * len(keys()) - 18),
        ("there", 18),
    ]


def test_the_page_says_whose_opinion_it_is_and_escapes(done):
    report = done[0] / "out" / "report"
    html = (report / "index.html").read_text()
    assert "Every request was answered" in html
    assert "The opinion of openai:m (prompt cues/1#" in html and "<b>lumps" not in html
    cases = "".join(path.read_text() for path in sorted((report / "assets").glob("cases*.js")))
    assert "(a model's opinion)" in cases.replace("\\u0027", "'") and "\\u003cb\\u003elumps" in cases
    assert "<i>" not in cases


def test_what_models_and_servers_say_is_no_markup(tmp_path):
    import numpy as np
    from PIL import Image as Picture

    Picture.fromarray(np.full((40, 60), 90, np.uint8)).save(tmp_path / "a.png")
    table = write_items(tmp_path / "mine.jsonl", 3, image="a.png")
    seen = saying(there={"salient-object": {"words": ["an <b>arrow</b></script>"]}})
    with LoopbackServer(lambda it: seen(it) if it.index else error(500, "<script>broken</script>")) as server:
        given = ("--screen", "clang", "--images", str(tmp_path))
        assert call(table, tmp_path / "out", server, *given) == 3
    report = tmp_path / "out" / "report"
    html = (report / "index.html").read_text()
    assert "server_error" in html and "Every request was answered" not in html
    assert "broken" in html and "<script>broken" not in html and "<b>" not in html
    cases = "".join(path.read_text() for path in sorted((report / "assets").glob("cases*.js")))
    assert "arrow" in cases and "<b>" not in cases and "</script" not in cases


def test_nothing_is_asked_twice(done, pageless, capsys):
    folder, _ = done
    with LoopbackServer(error(500)) as server:
        assert call(folder / "mine.jsonl", folder / "out", server) == 0
        assert server.count == 0
        assert call(folder / "mine.jsonl", folder / "out", server, "--dry-run", "--json") == 0
        assert server.count == 0
    assert capsys.readouterr().out.endswith('{\n  "ward": {\n    "requests": 12,\n    "to_ask": 0\n  }\n}\n')


def test_a_bounded_asking_goes_on_where_it_stopped(table, tmp_path, pageless, capsys):
    out = tmp_path / "out"
    with LoopbackServer(farmers) as server:
        assert call(table, out, server, "--dry-run") == 0
        assert server.count == 0 and not out.exists()
        assert call(table, out, server, "--max-requests", "5") == 3
        assert server.count == 5
        assert "7 requests to the judge have no final answer" in capsys.readouterr().err
        judged = pl.read_parquet(out / "judged.parquet")
        assert judged["items"].unique().to_list() == [5] and judged["no_verdict"].unique().to_list() == [7]
        assert pl.read_parquet(out / "judged_missing.parquet")["reason"].str.starts_with("not_asked").all()
        assert call(table, out, server) == 0
        assert server.count == 12
        assert len(set(server.texts)) == 12
    assert pl.read_parquet(out / "judged.parquet")["items"].unique().to_list() == [12]


def test_garbage_is_no_verdict_and_asked_once(table, tmp_path, pageless, capsys):
    with LoopbackServer("no cue at all") as server:
        assert call(table, tmp_path / "out", server) == 1
        assert call(table, tmp_path / "out", server, "--json") == 1
        assert server.count == 12
    judged = pl.read_parquet(tmp_path / "out" / "judged.parquet")
    assert judged["items"].sum() == 0 and judged["no_verdict"].sum() == 12 * len(keys())
    assert judged["share_of_items"].null_count() == judged.height
    said = capsys.readouterr().err
    assert said.count("error: openai:m gave not one verdict that can be used; most often: unreadable: no JSON") == 2
    assert "are missing, and count as none" in said
    assert "judged" not in pl.read_parquet(tmp_path / "out" / "candidates.parquet")["layer"].cast(pl.String).to_list()


def test_an_interrupted_asking_goes_on(table, tmp_path, pageless, monkeypatch, capsys):
    from perimetry.screening.judging import room

    def interrupted(*_, **__):
        raise KeyboardInterrupt("Interrupted after 5 requests. Give the same command again.")

    out = tmp_path / "out"
    with LoopbackServer(farmers) as server:
        with monkeypatch.context() as patched:
            patched.setattr(room.JudgeRoom, "opinion", interrupted)
            assert call(table, out, server) == 130
        assert "Give the same command again" in capsys.readouterr().err
        assert {path.name for path in out.iterdir()} == {"screen.toml"}
        assert call(table, out, server) == 0


def test_a_closed_door_is_told_once_and_asked_again(table, tmp_path, pageless, capsys):
    with LoopbackServer(error(401, "no such key")) as server:
        assert call(table, tmp_path / "out", server, "--max-failures", "3") == 3
        assert server.count == 3
    said = capsys.readouterr().err
    assert said.count("no such key") == 1 and "3 requests failed in a row" in said
    with LoopbackServer(farmers) as server:
        assert call(table, tmp_path / "out", server) == 0
        assert server.count == 12


def test_credentialed_items_stay_on_this_machine(table, tmp_path, pageless, capsys):
    data = f"table:{table},name=ward,data_use=credentialed"
    given = ["screen", "--data", data, "--out", str(tmp_path / "out"), "--judge", "openai:m@http://192.0.2.1/v1", *ONCE]
    assert main(given) == 2
    assert main([*given, "--dry-run"]) == 2
    assert capsys.readouterr().err.count("--allow-remote ward") == 2
    assert not (tmp_path / "out").exists()
    assert main([*given, "--dry-run", "--allow-remote", "ward"]) == 0
    with LoopbackServer(farmers) as server:
        assert call(table, tmp_path / "out", server, data="table:{table},name=ward,data_use=credentialed") == 0


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("opnai:m@http://127.0.0.1:1/v1", "Did you mean openai"),
        ("gpt", "does not name a model"),
        ("", "does not name a model"),
    ],
)
def test_unknown_judges_are_one_error_before_anything_is_read(judge, said, tmp_path, capsys):
    assert main(["screen", "--data", "table:nowhere.csv", "--out", str(tmp_path / "out"), "--judge", judge]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_dry_run_without_a_judge_says_that_nothing_is_asked(table, tmp_path, capsys):
    assert main(["screen", "--data", f"table:{table}", "--out", str(tmp_path / "out"), "--dry-run"]) == 2
    assert "--judge names none" in capsys.readouterr().err


def test_a_screening_without_a_judge_leaves_no_opinion_behind(table, tmp_path, pageless):
    with LoopbackServer(farmers) as server:
        assert call(table, tmp_path / "out", server, "--no-schema") == 0
        assert all("response_format" not in request.body for request in server.requests)
    screen([f"table:{table},name=ward"], out=tmp_path / "out")
    assert not list((tmp_path / "out").glob("judged*"))
    assert "judged" not in pl.read_parquet(tmp_path / "out" / "candidates.parquet")["layer"].cast(pl.String).to_list()


def test_with_images_the_judge_sees_them(tmp_path, pageless):
    import numpy as np
    from PIL import Image as Picture

    Picture.fromarray(np.full((40, 60), 90, np.uint8)).save(tmp_path / "a.png")
    table = write_items(tmp_path / "mine.jsonl", 2, image="a.png")
    with LoopbackServer(saying(there={"salient-object": {"words": ["an <b>arrow</b>"]}})) as server:
        assert call(table, tmp_path / "out", server, "--screen", "clang") == 0
        assert not any(request.images for request in server.requests)
        assert call(table, tmp_path / "out", server, "--screen", "clang", "--images", str(tmp_path)) == 0
        seen = server.requests[2:]
    assert [len(request.images) for request in seen] == [1, 1]
    assert set(cues_of(seen[0])) == keys(image=True)
    judged = pl.read_parquet(tmp_path / "out" / "candidates.parquet").filter(
        pl.col("cue").cast(pl.String) == "judged-salient-object"
    )
    assert judged["note"].to_list() == ["an <b>arrow</b>"] * 2


def test_rules_of_a_subset_look_at_opinions_only_where_they_name_the_layer(tmp_path, pageless):
    from perimetry.screening.guessers import guess
    from perimetry.screening.subset import make_subset

    table = write_items(tmp_path / "mine.jsonl", 40)
    guess(f"table:{table},name=ward", out=tmp_path / "guesses", shuffles=0, resamples=50)
    with LoopbackServer(farmers) as server:
        assert call(table, tmp_path / "screens", server, "--screen", "double-negative") == 0
    reasons = {}
    for name, layers in (("any", ""), ("named", 'layers = ["judged"]')):
        rules = tmp_path / f"{name}.toml"
        rules.write_text(f'version = 1\nname = "mine"\n[[rule]]\nname = "cue"\nwhen = "cue"\nkey = "alone"\n{layers}\n')
        folders = [tmp_path / "screens", tmp_path / "guesses"]
        make_subset(folders, rules=rules, out=tmp_path / f"subset-{name}", resamples=50)
        reasons[name] = pl.read_parquet(tmp_path / f"subset-{name}" / "reasons.parquet")
    assert reasons["any"].is_empty()
    assert set(reasons["named"]["cue"].to_list()) == {"judged-absurd-option"}
    assert reasons["named"].height == 14
    assert reasons["named"]["evidence"].str.starts_with("candidate by judge openai:m, prompt cues/1#").all()
