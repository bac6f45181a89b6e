"""DICOM files are written here with known values; skipped without the extra ``dicom``."""

from __future__ import annotations

import io

import numpy as np
import pytest

from perimetry.cases.errors import ImageError
from perimetry.cases.sources.decode import decode
from perimetry.cases.sources.dicom import window_levels

VALUES = np.arange(0, 4096, 16, dtype=np.uint16).reshape(16, 16)


def written(pixels: np.ndarray, **fields) -> bytes:
    pydicom = pytest.importorskip("pydicom", reason="the extra dicom is not installed")
    from pydicom.dataset import Dataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian, SecondaryCaptureImageStorage, generate_uid

    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = SecondaryCaptureImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.Rows, data.Columns = pixels.shape[:2]
    data.SamplesPerPixel = 1 if pixels.ndim == 2 else 3
    data.PhotometricInterpretation = "MONOCHROME2" if pixels.ndim == 2 else "RGB"
    data.BitsAllocated = pixels.dtype.itemsize * 8
    data.BitsStored = 12 if data.BitsAllocated == 16 else 8
    data.HighBit = data.BitsStored - 1
    data.PixelRepresentation = 0
    if pixels.ndim == 3:
        data.PlanarConfiguration = 0
    data.PixelData = pixels.tobytes()
    data["PixelData"].VR = "OW" if data.BitsAllocated == 16 else "OB"
    for name, value in fields.items():
        setattr(data, name, value)
    buffer = io.BytesIO()
    pydicom.dcmwrite(buffer, data, enforce_file_format=True)
    return buffer.getvalue()


def formula(values, centre, width):
    """The linear function as DICOM PS3.3 C.11.2.1.2 writes it."""
    levels = ((values - (centre - 0.5)) / (width - 1) + 0.5) * 255
    return np.where(
        values <= centre - 0.5 - (width - 1) / 2,
        0,
        np.where(values > centre - 0.5 + (width - 1) / 2, 255, levels),
    )


def test_own_window():
    decoded = decode(written(VALUES, WindowCenter=2000, WindowWidth=1000), "scan")
    assert np.abs(decoded.pixels - formula(VALUES.astype(float), 2000, 1000)).max() <= 0.5 + 1e-9
    assert decoded.conversion == "DICOM window 2000/1000 LINEAR"


def test_monochrome1_is_inverted():
    plain = decode(written(VALUES, WindowCenter=2000, WindowWidth=1000), "scan").pixels
    inverted = written(VALUES, WindowCenter=2000, WindowWidth=1000, PhotometricInterpretation="MONOCHROME1")
    assert np.array_equal(decode(inverted, "scan").pixels, 255 - plain)


def test_the_window_applies_after_rescaling():
    decoded = decode(written(VALUES, WindowCenter=40, WindowWidth=400, RescaleSlope=1, RescaleIntercept=-1024), "scan")
    assert np.abs(decoded.pixels - formula(VALUES.astype(float) - 1024, 40, 400)).max() <= 0.5 + 1e-9


def test_the_first_of_several_windows():
    several = decode(written(VALUES, WindowCenter=[2000, 100], WindowWidth=[1000, 50]), "scan").pixels
    assert np.array_equal(several, decode(written(VALUES, WindowCenter=2000, WindowWidth=1000), "scan").pixels)


def test_without_a_window_the_percentile_range():
    decoded = decode(written(VALUES), "scan")
    low, high = np.percentile(VALUES, (0.5, 99.5))
    assert np.abs(decoded.pixels - np.clip((VALUES - low) / (high - low), 0, 1) * 255).max() <= 0.5 + 1e-6


def test_colour():
    colour = np.random.default_rng(1).integers(0, 256, (8, 8, 3), dtype=np.uint8)
    assert np.array_equal(decode(written(colour), "scan").pixels, colour)


def test_a_damaged_file_is_named():
    with pytest.raises(ImageError, match=r"scan is a DICOM file that cannot be decoded"):
        decode(written(VALUES)[:-300], "scan")


def test_window_functions_agree_with_their_definitions():
    values = np.linspace(-500, 600, 50)
    assert np.abs(window_levels(values, 40, 400) - formula(values, 40, 400)).max() <= 0.5 + 1e-9
    exact = np.clip((values - 40) / 400 + 0.5, 0, 1) * 255
    assert np.abs(window_levels(values, 40, 400, "LINEAR_EXACT") - exact).max() <= 0.5 + 1e-9
    sigmoid = 255 / (1 + np.exp(-4 * (values - 40) / 400))
    assert np.abs(window_levels(values, 40, 400, "SIGMOID") - sigmoid).max() <= 0.5 + 1e-9
