"""Options that commands share: every audit takes them all, and what is given arrives."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, fields
from typing import Annotated

import pytest
import typer
from tests.bad_input import command
from typer.testing import CliRunner

from perimetry.cli import audit_options as options
from perimetry.cli.app import app
from perimetry.cli.option_groups import spread
from perimetry.inference import Settings
from perimetry.models import ModelContext

AUDITS = ("counterfactual", "occlusion", "routes", "references")


@dataclass
class Group:
    width: Annotated[int, typer.Option(min=1, help="How wide.")] = 3
    deep: Annotated[bool, typer.Option("--deep", help="Whether deep.")] = False


def commands():
    groups = [group.typer_instance for group in app.registered_groups if group.typer_instance]
    own = [one.callback for group in groups for one in group.registered_commands if one.callback]
    return {one.__name__: one for one in own}


@pytest.mark.parametrize("name", AUDITS)
def test_every_audit_shows_the_fields_as_options_with_their_defaults(name):
    parameters = inspect.signature(commands()[name]).parameters
    group = options.Endpoints if name == "references" else options.Execution
    for field in fields(group):
        assert parameters[field.name].default == field.default
    told = " ".join(command("audit", name, "--help").out.split())
    for field in fields(group):
        assert f"--{field.name.replace('_', '-')}" in told
    assert not {"execution", "endpoints"} & parameters.keys()


def test_what_is_not_given_is_as_engine_and_models_have_it():
    assert options.Execution().settings == options.Endpoints().settings == Settings()
    assert options.Execution().context == options.Endpoints().context
    assert options.Execution().context.concurrency == ModelContext().concurrency


def test_what_is_given_arrives():
    given = options.Execution(
        concurrency=3,
        max_requests=7,
        max_failures=2,
        timeout=5.0,
        max_retries=1,
        requests_per_minute=9.0,
        engine=options.EngineName.ray,
        ray_address="there",
        workers=4,
        batch_size=6,
        device="cpu",
        trust_remote_code=True,
    )
    settings, context = given.settings, given.context
    assert (settings.concurrency, settings.max_requests, settings.max_failures) == (3, 7, 2)
    assert (settings.engine, settings.ray_address, settings.workers) == ("ray", "there", 4)
    assert (context.concurrency, context.timeout, context.max_retries, context.requests_per_minute) == (3, 5.0, 1, 9.0)
    assert (context.batch_size, context.device, context.trust_remote_code) == (6, "cpu", True)


def test_a_group_is_filled_from_the_command_line():
    runner, got = CliRunner(), []

    def show(name: str, *, group: Group, last: int = 1) -> None:
        got.append((name, group, last))

    alone = typer.Typer()
    alone.command()(spread(show))
    assert runner.invoke(alone, ["a", "--width", "5", "--deep", "--last", "2"]).exit_code == 0
    assert runner.invoke(alone, ["b"]).exit_code == 0
    assert got == [("a", Group(5, True), 2), ("b", Group(), 1)]
    refused = runner.invoke(alone, ["a", "--width", "0"])
    assert refused.exit_code == 2
    assert "--width" in refused.output
    assert "How wide." in runner.invoke(alone, ["--help"]).output
