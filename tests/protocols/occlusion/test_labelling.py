"""Labels of many reports: each distinct text once, CheXbert's kept in the run's folder."""

from __future__ import annotations

import numpy as np
import pytest
from tests.scoring.embeddings.tiny import chexbert_file, chexbert_state, vocabulary_file

from perimetry.cases import Study
from perimetry.cases.errors import UsageError
from perimetry.cases.study import Box
from perimetry.protocols.occlusion import labelling
from perimetry.protocols.occlusion.labelling import Labels
from perimetry.protocols.occlusion.truth import box_truth, reference_text, reference_whole
from perimetry.scoring.labels import CHEXBERT_ORDER, RuleLabeller
from perimetry.scoring.labels.spelled import make_labeller

TEXTS = ("There is a pleural effusion.", "Possible pneumonia.", "No edema.", "")


def test_codes_are_the_labellers_and_a_text_is_labelled_once(tmp_path, monkeypatch):
    labels = Labels("rules", tmp_path)
    seen = []
    label = labels._labeller.label

    def counted(texts):
        seen.append(list(texts))
        return label(texts)

    monkeypatch.setattr(labels._labeller, "label", counted)
    codes, reasons = labels.read([*TEXTS, None, TEXTS[0]])
    again, _ = labels.read([TEXTS[1], TEXTS[0]])
    assert seen == [list(TEXTS[:3])]
    for text, row in zip(TEXTS[:3], codes, strict=False):
        assert tuple(row) == RuleLabeller().read(text).codes
    assert not codes[3:5].any()
    assert reasons[4] == "there is no report"
    assert (codes[5] == codes[0]).all()
    assert (again == codes[[1, 0]]).all()


def test_memory_is_bounded_and_forgets_without_error(tmp_path, monkeypatch):
    monkeypatch.setattr(labelling, "_KEPT", 2)
    labels = Labels("rules", tmp_path)
    first, _ = labels.read(TEXTS)
    assert not labels._known
    second, _ = labels.read(TEXTS)
    assert (first == second).all()


def test_chexbert_labels_and_keeps_them_in_the_folder(tmp_path):
    weights = chexbert_file(tmp_path / "chexbert.pth", chexbert_state())
    tokenizer = vocabulary_file(tmp_path).parent
    labels = Labels(f"chexbert:{weights},tokenizer={tokenizer}", tmp_path / "cache")
    codes, _ = labels.read(TEXTS[:3])
    labels.close()
    assert codes.shape == (3, 14)
    assert (tmp_path / "cache" / "texts.sqlite").is_file()
    assert "f1_chexbert" in labels.version


def test_a_labellers_parameters_are_read(tmp_path):
    assert dict(make_labeller("chexbert:/w.pth,tokenizer=/t,device=cpu").info.parameters)["uncertain"] == "negative"
    with pytest.raises(UsageError, match=r"labeller has 'size=3'; expected chexbert:WEIGHTS"):
        make_labeller("chexbert:/w.pth,size=3")


def test_truth_of_boxes_and_labels():
    boxes = (Box(0, 0, 0, 2, 2, frozenset({"Edema", "Nodule"})),)
    study = Study("1", "d", "g", boxes=boxes, labels={"Edema": 0.0, "Pneumonia": -1.0, "Fracture": 0.0})
    codes = dict(zip(CHEXBERT_ORDER, box_truth(study).tolist(), strict=True))
    assert {name: code for name, code in codes.items() if code} == {"Edema": 1, "Pneumonia": 3, "Fracture": 2}


def test_reference_of_a_report():
    def texts(**sections):
        study = Study("1", "d", "g", sections=sections)
        return reference_text(study), reference_whole(study)

    assert texts(findings="A.", impression="B.") == ("A.", "A.\nB.")
    assert texts(findings=" ", impression="B.") == ("B.", "B.")
    assert texts(indication="C.") == (None, None)
    assert np.asarray(box_truth(Study("1", "d", "g"))).sum() == 0
