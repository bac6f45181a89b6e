"""Where weights and tokenisers come from: a local path, or the hub when the user names a repository of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.libraries import library

__all__ = ["MODEL_FILES", "TOKENISER_FILES", "Source"]

TOKENISER_FILES = ("*.json", "*.txt", "*.model")
"""Patterns of what a tokeniser is read from."""

MODEL_FILES = (*TOKENISER_FILES, "*.safetensors", "pytorch_model*.bin")
"""Patterns of what a model and its tokeniser are read from."""

_HUB = re.compile(r"(?P<repository>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[\w.-]+))?")
_WEIGHT_SUFFIXES = (".pth", ".pt", ".bin", ".ckpt", ".safetensors", ".csv", ".txt", ".json")
_SHOWN = 12


@dataclass(frozen=True)
class Source:
    """A file or folder on this machine, or a repository of the hub.

    Parameters
    ----------
    text : str
        A path, or ``OWNER/NAME`` or ``NAME``, with ``@REVISION`` if wished. What exists on this machine is taken from
        there, without a look at the network.
    parameter : str
        The parameter that names it, for messages: ``weights``.
    expected : str
        What should be there, for messages: ``the folder or hub id of a text encoder``.
    file : str, default ""
        For a single file: its name in the hub repository, where the user named only the repository.
    patterns : tuple of str, default `MODEL_FILES`
        Files that count of what is read as a folder. Weights in the older format are only downloaded where a
        repository has no safetensors.

    Examples
    --------
    >>> Source("no/such/folder", "model", "the folder of an encoder").obstacle()
    'model=no/such/folder does not exist; expected the folder of an encoder'
    """

    text: str
    parameter: str
    expected: str
    file: str = ""
    patterns: tuple[str, ...] = MODEL_FILES

    @property
    def path(self) -> Path:
        """As a path of this machine; it need not exist."""
        return Path(self.text).expanduser()

    @property
    def is_local(self) -> bool:
        """Whether it lies on this machine."""
        return bool(self.text) and self.path.exists()

    @property
    def label(self) -> str:
        """Name for a metric's signature: the hub id, or the last part of the path, with a digest of the content.

        Two signatures are equal only if the weights are; no folder of somebody's machine shows in it. Nothing is
        fetched for it: a hub id stands alone until something was read from there.
        """
        if not self.text:
            return "none"
        known = self.is_local or "digest" in vars(self)
        name = self.path.resolve().name if self.is_local or not self._hub() else self.text
        return (f"{name}#{self.digest[:_SHOWN]}" if known else name).replace("|", "_")

    @cached_property
    def digest(self) -> str:
        """Digest of the content: of a file, or of the files of a folder with their names. Fetches what it is of."""
        path = self.fetch()
        files = [path] if path.is_file() else sorted({file for pattern in self.patterns for file in path.glob(pattern)})
        parts = []
        for file in files:
            with file.open("rb") as stream:
                parts += [file.name if path.is_dir() else "", hashlib.file_digest(stream, "sha256").hexdigest()]
        return digest_parts(parts)

    def obstacle(self) -> str:
        """Why it cannot be read; empty if it can, or if it would come from the hub. Opens nothing."""
        if not self.text:
            return f"give {self.parameter}=PATH, {self.expected}"
        if self.is_local or self._hub():
            return ""
        return f"{self.parameter}={self.text} does not exist; expected {self.expected}"

    def fetch(self) -> Path:
        """The local path; a hub repository is downloaded first (or taken from the hub's own cache).

        Raises
        ------
        UsageError
            When nothing is there, or the download fails.
        """
        if self.is_local:
            return self.path
        if stands := self.obstacle():
            raise UsageError(f"{stands}.")
        hub = library("huggingface_hub")
        repository, name, revision = self._hub() or (self.text, "", None)
        try:
            if self.file:
                return Path(hub.hf_hub_download(repository, name or self.file, revision=revision))
            return _snapshot(hub, repository, revision, self.patterns)
        except Exception as error:
            said = str(error).strip().splitlines()
            raise UsageError(
                f"{self.parameter}={self.text} is no path of this machine, and cannot be taken from the hub: "
                f"{said[0] if said else type(error).__name__} Check the name, the network and your access, or give "
                f"{self.expected} on this machine."
            ) from error

    def _hub(self) -> tuple[str, str, str | None] | None:
        """Repository, file in it and revision; None if the text has not the form of a hub id."""
        found = _HUB.fullmatch(self.text)
        if found and not self.text.endswith(_WEIGHT_SUFFIXES) and not self.text.startswith("."):
            return found["repository"], "", found["revision"]
        parts = self.text.split("/")
        if self.file and len(parts) >= 3 and all(re.fullmatch(r"[\w-][\w.-]*", part) for part in parts):
            return "/".join(parts[:2]), "/".join(parts[2:]), None
        return None


def _snapshot(hub: Any, repository: str, revision: str | None, patterns: Sequence[str]) -> Path:
    modern = [pattern for pattern in patterns if not pattern.endswith(".bin")]
    folder = Path(hub.snapshot_download(repository, revision=revision, allow_patterns=modern))
    if len(modern) < len(patterns) and not any(folder.glob("*.safetensors")):
        folder = Path(hub.snapshot_download(repository, revision=revision, allow_patterns=list(patterns)))
    return folder
