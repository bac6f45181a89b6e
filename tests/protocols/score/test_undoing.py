"""What is left in the output folder after a failure, wherever it happens."""

from __future__ import annotations

import polars as pl
import pytest
from tests.protocols.score.standins import Lengths, Overlap

import perimetry
from perimetry.cases.errors import DataError
from perimetry.protocols.score import run as run_module

TABLE = pl.DataFrame({"gold": ["clear lungs", "edema", "small effusion"], "ours": ["clear", "edema", "no effusion"]})


class FailsAtWork(Overlap):
    """Scores one pair, and breaks on more."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("fails")
        self.error = error

    def score(self, hypotheses, references):
        if len(hypotheses) > 1:
            raise self.error
        return super().score(hypotheses, references)


class FailsAtOnce(Overlap):
    def score(self, hypotheses, references):
        raise DataError("weights.pt holds another architecture")


def run(out, *metrics):
    return perimetry.score(TABLE, reference="gold", systems="ours", metrics=list(metrics), out=out, resamples=20)


@pytest.mark.parametrize("error", [DataError("broken"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("metrics", [(Overlap(),), ()])
def test_a_failure_leaves_no_folder_nor_those_on_the_way_to_it(tmp_path, metrics, error):
    with pytest.raises(type(error)):
        run(tmp_path / "new" / "out", *metrics, FailsAtWork(error))
    assert list(tmp_path.iterdir()) == []


def test_nor_does_one_in_the_trial_though_others_had_cached_theirs(tmp_path):
    Lengths.encoded = 0
    with pytest.raises(DataError, match="architecture"):
        run(tmp_path / "out", Lengths(), FailsAtOnce("second"))
    assert Lengths.encoded == 2
    assert list(tmp_path.iterdir()) == []


def test_nor_one_in_the_midst_of_writing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "the page")

    monkeypatch.setattr("perimetry.protocols.score.output.build_site", full)
    with pytest.raises(DataError, match="Free some space"):
        run(tmp_path / "out", Overlap())
    assert list(tmp_path.iterdir()) == []


def test_what_was_made_of_texts_is_kept_and_used(tmp_path):
    Lengths.encoded = 0
    with pytest.raises(DataError, match="broken"):
        run(tmp_path / "out", Lengths(), FailsAtWork(DataError("broken")))
    once = Lengths.encoded
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".lock", "cache"]
    run(tmp_path / "out", Lengths())
    assert Lengths.encoded == once == 5


def test_an_earlier_result_stays(tmp_path):
    run(tmp_path / "out", Overlap())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(DataError, match="broken"):
        run(tmp_path / "out", Overlap(), FailsAtWork(DataError("broken")))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_files_of_somebody_else_stay(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()

    def write(*_):
        (tmp_path / "out" / "notes.txt").write_text("mine")
        raise DataError("broken")

    monkeypatch.setattr(run_module, "run_metrics", write)
    with pytest.raises(DataError, match="broken"):
        run(tmp_path / "out", Overlap())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".lock", "notes.txt"]
