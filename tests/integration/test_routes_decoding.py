"""How the route audit has answers drawn: a card's official sampling, the paper's fallback, or greedily on request."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tests.models.loopback import LoopbackServer
from typer.testing import CliRunner

from perimetry.cli.app import app

DATA = "phantom:n=2,size=64,form=choice"


def drawn(tmp_path: Path, *more: str) -> dict[str, tuple[object, ...]]:
    """By model: temperature, top_p and top_k of every request that it was sent."""
    found: dict[str, tuple[object, ...]] = {}
    for spec in ("card:medgemma-4b", "openai:plain"):
        with LoopbackServer("Answer: A") as server:
            arguments = ["audit", "routes", "--data", DATA, "--model", f"{spec}@{server.url}", "--out"]
            out = str(tmp_path / spec.split(":")[1])
            result = CliRunner().invoke(app, [*arguments, out, "--conditions", "full", *more])
            assert result.exit_code == 0, result.output
            bodies = [request.body for request in server.requests]
        (found[spec],) = {(body.get("temperature"), body.get("top_p"), body.get("top_k")) for body in bodies}
    return found


def test_a_card_brings_its_official_sampling(tmp_path: Path):
    assert drawn(tmp_path) == {"card:medgemma-4b": (1.0, 0.95, 64), "openai:plain": (0.6, 0.95, None)}
    settings = tomllib.loads((tmp_path / "medgemma-4b" / "run.toml").read_text())
    assert "top_k" in settings["models"][0]["official_sampling"]


@pytest.mark.parametrize(
    ("more", "temperature", "top_p"), [(("--temperature", "0.2"), 0.2, 0.95), (("--top-p", "0.5"), 0.6, 0.5)]
)
def test_numbers_that_are_given_hold_for_every_model(tmp_path: Path, more, temperature, top_p):
    plain = (temperature, top_p, None)
    assert drawn(tmp_path, *more) == {"card:medgemma-4b": plain, "openai:plain": plain}


def test_greedy_is_greedy_for_every_model(tmp_path: Path):
    found = drawn(tmp_path, "--greedy")
    assert {temperature for temperature, _, _ in found.values()} == {0.0}
    assert {top_k for _, _, top_k in found.values()} == {None}


def test_greedy_beside_a_temperature_is_refused(tmp_path: Path):
    result = CliRunner().invoke(
        app, ["audit", "routes", "--data", DATA, "--model", "reader:blind", "--out", str(tmp_path / "r"),
              "--greedy", "--temperature", "0.5"],
    )  # fmt: skip
    assert result.exit_code != 0
    assert "--greedy" in result.output + str(result.exception)
