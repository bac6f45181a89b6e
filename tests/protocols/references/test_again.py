"""`perimetry report` on a reference audit: the same again from the files, nobody asked, nothing changed by a fault."""

from __future__ import annotations

import json
import shutil
import tomllib

import polars as pl
import pytest
from tests.protocols.references.made import one_set, write_lines

from perimetry.cli import main


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, " ".join(captured.err.split())


@pytest.fixture
def audited(capsys, tmp_path):
    made = one_set(tmp_path, 16)
    out = tmp_path / "run"
    code, _, _ = call(
        capsys,
        *("audit", "references", "--data", made["data"], "--alternatives", str(made["folder"])),
        *("--systems", made["systems"], "--metrics", "bleu_2,f1_rules", "--resamples", "40", "--out", str(out)),
    )
    assert code == 0
    return made, out


def contents(folder):
    """Of every file but drawings, in which the renderer numbers its gradients through the whole process."""
    return {
        path.relative_to(folder): b"" if path.suffix == ".svg" else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_everything_is_made_again_byte_for_byte(capsys, audited, tmp_path, monkeypatch):
    _, out = audited
    before = contents(out)
    (out / "estimates.csv").unlink()
    (out / "verdicts.json").write_text("{}")
    shutil.rmtree(out / "report")
    monkeypatch.chdir("/")
    code, said, _ = call(capsys, "report", str(out), "--json")
    assert code == 0
    assert set(json.loads(said)["verdicts"]) == {"bleu_2", "f1_rules"}
    assert contents(out) == before


FILES = {"folder": "rewritten/alternatives.jsonl", "systems": "systems.jsonl", "data": "studies.jsonl"}
TOLD = {
    ("folder", "gone"): "is not there any more",
    ("systems", "gone"): "is not there any more",
    ("data", "gone"): "say with --data NAME:PATH where it is now",
    ("folder", "changed"): "is not the file that the run was made of",
    ("systems", "changed"): "is not the file that the run was made of",
    ("data", "changed"): "The studies of set1 are not those that the run was made of",
}


def test_a_file_that_was_moved_or_changed_is_named_and_nothing_is_touched(capsys, audited, tmp_path):
    _, out = audited
    before = contents(out)
    for (which, how), told in TOLD.items():
        path = tmp_path / FILES[which]
        whole = path.read_text()
        path.unlink()
        if how == "changed":
            path.write_text(whole.replace("lungs", "LUNGS"))
        code, _, err = call(capsys, "report", str(out))
        assert (which, how, code, told in err) == (which, how, 1, True)
        assert contents(out) == before
        path.write_text(whole)
    (tmp_path / "studies.jsonl").rename(tmp_path / "elsewhere.jsonl")
    assert call(capsys, "report", str(out), "--data", f"table:{tmp_path / 'elsewhere.jsonl'},name=set1")[0] == 0


def test_no_model_is_asked_and_lost_answers_are_told(capsys, tmp_path, server):
    made, out = one_set(tmp_path, 12), tmp_path / "run"
    address, asked = server
    code, _, err = call(
        capsys,
        *("audit", "references", "--data", made["data"], "--alternatives", str(made["folder"])),
        *("--systems", f"openai:mine@{address}", "--metrics", "bleu_2", "--resamples", "40", "--out", str(out)),
    )
    assert code == 0, err
    before, count = contents(out), len(asked)
    assert count == 12
    assert call(capsys, "report", str(out))[0] == 0
    assert len(asked) == count
    assert contents(out) == before
    shutil.rmtree(out / "responses")
    code, _, err = call(capsys, "report", str(out))
    assert code == 1
    assert "no readable answer of openai:mine" in err
    assert len(asked) == count


@pytest.fixture
def server():
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    asked: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(1)
            self.rfile.read(int(self.headers["Content-Length"]))
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "clear lungs ."}}
            body = json.dumps(
                {"id": "1", "object": "chat.completion", "created": 0, "model": "mine", "choices": [choice]}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1", asked
    httpd.shutdown()
    httpd.server_close()


def test_settings_that_are_damaged_or_old(capsys, audited):
    _, out = audited
    file = out / "references.toml"
    whole = file.read_text()
    file.write_text("no = [")
    assert "cannot be read" in call(capsys, "report", str(out))[2]
    file.write_text(f'command = "perimetry audit references --x"\n{whole.split("[asked]")[0].partition("command")[0]}')
    code, _, err = call(capsys, "report", str(out))
    assert code == 1
    assert "Give the audit command again: perimetry audit references --x" in err
    assert "asked" in tomllib.loads(whole)


@pytest.mark.parametrize(
    ("name", "held", "told"),
    [
        ("score.toml", 'command = "perimetry score x"', "perimetry score x"),
        ("key.json", "{}", "perimetry review summary"),
        ("review.toml", 'command = "perimetry review summary r"', "perimetry review summary r"),
        ("screen.toml", 'command = "perimetry screen x"', "perimetry screen x"),
        ("guess.toml", "damaged", "The command that made it makes its pages again"),
        ("alternatives.jsonl", "", "perimetry rewrite"),
    ],
)
def test_other_folders_name_the_command_that_makes_them_again(capsys, tmp_path, name, held, told):
    (tmp_path / name).write_text(held)
    code, _, err = call(capsys, "report", str(tmp_path))
    assert code == 1
    assert told in err
    assert "not an audit" in err


def test_a_folder_whose_command_ended_early(capsys, tmp_path):
    (tmp_path / "responses").mkdir()
    assert "ended before it had results" in call(capsys, "report", str(tmp_path))[2]


def test_a_folder_of_nothing(capsys, tmp_path):
    write_lines(tmp_path / "x.jsonl", [{"a": 1}])
    assert "is not a run folder" in call(capsys, "report", str(tmp_path))[2]


def test_the_main_tables_are_printed_as_markdown(capsys, audited):
    _, out = audited
    code, said, _ = call(capsys, "report", str(out), "--markdown")
    assert code == 0
    assert said == (out / "summary.md").read_text(encoding="utf-8")
    lines = said.splitlines()
    assert lines[0].startswith("set1: 16 references, 3 systems; other wordings: ")
    columns = "| metric | mean IQR | largest IQR | pairs reversed | verdicts changed | an error costs, times style |"
    head = lines.index(columns)
    pairs = pl.read_parquet(out / "pairs.parquet")
    for line in lines[head + 2 : head + 4]:
        metric, _, _, turned, changed, _ = (cell.strip() for cell in line.strip("|").split("|"))
        mine = pairs.filter((pl.col("metric") == metric) & (pl.col("condition") != "original"))
        kinds = mine["change"].is_in(["flipped", "lost", "gained"])
        assert (turned, changed) == (f"{mine['reversed'].sum()} of {mine.height}", str(kinds.sum()))
