"""Which files hold more than eight bits, told from their first bytes."""

from __future__ import annotations

__all__ = ["HEADER_BYTES", "wide_conversion"]

HEADER_BYTES = 132

_PNG = b"\x89PNG\r\n\x1a\n"
_DEPTH = 24  # offset of the bit depth in a PNG's IHDR
_COLOUR = 25  # and of its colour type: 0 grey, 4 grey with alpha


def wide_conversion(head: bytes) -> str:
    r"""How `decode` will bring a file to eight bits; empty for files that hold eight already.

    Told without decoding, so that a run can record it for every image. TIFF files are not told apart here.

    Parameters
    ----------
    head : bytes
        The first `HEADER_BYTES` bytes of the file, or more.

    Examples
    --------
    >>> wide_conversion(b"\x89PNG\r\n\x1a\n" + bytes(16) + b"\x10\x00")
    '16-bit grey: shown by its 0.5 to 99.5 percentile range'
    """
    if head[:8] == _PNG and len(head) > _COLOUR and head[_DEPTH] == 16:
        if head[_COLOUR] in (0, 4):
            return "16-bit grey: shown by its 0.5 to 99.5 percentile range"
        return "16-bit colour: shown by its high bytes"
    if head[128:132] == b"DICM":
        return "DICOM: shown by its own window and photometric interpretation"
    return ""
