"""DICOM by its own window and photometric interpretation (extra ``dicom``)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Pixels
from perimetry.cases.sources.grey import rescale, stretch

__all__ = ["decode_dicom", "window_levels"]


def decode_dicom(data: bytes, name: str) -> tuple[Pixels, str]:
    """Pixels of the first frame, and what was done to get them.

    Grey values go through the modality transform (rescale slope and intercept, or its table), then through the
    file's table of values of interest or its first window (DICOM PS3.3 C.11.2), and only where there is neither
    through their 0.5 to 99.5 percentile range. MONOCHROME1 is inverted, YBR becomes RGB.

    Raises
    ------
    ImageError
        When the extra is not installed, or the file cannot be decoded.
    """
    try:
        import pydicom
    except ImportError as error:
        raise ImageError(
            f"{name} is a DICOM file, which needs the extra 'dicom'. Install it (pip install 'perimetry[dicom]') or "
            "convert the images to PNG."
        ) from error
    from perimetry.cases.sources.decode import pixel_limit

    try:
        header = pydicom.dcmread(io.BytesIO(data))
        size = int(header.Rows) * int(header.Columns)
        if size > pixel_limit():
            raise ImageError(
                f"{name} is too large: {header.Columns} x {header.Rows} = {size:,} pixels; the limit is "
                f"{pixel_limit():,}. Downscale it, or raise PERIMETRY_MAX_PIXELS."
            )
        return _decode(header)
    except ImageError:
        raise
    except Exception as error:
        raise ImageError(
            f"{name} is a DICOM file that cannot be decoded: {error}. It is damaged, or its compression needs a "
            "decoder that is not installed (pip install 'perimetry[dicom]')."
        ) from error


def _decode(header: Any) -> tuple[Pixels, str]:
    from pydicom.pixels import apply_color_lut, apply_modality_lut, apply_voi, pixel_array

    photometric = str(header.PhotometricInterpretation)
    frame: NDArray[Any] = pixel_array(header, index=0)
    if photometric == "PALETTE COLOR":
        frame = apply_color_lut(frame, header)
        return rescale(frame, 0, float(np.iinfo(frame.dtype).max)), "DICOM palette to RGB"
    if frame.ndim == 3:
        deep = int(header.BitsStored)
        pixels = frame.astype(np.uint8) if deep <= 8 else rescale(frame, 0, 2.0**deep - 1)
        return pixels, f"DICOM {photometric} to RGB"
    inverted = photometric == "MONOCHROME1"
    values = apply_modality_lut(frame, header)
    if "VOILUTSequence" in header:
        table = header.VOILUTSequence[0]
        values = apply_voi(values, header)
        pixels, note = rescale(values, 0, 2.0 ** int(table.LUTDescriptor[2]) - 1), "DICOM table of values of interest"
    elif "WindowCenter" in header and "WindowWidth" in header:
        centre, width = (float(_first(header[tag].value)) for tag in ("WindowCenter", "WindowWidth"))
        function = str(getattr(header, "VOILUTFunction", "LINEAR"))
        pixels = window_levels(values, centre, width, function)
        note = f"DICOM window {centre:g}/{width:g} {function}"
    else:
        return stretch(values, inverted=inverted)
    if inverted:
        pixels = np.subtract(255, pixels, dtype=np.uint8)
    return pixels, note + (", inverted" if inverted else "")


def window_levels(values: NDArray[Any], centre: float, width: float, function: str = "LINEAR") -> Pixels:
    """Grey levels of a window, as DICOM PS3.3 C.11.2.1 defines its three functions.

    Examples
    --------
    >>> window_levels(np.array([[-1000.0, 40.0, 1000.0]]), 40, 400).tolist()
    [[0, 128, 255]]
    """
    if function == "SIGMOID":
        curve = 255.0 / (1.0 + np.exp(-4.0 * (values - centre) / width))
        return np.floor(curve + 0.5).astype(np.uint8)
    if function == "LINEAR_EXACT":
        return rescale(values, centre - width / 2, centre + width / 2)
    return rescale(values, centre - 0.5 - (width - 1) / 2, centre - 0.5 + (width - 1) / 2)


def _first(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) or not hasattr(value, "__len__") else value[0]
