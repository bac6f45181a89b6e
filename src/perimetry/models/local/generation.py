"""Generates the answers of one batch."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from perimetry.models.chat.failures import failure_of_text
from perimetry.models.rendering import ImagePolicy, fit
from perimetry.models.request import Failure, Request, TextPart, Usage

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

    from perimetry.cases.image import Image
    from perimetry.models.local.loading import Loaded

__all__ = ["Generated", "conversation", "generate"]

Generated: TypeAlias = tuple[str, str, Usage, float] | Failure
"""Text, finish reason, token counts and seconds; or why there is no text."""


def _picture(image: Image, policy: ImagePolicy) -> PillowImage:
    from PIL import Image as Pillow

    return Pillow.fromarray(fit(image.pixels(), policy)).convert("RGB")


def conversation(request: Request, policy: ImagePolicy) -> list[dict[str, Any]]:
    """The messages that a chat template takes, with images as RGB pictures."""
    messages: list[dict[str, Any]] = []
    if request.prompt.system:
        messages.append({"role": "system", "content": [{"type": "text", "text": request.prompt.system}]})
    content: list[dict[str, Any]] = []
    for part in request.prompt.parts:
        if isinstance(part, TextPart):
            content.append({"type": "text", "text": part.text})
        else:
            content.append({"type": "image", "image": _picture(part.image, policy)})
    messages.append({"role": "user", "content": content})
    return messages


def generate(
    loaded: Loaded, batch: Sequence[Request], policy: ImagePolicy, fields: Mapping[str, Any] = MappingProxyType({})
) -> list[Generated]:
    """Answer requests that share decoding and number of images.

    Parameters
    ----------
    loaded : Loaded
    batch : sequence of Request
        One request alone if it samples: its seed is laid for the whole call.
    policy : ImagePolicy
    fields : mapping, optional
        What the chat template is told: a switch for thinking, for example.

    Returns
    -------
    list, one entry a request
    """
    import torch

    start = time.perf_counter()
    processor, model = loaded.processor, loaded.model
    inputs = processor.apply_chat_template(
        [conversation(request, policy) for request in batch],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
        **_padding(processor),
        **fields,
    ).to(loaded.device, dtype=model.dtype)
    lengths = inputs["attention_mask"].sum(dim=1).tolist()
    limit = loaded.limit
    if limit is not None and max(lengths) >= limit:
        return _split_long(loaded, batch, policy, fields, lengths, limit)
    tokenizer = processor.tokenizer
    ends = _ends(model, tokenizer)
    with torch.inference_mode(), torch.random.fork_rng(devices=_devices(loaded.device)):
        if not batch[0].decoding.greedy:
            torch.manual_seed(batch[0].seed & 0x7FFFFFFF)
        output = model.generate(**inputs, **_settings(batch[0], tokenizer, ends))
    width = inputs["input_ids"].shape[1]
    seconds = (time.perf_counter() - start) / len(batch)
    results: list[Generated] = []
    for length, tokens in zip(lengths, output[:, width:].tolist(), strict=True):
        stop = next((place for place, token in enumerate(tokens) if token in ends), None)
        kept = tokens if stop is None else tokens[:stop]
        text = tokenizer.decode(kept, skip_special_tokens=True)
        usage = Usage(int(length), len(kept) + (stop is not None))
        results.append((text, "length" if stop is None else "stop", usage, seconds))
    return results


def _padding(processor: Any) -> dict[str, Any]:
    """Left padding, in the words of this version of `transformers`: early 5.x releases take it without the wrapper."""
    padding = {"padding": True, "padding_side": "left"}
    wrapped = "processor_kwargs" in inspect.signature(processor.apply_chat_template).parameters
    return {"processor_kwargs": padding} if wrapped else padding


def _split_long(
    loaded: Loaded,
    batch: Sequence[Request],
    policy: ImagePolicy,
    fields: Mapping[str, Any],
    lengths: Sequence[int],
    limit: int,
) -> list[Generated]:
    """Fail the requests that do not fit, answer the others."""
    fitting = [request for request, length in zip(batch, lengths, strict=True) if length < limit]
    answered = iter(generate(loaded, fitting, policy, fields) if fitting else ())
    return [
        next(answered)
        if length < limit
        else failure_of_text("too_long", f"The prompt has {length} tokens; the model takes fewer than {limit}.")
        for length in lengths
    ]


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    """Tokens that end an answer."""
    own = model.generation_config.eos_token_id
    ends = [] if own is None else [own] if isinstance(own, int) else list(own)
    return frozenset(ends or ([tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []))


def _devices(device: str) -> list[int]:
    """CUDA devices whose random state a call must leave as it was."""
    import torch

    if not device.startswith("cuda"):
        return []
    return [torch.device(device).index or 0]


def _settings(request: Request, tokenizer: Any, ends: frozenset[int]) -> dict[str, Any]:
    """The protocol's decoding in the words of `generate`; what the weights' own configuration would add is undone."""
    decoding = request.decoding
    pad = tokenizer.pad_token_id
    common = {
        "max_new_tokens": decoding.max_new_tokens,
        "num_beams": 1,
        "repetition_penalty": 1.0,
        "pad_token_id": pad if pad is not None else min(ends, default=0),
    }
    if decoding.greedy:
        return {**common, "do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {**common, "do_sample": True, "temperature": decoding.temperature, "top_p": decoding.top_p, "top_k": 0}
