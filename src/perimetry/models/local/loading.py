"""Loads a vision-language model and its processor."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.errors import UsageError

__all__ = ["Loaded", "load"]


@dataclass(frozen=True)
class Loaded:
    """Weights and processor on their device.

    Parameters
    ----------
    model, processor : objects of `transformers`
    device, dtype : str
    """

    model: Any
    processor: Any
    device: str
    dtype: str

    @property
    def limit(self) -> int | None:
        """Positions that the language model was made for, if its configuration says so."""
        config = self.model.config
        text = config.get_text_config() if hasattr(config, "get_text_config") else config
        value = getattr(text, "max_position_embeddings", None)
        return value if isinstance(value, int) and value > 0 else None

    @staticmethod
    def is_out_of_memory(error: Exception) -> bool:
        """Whether an error says that memory ran out, on any device."""
        import torch

        if isinstance(error, torch.OutOfMemoryError | MemoryError):
            return True
        said = str(error).lower()
        return isinstance(error, RuntimeError) and ("out of memory" in said or "can't allocate memory" in said)

    @staticmethod
    def free_memory() -> None:
        """Give cached blocks back to the device."""
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()


def load(
    source: str, *, revision: str | None = None, device: str | None = None, trust_remote_code: bool = False
) -> Loaded:
    """Load weights from a folder or the hub.

    Parameters
    ----------
    source : str
        A folder is read without any look at the network.
    revision : str or None
        Commit of a hub model.
    device : str or None
        None takes CUDA, then MPS, then the CPU.
    trust_remote_code : bool, default False

    Raises
    ------
    UsageError
        When the extra ``hf`` is not installed, or the model cannot be loaded.
    """
    try:
        import torch
        from transformers import AutoModelForImageTextToText, AutoProcessor
    except ImportError as error:
        raise UsageError(
            f"hf:{source} needs torch and transformers ({error}). Install them with: pip install 'perimetry[hf]'"
        ) from error
    device = device or _best_device()
    half = device.startswith("cuda") and torch.cuda.is_bf16_supported()
    dtype = torch.bfloat16 if half else torch.float32
    options: dict[str, Any] = {"trust_remote_code": trust_remote_code}
    if Path(source).exists():
        options["local_files_only"] = True
    elif revision:
        options["revision"] = revision
    try:
        processor = AutoProcessor.from_pretrained(source, **options)
        model = AutoModelForImageTextToText.from_pretrained(source, dtype=dtype, **options)
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise UsageError(
            f"hf:{source} cannot be loaded: {error} Expected a folder with config.json, weights and processor, or the "
            "id of an image-text-to-text model on the hub."
        ) from error
    if not getattr(processor, "chat_template", None):
        raise UsageError(f"hf:{source} has no chat template; put a chat_template.jinja beside its processor.")
    model = model.to(device).eval()
    return Loaded(model, processor, device, str(dtype).removeprefix("torch."))


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
