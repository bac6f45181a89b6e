"""Keeps keys out of messages."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["scrub", "without_credentials"]

_PATTERNS = (
    (re.compile(r"(?<=//)[^/@\s'\"]+@"), "***@"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=*-]{6,}"), r"\1 ***"),
    (re.compile(r"\b(?:sk|pk|hf|gsk|xai|key)[-_][A-Za-z0-9_*.-]{6,}"), "***"),
    (re.compile(r"(?i)((?:api[-_]?key|token|secret|password|sig)[\"']?\s*[=:]\s*[\"']?)[^\s&\"',;)}]{4,}"), r"\1***"),
)


_ADDRESS = re.compile(r"(https?://)(?:[^/@\s'\"]*@)?([^\s'\"?]*)(?:\?[^\s'\"]*)?")


def without_credentials(text: str) -> str:
    """Text whose addresses have neither user, password nor query.

    Examples
    --------
    >>> without_credentials("openai:m@https://me:pw@host/v1?code=abc")
    'openai:m@https://host/v1'
    """
    return _ADDRESS.sub(r"\1\2", text)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Text without the given secrets, credentials in addresses, and whatever looks like a key.

    Examples
    --------
    >>> scrub("wrong key abc-123 at https://me:pw@host/v1", ["abc-123"])
    'wrong key *** at https://***@host/v1'
    """
    for secret in sorted({secret for secret in secrets if len(secret) >= 4}, key=len, reverse=True):
        text = text.replace(secret, "***")
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text
