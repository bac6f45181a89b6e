"""The model kind ``hf``: a vision-language model in this process, through `transformers`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perimetry.cases.errors import CaseError, ImageError
from perimetry.models.chat.body import too_many_images
from perimetry.models.chat.failures import failure_of_text
from perimetry.models.local.generation import Generated, generate
from perimetry.models.local.loading import Loaded, load
from perimetry.models.model import BatchModel
from perimetry.models.registry import ModelContext, ModelKind
from perimetry.models.rendering import ImagePolicy
from perimetry.models.request import Failure, Request, Response

if TYPE_CHECKING:
    from perimetry.models.cards.use import CardUse

__all__ = ["KIND", "TransformersModel"]

BATCH_SIZE = 8


class TransformersModel(BatchModel):
    """Weights in this process: `AutoModelForImageTextToText`, its processor and its chat template.

    Greedy requests are generated in left-padded batches; requests that sample are generated one by one, each under
    its own seed, so that no answer depends on its neighbours. bfloat16 where the device has it, float32 otherwise.

    Parameters
    ----------
    source : str
        Folder, or hub id.
    context : ModelContext, optional
        Batch size, device, revision, whether code of the model's own may run (off by default).
    name : str, optional
        ``hf:SOURCE`` by default.
    policy : ImagePolicy, optional
        Only its sizes and count matter here: pixels reach the processor unencoded.
    card : CardUse, optional

    Notes
    -----
    What the library allows: with batches of one, an answer is a function of its request alone. In larger batches
    padding is masked and positions are counted without it, so that logits agree up to rounding; where two tokens tie
    to the last bits, another batch can give another token. Requests of a batch have the same number of images,
    since processors do not take mixed batches alike. ``batch_size=1`` gives the strict reading.
    """

    def __init__(
        self,
        source: str,
        context: ModelContext | None = None,
        *,
        name: str = "",
        policy: ImagePolicy | None = None,
        card: CardUse | None = None,
    ) -> None:
        self._source = source
        self._context = context or ModelContext()
        self._name = name or f"hf:{source}"
        self._policy = policy or ImagePolicy()
        self.card = card
        self._revision = self._context.revision or (card.card.pinned if card else None)
        self._loaded: Loaded | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    @property
    def name(self) -> str:
        """``hf:SOURCE``, or the card's spelling."""
        return self._name

    @property
    def batch_size(self) -> int:
        """8 by default."""
        return self._context.batch_size or BATCH_SIZE

    def describe(self) -> dict[str, Any]:
        """Versions, revision, and device and precision once the weights are loaded."""
        from importlib.metadata import PackageNotFoundError, version

        versions = {}
        for package in ("transformers", "torch", "tokenizers"):
            try:
                versions[package] = version(package)
            except PackageNotFoundError:
                versions[package] = "not installed"
        facts = self.card.facts() if self.card else {"warnings": []}
        is_local = Path(self._source).exists()
        if not is_local and not self._revision and not self.card:
            facts["warnings"] = [f"{self._name}: no revision is pinned; weights may differ tomorrow"]
        loaded = self._loaded
        return {
            **facts,
            "name": self._name,
            "kind": "hf",
            "source": self._source,
            "revision": self._revision or ("local folder" if is_local else "unpinned"),
            "versions": versions,
            "batch_size": self.batch_size,
            "trust_remote_code": self._context.trust_remote_code,
            "device": loaded.device if loaded else self._context.device or "auto",
            "dtype": loaded.dtype if loaded else "auto",
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Generate answers, batch by batch, and give them in the order of the requests."""
        done: dict[int, Response] = {}
        requests = [self._worded(index, request, done) for index, request in enumerate(requests)]
        loaded = self._open()
        for batch in self._batches(requests, done):
            done.update(zip(batch, self._attempt(loaded, [requests[index] for index in batch]), strict=True))
        for index in range(len(requests)):
            yield done[index]

    def close(self) -> None:
        """Free the weights."""
        self._loaded = None

    def _open(self) -> Loaded:
        if self._loaded is None:
            self._loaded = load(
                self._source,
                revision=self._revision,
                device=self._context.device,
                trust_remote_code=self._context.trust_remote_code,
            )
        return self._loaded

    def _batches(self, requests: Sequence[Request], done: dict[int, Response]) -> Iterator[list[int]]:
        """Indices of requests that go together; requests with too many images are answered on the way."""
        groups: dict[object, list[int]] = {}
        for index, request in enumerate(requests):
            if index in done:
                continue
            excess = too_many_images(request.prompt, self._policy)
            if excess:
                done[index] = Response(request.id, None, failure_of_text("unaskable", excess))
                continue
            alike: object = (len(request.prompt.images), request.decoding) if request.decoding.greedy else index
            groups.setdefault(alike, []).append(index)
        for group in groups.values():
            for start in range(0, len(group), self.batch_size):
                yield group[start : start + self.batch_size]

    def _worded(self, index: int, request: Request, done: dict[int, Response]) -> Request:
        """The request in the words of the card; one that cannot be put so is answered by its failure."""
        if self.card is None:
            return request
        try:
            return self.card.to(request)
        except CaseError as error:
            done[index] = Response(request.id, None, failure_of_text("unaskable", str(error)))
            return request

    def _attempt(self, loaded: Loaded, batch: Sequence[Request]) -> list[Response]:
        """Answer a batch; one that fails is halved, until the request at fault is alone."""
        try:
            generated = generate(loaded, batch, self._policy, self.card.template_fields if self.card else {})
        except ImageError as error:
            failure = failure_of_text("unreadable_image", str(error))
        except Exception as error:  # whatever a model's code raises belongs to the request at fault, by name
            failure = _failure(loaded, error)
        else:
            return [_response(request, result) for request, result in zip(batch, generated, strict=True)]
        if len(batch) == 1:
            return [Response(batch[0].id, None, failure)]
        half = len(batch) // 2
        return self._attempt(loaded, batch[:half]) + self._attempt(loaded, batch[half:])


def _failure(loaded: Loaded, error: Exception) -> Failure:
    said = f"{type(error).__name__}: {error}"
    if loaded.is_out_of_memory(error):
        loaded.free_memory()
        return failure_of_text("out_of_memory", f"{said} Lower the image size or the number of new tokens.")
    if type(error).__name__ in ("TemplateError", "UndefinedError"):
        return failure_of_text("unaskable", f"The chat template does not take this prompt: {said}")
    return failure_of_text("crashed", said)


def _response(request: Request, result: Generated) -> Response:
    if isinstance(result, Failure):
        return Response(request.id, None, result)
    text, reason, usage, seconds = result
    return Response(request.id, text, finish_reason=reason, usage=usage, seconds=seconds)


def _make(tail: str, context: ModelContext) -> TransformersModel:
    return TransformersModel(tail, context)


def _obstacle() -> str:
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed: pip install 'perimetry[hf]'" if missing else ""


KIND = ModelKind(
    name="hf",
    grammar="hf:PATH_OR_ID",
    summary="A vision-language model in this process, from a folder or the hub.",
    make=_make,
    obstacle=_obstacle,
)
