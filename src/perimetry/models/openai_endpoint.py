"""The model kind ``openai``: any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from perimetry.cases.errors import CaseError, ImageError, UsageError
from perimetry.cases.png import Effort
from perimetry.models.chat.address import Address
from perimetry.models.chat.body import ChatStyle, build_body, files_as_they_are, too_many_images
from perimetry.models.chat.failures import failure_of_status, failure_of_text, refuses_schema
from perimetry.models.chat.pace import Pace
from perimetry.models.chat.reply import error_text, read_reply
from perimetry.models.chat.secrets import scrub
from perimetry.models.decoded import DecodedImages
from perimetry.models.model import EndpointModel
from perimetry.models.registry import ModelContext, ModelKind
from perimetry.models.rendering import ImagePolicy, Rendered
from perimetry.models.request import Failure, Request, Response

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

    from perimetry.models.cards.use import CardUse

__all__ = ["KEY_VARIABLES", "KIND", "OpenAIEndpoint", "read_target"]

KEY_VARIABLES = ("PERIMETRY_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key; the first one that is set counts."""

_TARGET = re.compile(r"(?P<name>.+?)@(?P<url>https?://.+)")
_NO_KEY = "EMPTY"  # what servers without a key are conventionally sent
RENDER_THREADS = 2
CONNECT_SECONDS = 20.0


def read_target(tail: str, grammar: str) -> tuple[str, Address]:
    """Split ``NAME@URL``; raises `UsageError` when a part is missing.

    Examples
    --------
    >>> name, address = read_target("org/model@http://localhost:8000/v1", "openai:NAME@URL")
    >>> name, address.shown
    ('org/model', 'http://localhost:8000/v1')
    """
    found = _TARGET.fullmatch(tail)
    if found is None:
        raise UsageError(
            f"{scrub(tail)!r} lacks a model name or an address. Write {grammar}, for example "
            f"{grammar.partition(':')[0]}:my-model@http://localhost:8000/v1."
        )
    return found["name"], Address(found["url"])


class OpenAIEndpoint(EndpointModel):
    """A model behind an OpenAI-compatible endpoint (vLLM, SGLang, llama.cpp, ``transformers serve``, hosted ones).

    The `openai` client does the talking: connections, timeouts, retries with back-off that obey ``Retry-After``.
    Bodies are written and replies read here, from and to bytes, so that no payload is copied or validated on the
    way. Images are rendered next to the call, in a few threads; at most `concurrency` requests are rendered at a
    time, so that memory is bounded. Decoded pixels of the latest images are kept (64 MB), since the conditions of
    one image are asked one after another.

    Parameters
    ----------
    served : str
        Name of the model at the endpoint.
    address : Address
    context : ModelContext, optional
        Concurrency, timeout, retries, requests a minute.
    name : str, optional
        What tables call it; ``openai:SERVED`` by default.
    policy : ImagePolicy, optional
    style : ChatStyle, optional
        By default as the address suggests.
    card : CardUse, optional
        The card it was made from: puts prompts in its profile's words, and its facts into `describe`.

    Notes
    -----
    The key is read from ``PERIMETRY_API_KEY`` or ``OPENAI_API_KEY`` when the first request is made; it is never
    part of the object, so that pickling it carries no secret. An endpoint on this machine is asked directly: proxies
    of the environment are not used and redirects not followed, so that local data stays local.
    """

    def __init__(
        self,
        served: str,
        address: Address,
        context: ModelContext | None = None,
        *,
        name: str = "",
        policy: ImagePolicy | None = None,
        style: ChatStyle | None = None,
        card: CardUse | None = None,
    ) -> None:
        self._served = served
        self._address = address
        self._context = context or ModelContext()
        if self._context.concurrency < 1:
            raise UsageError(f"concurrency is {self._context.concurrency}, expected at least 1.")
        self._name = name or f"openai:{served}"
        self._policy = policy or ImagePolicy()
        self._style = style or default_style(address, self._context.extra_body)
        self.card = card
        self._report_style = card.style(self._context.extra_body, card.sampling) if card else self._style
        self._official_style = card.style(self._context.extra_body, card.card.sampling) if card else self._style
        self._reset()

    def _reset(self) -> None:
        self._client: AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._pace = Pace(self._context.requests_per_minute)
        self._secrets: tuple[str, ...] = ()
        self._decoded = DecodedImages()
        self._takes_schemas: bool = True

    def __getstate__(self) -> dict[str, Any]:
        live = ("_client", "_loop", "_threads", "_pace", "_secrets", "_decoded", "_takes_schemas")
        return {key: value for key, value in self.__dict__.items() if key not in live}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    @property
    def name(self) -> str:
        """``openai:NAME``, or the card's spelling."""
        return self._name

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this machine by its address."""
        return self._address.is_local

    @property
    def deterministic(self) -> bool:
        """Always False: servers batch requests as they come, and batches change the last bits of logits."""
        return False

    @property
    def concurrency(self) -> int:
        """Requests in flight."""
        return self._context.concurrency

    @property
    def policy(self) -> ImagePolicy:
        """How images are encoded."""
        return self._policy

    def describe(self) -> dict[str, Any]:
        """Address without credentials, client version, limits, image policy and chat style."""
        import openai

        context = self._context
        return {
            "name": self._name,
            "kind": "openai",
            "served": self._served,
            "address": self._address.shown,
            "client": f"openai {openai.__version__}",
            "concurrency": context.concurrency,
            "timeout": context.timeout,
            "max_retries": context.max_retries,
            "requests_per_minute": context.requests_per_minute,
            "image_policy": {field: getattr(self._policy, field) for field in self._policy.__dataclass_fields__},
            "limit_field": self._style.limit_field,
            "extra_body": scrub(json.dumps(self._style.extra, sort_keys=True)),
            **(self.card.facts() if self.card else {"warnings": []}),
        }

    async def ask(self, request: Request) -> Response:
        """Render, send, wait, read. Never raises for what the endpoint or an image does.

        A request with a schema that the endpoint does not take is sent again without one, and so are all later ones.
        """
        if request.schema and not self._takes_schemas:
            request = replace(request, schema="")
        as_asked = request
        if self.card is not None:
            try:
                request = self.card.to(request)
            except CaseError as error:
                return Response(request.id, None, failure_of_text("unaskable", str(error)))
        prompt = request.prompt
        excess = too_many_images(prompt, self._policy)
        if excess:
            return Response(request.id, None, failure_of_text("unaskable", excess))
        client = self._open()
        await self._pace.wait()
        start = time.perf_counter()
        try:
            files = files_as_they_are(prompt, self._policy)
            if files is None:
                body = await asyncio.get_running_loop().run_in_executor(self._threads, self._body, request)
            else:  # nothing to compute: a thread would cost more than it takes over
                body = self._body(request, files)
        except ImageError as error:
            return self._failed(request, start, failure_of_text("unreadable_image", str(error)))
        except Exception as error:  # a defect of one image's operations is that request's failure, named as such
            said = self._scrub(f"The request could not be rendered: {type(error).__name__}: {error}")
            return self._failed(request, start, failure_of_text("crashed", said))
        import openai

        try:
            content = await client.post("/chat/completions", content=body, cast_to=bytes)
        except openai.APITimeoutError:
            failure = failure_of_text(
                "timeout",
                f"No answer within {self._context.timeout:g} s at {self._address.shown} "
                f"({self._context.max_retries + 1} attempts).",
            )
        except openai.APIConnectionError as error:
            failure = failure_of_text(
                "unreachable", f"No connection to {self._address.shown}: {self._scrub(_why(error))}. Is it running?"
            )
        except openai.APIStatusError as error:
            said = self._scrub(_said(error))
            if request.schema and refuses_schema(error.status_code, said):
                self._give_up_schemas(said)
                return await self.ask(replace(as_asked, schema=""))
            failure = failure_of_status(error.status_code, said)
        except openai.OpenAIError as error:
            failure = failure_of_text("invalid_response", self._scrub(f"{type(error).__name__}: {error}"))
        else:
            response = read_reply(request.id, content, time.perf_counter() - start)
            if response.failure is None:
                return response
            failure = Failure(response.failure.kind, self._scrub(response.failure.message))
            return Response(request.id, None, failure, response.finish_reason, response.usage, seconds=response.seconds)
        return self._failed(request, start, failure)

    async def aclose(self) -> None:
        """Close the connections of the running event loop, and the rendering threads."""
        client, threads = self._client, self._threads
        self._client = self._threads = self._loop = None
        if client is not None:
            await client.close()
        if threads is not None:
            threads.shutdown(wait=False)

    def close(self) -> None:
        """End the rendering threads; connections close with their event loop."""
        if self._threads is not None:
            self._threads.shutdown(wait=False)
            self._threads = None

    def _style_of(self, request: Request) -> ChatStyle:
        """Fields of the body go with the sampling by which a request is drawn."""
        if request.prompt.material is not None:
            return self._report_style
        return self._official_style if request.decoding.official else self._style

    def _body(self, request: Request, files: Sequence[Rendered] | None = None) -> bytes:
        # On this machine compressing pixels costs more than sending them.
        effort: Effort = "none" if self.is_local else "fast"
        style = self._style_of(request)
        return build_body(request, self._served, self._policy, style, files, self._decoded, effort)

    def _scrub(self, text: str) -> str:
        return scrub(text, self._secrets)

    def _give_up_schemas(self, said: str) -> None:
        if self._takes_schemas:
            self._takes_schemas = False
            logging.getLogger(__name__).warning(
                "%s takes no answer schema (%s); its answers are asked for in words alone.", self._address.shown, said
            )

    @staticmethod
    def _failed(request: Request, start: float, failure: Failure) -> Response:
        return Response(request.id, None, failure, seconds=time.perf_counter() - start)

    def _open(self) -> AsyncOpenAI:
        """The client of the running event loop: connections cannot outlive the loop that opened them."""
        loop = asyncio.get_running_loop()
        if self._client is not None and self._loop is loop:
            return self._client
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

        key = next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), _NO_KEY)
        self._secrets = (*self._address.secrets, *((key,) if key != _NO_KEY else ()))
        local = self._address.is_local
        # An answer may take minutes; a connection that takes so long will never be one.
        timeout = Timeout(self._context.timeout, connect=min(self._context.timeout, CONNECT_SECONDS))
        self._client = AsyncOpenAI(
            api_key=key,
            base_url=self._address.url,
            timeout=timeout,
            max_retries=self._context.max_retries,
            http_client=DefaultAsyncHttpxClient(timeout=timeout, trust_env=not local, follow_redirects=not local),
        )
        self._loop = loop
        if self._threads is None:
            self._threads = ThreadPoolExecutor(RENDER_THREADS, thread_name_prefix="render")
        return self._client


def default_style(address: Address, extra: Mapping[str, Any]) -> ChatStyle:
    """The style an address suggests: OpenAI's own service has renamed the limit of new tokens, others have not."""
    renamed = address.host == "api.openai.com"
    return ChatStyle(limit_field="max_completion_tokens" if renamed else "max_tokens", extra=dict(extra))


def _why(error: BaseException) -> str:
    """What the system said of a connection that failed, else what the client's transport said.

    The chain's end may be an affair of the event loop that says nothing of the connection.
    """
    transport = error.__cause__ or error
    said = f"{type(transport).__name__}: {transport}".removesuffix(": ")
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, OSError) and link.errno is not None:
            # Names that do not resolve and TLS have error numbers of their own, which `strerror` does not know.
            foreign = isinstance(link, socket.gaierror | ssl.SSLError)
            said = (link.strerror if foreign else os.strerror(link.errno)) or said
        inner = link.__cause__ or link.__context__
        link = inner.exceptions[0] if isinstance(inner, BaseExceptionGroup) else inner
    return said


def _said(error: APIStatusError) -> str:
    """Message and code that the server sent with an error status."""
    said = error_text(error.body)
    return said or error.response.text[:200]


def _make(tail: str, context: ModelContext) -> OpenAIEndpoint:
    served, address = read_target(tail, KIND.grammar)
    return OpenAIEndpoint(served, address, context)


KIND = ModelKind(
    name="openai",
    grammar="openai:NAME@URL",
    summary="A model behind any OpenAI-compatible endpoint.",
    make=_make,
)
