"""`perimetry guess` and `perimetry subset` from the command line."""

import json

import pytest

from perimetry.cli import main


@pytest.fixture(scope="module")
def guessed(tmp_path_factory):
    out = tmp_path_factory.mktemp("cli") / "guesses"
    code = main(["guess", "--data", "phantom:n=40", "--out", str(out), "--shuffles", "1", "--resamples", "100"])
    return out, code


def test_guess_prints_accuracies_overlap_and_places(guessed, capsys, tmp_path):
    _, code = guessed
    assert code == 0
    again = ["guess", "--data", "phantom:n=40", "--out", str(tmp_path / "g"), "--shuffles", "0", "--resamples", "100"]
    assert main(again) == 0
    told = capsys.readouterr().out
    for word in ("question+options", "overlap", "templates set apart", "predictions.csv"):
        assert word in told


def test_guess_as_json(capsys, tmp_path):
    asked = ["guess", "--data", "phantom:n=40", "--out", str(tmp_path / "g"), "--shuffles", "0", "--json"]
    assert main([*asked, "--resamples", "100"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["overlap"] for one in told["overlap"]} == {0}
    assert told["loaded"][0]["kept"] == 40


def test_subset_prints_reasons_and_what_is_missing(guessed, capsys, tmp_path):
    folder, _ = guessed
    assert main(["subset", str(folder), "--out", str(tmp_path / "s"), "--resamples", "100"]) == 0
    told = capsys.readouterr()
    assert "guessed from options" in told.out
    assert "modality lattice: no run" in told.err
    assert main(["subset", str(folder), "--out", str(tmp_path / "s"), "--resamples", "100", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["items"] == 40


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["guess", "--data", "slake:nowhere", "--out", "OUT"], 1, "nowhere"),
        (["guess", "--data", "phantom:n=40", "--out", "OUT", "--folds", "1"], 2, "--folds"),
        (["subset", "nowhere", "--out", "OUT"], 1, "nowhere does not exist"),
        (["subset", "GUESSES", "--out", "OUT", "--rules", "none.toml"], 2, "There is no rule file none.toml"),
        (["subset", "GUESSES", "--out", "OUT", "--decisions", "none.csv"], 1, "none.csv"),
    ],
)
def test_errors_are_one_line_and_write_nothing(guessed, arguments, code, told, tmp_path, capsys):
    out = tmp_path / "out"
    folder, _ = guessed
    spelled = [{"OUT": str(out), "GUESSES": str(folder)}.get(one, one) for one in arguments]
    assert main(spelled) == code
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (["guess", "--data", "phantom:n=40", "--shuffles", "0"], "perimetry.screening.guessers.run.write_atomically"),
        (["subset", "GUESSES", "--resamples", "100"], "perimetry.screening.subset.run.write_atomically"),
    ],
)
@pytest.mark.parametrize("trouble", [PermissionError(13, "Permission denied"), KeyboardInterrupt()])
def test_no_word_of_kept_answers_where_there_are_none(guessed, command, where, trouble, tmp_path, monkeypatch, capsys):
    def refuse(*_):
        raise trouble

    folder, _ = guessed
    monkeypatch.setattr(where, refuse)
    spelled = [str(folder) if one == "GUESSES" else one for one in command]
    assert main([*spelled, "--out", str(tmp_path / "out")]) == (1 if isinstance(trouble, OSError) else 130)
    said = capsys.readouterr().err
    assert "stored" not in said
    assert "to go on" not in said
    assert "the same command" in said
