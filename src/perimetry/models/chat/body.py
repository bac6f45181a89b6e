"""From a request to the bytes of its HTTP body."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from perimetry.cases.png import Effort
from perimetry.models.decoded import DecodedImages
from perimetry.models.rendering import ImagePolicy, Rendered, as_it_is, data_url_pieces, render
from perimetry.models.request import ImagePart, Prompt, Request, TextPart

__all__ = ["ChatStyle", "build_body", "files_as_they_are", "too_many_images"]


@dataclass(frozen=True, slots=True)
class ChatStyle:
    """How a model wants its chat requests.

    Parameters
    ----------
    limit_field : {"max_tokens", "max_completion_tokens"}
        What the limit of new tokens is called.
    system : {"message", "user"}
        Whether a system text is a message of its own or stands before the user's text.
    text_form : {"string", "parts"}
        Whether a message that has only text is sent as a string or as a list of parts.
    extra : mapping
        Further fields of the body; they cannot replace the audit's own.
    """

    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    system: Literal["message", "user"] = "message"
    text_form: Literal["string", "parts"] = "string"
    extra: Mapping[str, Any] = field(default_factory=dict)


def _dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _text_part(text: str) -> bytes:
    return b'{"type":"text","text":' + _dumps(text) + b"}"


def _user_content(prompt: Prompt, images: Iterator[Rendered], style: ChatStyle) -> list[bytes]:
    """Content of the user's message, in pieces."""
    lead = prompt.system if style.system == "user" and prompt.system else ""
    if style.text_form == "string" and not any(isinstance(part, ImagePart) for part in prompt.parts):
        return [_dumps("\n\n".join(text for text in (lead, prompt.text) if text))]
    pieces = [b"[", _text_part(lead), b","] if lead else [b"["]
    for part in prompt.parts:
        if isinstance(part, TextPart):
            pieces.append(_text_part(part.text))
        else:
            # A data URL holds no character that JSON escapes, so that it is laid in as it is: running a megabyte
            # of base64 through a JSON encoder costs more than everything else the client does.
            head, payload = data_url_pieces(next(images))
            pieces += [b'{"type":"image_url","image_url":{"url":"', head, payload, b'"}}']
        pieces.append(b",")
    if len(pieces) > 1:
        pieces.pop()
    pieces.append(b"]")
    return pieces


def too_many_images(prompt: Prompt, policy: ImagePolicy) -> str:
    """Why a prompt holds more images than a policy allows; empty if it does not."""
    count = len(prompt.images)
    if policy.max_count is None or count <= policy.max_count:
        return ""
    return (
        f"The prompt has {count} images and the model's image policy allows {policy.max_count}. "
        "Raise max_count in a card, or leave such cases out."
    )


def files_as_they_are(prompt: Prompt, policy: ImagePolicy) -> list[Rendered] | None:
    """The prompt's images as their own files, or None where one of them has to be decoded and encoded."""
    found: list[Rendered] = []
    for image in prompt.images:
        own = as_it_is(image, policy)
        if own is None:
            return None
        found.append(own)
    return found


def build_body(
    request: Request,
    model: str,
    policy: ImagePolicy,
    style: ChatStyle,
    rendered: Sequence[Rendered] | None = None,
    decoded: DecodedImages | None = None,
    effort: Effort = "fast",
) -> bytes:
    """Render a request's images and write its body, as UTF-8 JSON.

    Parameters
    ----------
    request : Request
    model : str
        Name of the model at the endpoint.
    policy : ImagePolicy
    style : ChatStyle
    rendered : sequence of Rendered, optional
        The images in order, where they are encoded already.
    decoded : DecodedImages, optional
        Where decoded pixels are kept from one request to the next.
    effort : {"none", "fast", "small"}, default "fast"
        Of the PNG writer; see `render`.

    Raises
    ------
    ImageError
        When an image cannot be read.

    Examples
    --------
    >>> from perimetry.models.request import Prompt, TextPart
    >>> request = Request("r", "1", "mine", "real", 0, 7, Prompt((TextPart("Effusion?"),)))
    >>> json.loads(build_body(request, "m", ImagePolicy(), ChatStyle()))["messages"]
    [{'role': 'user', 'content': 'Effusion?'}]
    """
    prompt, decoding = request.prompt, request.decoding
    images = (
        iter(rendered) if rendered is not None else (render(image, policy, decoded, effort) for image in prompt.images)
    )
    # One join at the end: each copy of a body of half a megabyte costs as much as a small request.
    pieces = [b'{"messages":[']
    if prompt.system and style.system == "message":
        pieces += [b'{"role":"system","content":', _dumps(prompt.system), b"},"]
    pieces.append(b'{"role":"user","content":')
    pieces += _user_content(prompt, images, style)
    settings = {
        **style.extra,
        "model": model,
        style.limit_field: decoding.max_new_tokens,
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        # Servers differ in how wide a seed they take; 31 bits fit all of them.
        "seed": request.seed & 0x7FFFFFFF,
    }
    if request.schema:
        answer = {"name": "answer", "strict": True, "schema": json.loads(request.schema)}
        settings["response_format"] = {"type": "json_schema", "json_schema": answer}
    pieces += [b"}],", _dumps(settings)[1:]]
    return b"".join(pieces)
