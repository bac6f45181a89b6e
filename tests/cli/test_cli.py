"""The command line as a user meets it: exit codes, JSON, help, one clear line an error."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from perimetry.cli import main
from perimetry.protocols.registry import find_protocol

COMMANDS = (
    ["demo"],
    ["audit", "counterfactual"],
    ["report"],
    ["compare"],
    ["datasets"],
    ["models"],
)
SMALL = ["--data", "phantom:n=12,size=64", "--conditions", "real,retest,shuffle,noimage"]


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(capsys, command):
    code, out, _ = call(capsys, *command, "--help")
    assert code == 0
    assert "Example: perimetry" in " ".join(out.split())


def test_help_cuts_nothing_and_tells_the_default_conditions(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = call(capsys, "audit", "counterfactual", "--help")
    assert {"--requests-per-minute", "--trust-remote-code", "hardneg(rank=5)"} <= set(re.findall(r"[\w()=-]+", out))
    default = re.search(r"--conditions .*?\[default: \(?([a-z, ]+)", " ".join(out.split()))
    assert default is not None
    assert tuple(default[1].split(", ")) == find_protocol("counterfactual").conditions
    for command in ([], ["audit"], ["audit", "counterfactual"], ["score"], ["compare"]):
        _, out, _ = call(capsys, *command, "--help")
        assert "…" not in out
        assert not re.search(r"[^\]]\.\.\.", out), command


def test_no_arguments_shows_the_commands(capsys):
    _, out, err = call(capsys)
    assert "audit" in out + err


def test_version(capsys):
    code, out, _ = call(capsys, "--version")
    assert (code, out.split()[0]) == (0, "perimetry")


def test_audit_report_compare(capsys, tmp_path):
    run = str(tmp_path / "run")
    models = ["--model", "reader:blind", "--model", "reader:constant"]
    code, out, err = call(capsys, "audit", "counterfactual", *SMALL, *models, "--out", run, "--json")
    assert code == 0
    result = json.loads(out)
    assert result["verdicts"]["reader:blind"]["verdict"] == "does not use the image"
    assert "reader:blind" in err  # progress goes to standard error, JSON alone to standard output
    code, out, _ = call(capsys, "report", run, "--json")
    assert (code, json.loads(out)["verdicts"]) == (0, result["verdicts"])
    names = ["--baseline", "reader:blind", "--candidate", "reader:constant"]
    code, out, _ = call(capsys, "compare", run, *names, "--json")
    assert code == 0
    assert {row["comparator"] for row in json.loads(out)} == {"model:reader:blind"}
    code, out, _ = call(capsys, "compare", run, *names)
    assert "accuracy" in out
    assert "macro" not in out, "the only data set is said once"
    same = [line for line in out.splitlines() if re.search(r"[+-]0\.0 +│ \[[+-]0\.0, [+-]0\.0\]", line)]
    assert same
    assert all(re.search(r"│ - +│", line) for line in same)


def test_compare_says_which_setting_differs(capsys, tmp_path):
    for name, more in (("one", []), ("two", ["--limit", "5"]), ("three", ["--seed", "7"])):
        given = [*SMALL, "--model", "reader:blind", "--out", str(tmp_path / name), *more]
        assert call(capsys, "audit", "counterfactual", *given)[0] == 0
    names = ["--baseline", "reader:blind", "--candidate", "reader:blind"]
    for other, said in (("two", "no --limit and --limit 5"), ("three", "--seed 42 and --seed 7")):
        code, _, err = call(capsys, "compare", str(tmp_path / "one"), str(tmp_path / other), *names)
        assert code == 2
        assert said in err


def test_dry_run_writes_nothing(capsys, tmp_path):
    run = tmp_path / "run"
    arguments = [*SMALL, "--model", "reader:blind", "--out", str(run), "--dry-run", "--json"]
    code, out, _ = call(capsys, "audit", "counterfactual", *arguments)
    assert (code, json.loads(out)["requests"], run.exists()) == (0, 48, False)


def test_unanswered_requests_are_exit_code_3(capsys, tmp_path):
    arguments = [*SMALL, "--model", "reader:blind", "--out", str(tmp_path / "run")]
    code, _, err = call(capsys, "audit", "counterfactual", *arguments, "--max-requests", "5")
    assert code == 3
    assert "--max-requests" in err
    code, _, _ = call(capsys, "audit", "counterfactual", *arguments)
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["audit", "counterfactual", "--model", "reader:blind", "--out", "x"], 2, "--data"),
        (
            ["audit", "counterfactual", "--data", "phantom", "--model", "reader:blnd", "--out", "x", "--dry-run"],
            2,
            "blind",
        ),
        (
            ["audit", "counterfactual", "--data", "vqarad:x", "--model", "reader:blind", "--out", "x", "--dry-run"],
            2,
            "vqa-rad",
        ),
        (
            [
                "audit",
                "counterfactual",
                "--data",
                "vqa-rad:/nowhere",
                "--model",
                "reader:blind",
                "--out",
                "x",
                "--dry-run",
            ],
            1,
            "/nowhere",
        ),
        (
            ["audit", "counterfactual", "--data", "phantom", "--model", "reader:blind", "--out", "x", "--repeats", "0"],
            2,
            "repeats",
        ),
        (
            [
                "audit",
                "counterfactual",
                "--data",
                "phantom",
                "--model",
                "reader:blind",
                "--out",
                "x",
                "--engine",
                "spark",
            ],
            2,
            "engine",
        ),
        (["audit", "counterfactul"], 2, "counterfactual"),
        (["report", "/nowhere"], 1, "run.toml"),
        (["compare", "/nowhere", "--baseline", "a", "--candidate", "b"], 1, "run.toml"),
    ],
)
def test_errors_are_one_clear_message(capsys, arguments, code, said):
    got, _, err = call(capsys, *arguments)
    assert got == code
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["datasets", "models"])
def test_lists_for_people_and_machines(capsys, command):
    code, out, _ = call(capsys, command, "--json")
    assert code == 0
    assert len(json.loads(out)) > 5
    code, out, _ = call(capsys, command)
    assert code == 0
    assert {"datasets": "vqa-rad", "models": "reader:grounded"}[command] in out


def test_datasets_tell_licence_and_data_use(capsys):
    _, out, _ = call(capsys, "datasets", "--json")
    for entry in json.loads(out):
        assert entry["licence"], entry["name"]
        assert entry["data_use"] in ("open", "restricted", "credentialed")


def test_a_closed_pipe_is_no_traceback():
    command = f"{sys.executable} -m perimetry.cli datasets --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, env=os.environ)
    assert "Traceback" not in done.stderr


def test_importing_perimetry_is_light():
    code = (
        "import sys, perimetry; perimetry.load; "
        "heavy = {'torch', 'transformers', 'ray', 'altair', 'sklearn', 'openai'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
