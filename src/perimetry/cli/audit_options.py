"""Options that all audits take: written once, so that they read alike everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from perimetry.inference import Settings
    from perimetry.models import ModelContext

__all__ = ["Endpoints", "EngineName", "Execution"]


class EngineName(StrEnum):
    """Where requests are executed."""

    local = "local"
    ray = "ray"


Data: TypeAlias = Annotated[
    list[str],
    typer.Option(metavar="NAME:PATH", help="Data set and where it lies; repeatable. `phantom` needs no path."),
]
ModelSpecs: TypeAlias = Annotated[
    list[str], typer.Option("--model", metavar="SPEC", help="Model specification; repeatable. See `perimetry models`.")
]
Out: TypeAlias = Annotated[Path, typer.Option(metavar="RUN", help="Run folder; an existing run is gone on with.")]
Split: TypeAlias = Annotated[str | None, typer.Option(help="Split; the data set's evaluation split if not given.")]
Limit: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Take N items, the same ones for every model and machine.")
]
Only: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Take the items that a file names by id, e.g. kept.csv of `perimetry subset`."),
]
Repeats: TypeAlias = Annotated[int, typer.Option(min=1, help="Ask everything R times.")]
Seed: TypeAlias = Annotated[int, typer.Option(help="Seed of every random choice.")]
Temperature: TypeAlias = Annotated[float, typer.Option(min=0.0, help="0 decodes greedily.")]
TopP: TypeAlias = Annotated[float, typer.Option(min=0.0, max=1.0, help="Nucleus sampling; used above temperature 0.")]
MaxNewTokens: TypeAlias = Annotated[int, typer.Option(min=1, help="Longest answer, in tokens.")]
MapFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="TOML file: columns of table, hub and recorded data."),
]
Images: TypeAlias = Annotated[Path | None, typer.Option(help="Image folder, where it is not where the layout has it.")]
Engine: TypeAlias = Annotated[EngineName, typer.Option(help="Where requests are executed.")]
RayAddress: TypeAlias = Annotated[str | None, typer.Option(help="Address of a Ray cluster; a local one if not given.")]
Workers: TypeAlias = Annotated[int, typer.Option(min=1, help="Worker processes for models that run here.")]
Concurrency: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Requests in flight at an endpoint.")]
MaxRequests: TypeAlias = Annotated[int | None, typer.Option(min=0, help="Ask at most N requests in this invocation.")]
MaxFailures: TypeAlias = Annotated[int, typer.Option(min=0, help="Stop after N failures in a row; 0 never stops.")]
AllowRemote: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Let a credentialed data set be sent to a model on another machine."),
]
Timeout: TypeAlias = Annotated[
    float, typer.Option(min=0.1, help="Seconds until one attempt at an endpoint is given up.")
]
MaxRetries: TypeAlias = Annotated[int, typer.Option(min=0, help="How often an endpoint is tried again, with back-off.")]
RequestsPerMinute: TypeAlias = Annotated[
    float | None, typer.Option(min=0.1, help="Upper limit of requests started a minute at an endpoint.")
]
BatchSize: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Requests in one batch of a model that runs here.")
]
Device: TypeAlias = Annotated[str | None, typer.Option(help="Device of a model that runs here, e.g. cuda:0.")]
TrustRemoteCode: TypeAlias = Annotated[
    bool, typer.Option("--trust-remote-code", help="Run code that comes with the weights of an hf: model.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Count trials, requests, images and tokens; ask nobody.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@dataclass(frozen=True, kw_only=True)
class Endpoints:
    """How endpoints are asked; a parameter of commands that `spread` shows as options."""

    concurrency: Concurrency = None
    max_requests: MaxRequests = None
    max_failures: MaxFailures = 100
    timeout: Timeout = 600.0
    max_retries: MaxRetries = 5
    requests_per_minute: RequestsPerMinute = None

    @property
    def settings(self) -> Settings:
        """How requests are executed."""
        from perimetry.inference import Settings

        return Settings(concurrency=self.concurrency, max_requests=self.max_requests, max_failures=self.max_failures)

    @property
    def context(self) -> ModelContext:
        """How models are reached."""
        from perimetry.models import ModelContext

        return ModelContext(
            concurrency=self.concurrency or ModelContext().concurrency,
            timeout=self.timeout,
            max_retries=self.max_retries,
            requests_per_minute=self.requests_per_minute,
        )


@dataclass(frozen=True, kw_only=True)
class Execution(Endpoints):
    """How endpoints are asked, and models that run here."""

    engine: Engine = EngineName.local
    ray_address: RayAddress = None
    workers: Workers = 1
    batch_size: BatchSize = None
    device: Device = None
    trust_remote_code: TrustRemoteCode = False

    @property
    def settings(self) -> Settings:
        """How requests are executed, and where."""
        return replace(
            super().settings,
            workers=self.workers,
            engine="ray" if self.engine == "ray" else "local",
            ray_address=self.ray_address or "",
        )

    @property
    def context(self) -> ModelContext:
        """How models are reached and loaded."""
        return replace(
            super().context,
            batch_size=self.batch_size,
            device=self.device,
            trust_remote_code=self.trust_remote_code,
        )
