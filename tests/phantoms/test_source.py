import pickle

import numpy as np
import pytest

from perimetry.cases.image import Image
from perimetry.phantoms import source as module
from perimetry.phantoms.radiograph import DRAWING, RadiographSpec, radiograph
from perimetry.phantoms.source import PhantomSource

SPEC = RadiographSpec(("Lung Lesion", "Cardiomegaly"))


def test_reads_the_rounded_drawing_and_guards_it():
    pixels = PhantomSource(SPEC, 128, 9).read()
    assert pixels.dtype == np.uint8
    assert np.array_equal(pixels, np.rint(radiograph(SPEC, 128, 9).pixels))
    with pytest.raises(ValueError, match="read-only"):
        pixels[0, 0] = 1


def test_digest_names_everything_that_is_drawn(monkeypatch):
    base = PhantomSource(SPEC, 128, 9)
    others = [
        PhantomSource(RadiographSpec(("Lung Lesion",)), 128, 9),
        PhantomSource(RadiographSpec(SPEC.findings, overlap=True), 128, 9),
        PhantomSource(SPEC, 256, 9),
        PhantomSource(SPEC, 128, 10),
    ]
    assert len({one.digest for one in [base, *others]}) == 5
    before = base.digest
    monkeypatch.setattr(module, "DRAWING", DRAWING + 1)
    assert base.digest != before


def test_survives_pickling_and_is_small():
    copy = pickle.loads(pickle.dumps(PhantomSource(SPEC, 128, 9)))
    assert copy == PhantomSource(SPEC, 128, 9)
    assert len(pickle.dumps(copy)) < 500
    assert copy.encoded() is None
    assert Image(copy).recipe == copy.digest
    assert "Cardiomegaly" in copy.name
