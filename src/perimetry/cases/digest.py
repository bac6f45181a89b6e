"""Content digests: short, stable names for what was shown."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

__all__ = ["DIGEST_BYTES", "digest_bytes", "digest_parts"]

DIGEST_BYTES = 16


def digest_bytes(data: bytes) -> str:
    """Hexadecimal BLAKE2b digest (128 bits) of some bytes.

    Examples
    --------
    >>> digest_bytes(b"lung")
    '750333a1780a918fdeccdc87908d61ac'
    """
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).hexdigest()


def digest_parts(parts: Iterable[str]) -> str:
    """Digest of a sequence of strings; each is length-prefixed, so that no two sequences collide by joining.

    Examples
    --------
    >>> digest_parts(["a", "bc"]) == digest_parts(["ab", "c"])
    False
    """
    hasher = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        hasher.update(len(encoded).to_bytes(8, "little"))
        hasher.update(encoded)
    return hasher.hexdigest()
