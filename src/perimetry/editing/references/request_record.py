"""What a folder of alternatives was made for: another request never takes its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perimetry.cases import Study, UsageError
from perimetry.cases.digest import digest_parts
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.taxonomy import Target
from perimetry.runs.folder import named_disk_errors, write_atomically

__all__ = ["REQUEST", "check_same_request", "keep_request", "request_of"]

REQUEST = "request.json"
_OPTIONS = {
    "dataset": "--data",
    "data": "--data, --split, --limit or --map",
    "reports": "--data, --split, --limit or --map",
    "axes": "--axes",
    "rewriter": "--rewriter",
    "verifier": "--verifier",
    "rounds": "--rounds",
    "temperatures": "--temperature",
    "tokens": "--max-new-tokens",
    "schema": "--schema",
    "seed": "--seed",
}
_LONGEST = 120


def request_of(
    dataset: str,
    studies: Sequence[Study],
    wanted: Sequence[tuple[Target, ...]],
    *,
    rewriter: str,
    verifier: str,
    seed: int,
    asking: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything that an alternative depends on, as plain data.

    Parameters
    ----------
    dataset : str
    studies : sequence of Study
        Their ids, findings and impressions count.
    wanted : sequence of tuple of Target
    rewriter, verifier : str
        Names of models without the address of their server: another server of the same model goes on.
    seed : int
    asking : mapping, optional
        Settings that matter to models only.

    Examples
    --------
    >>> study = Study("s1", "mine", "s1", sections={"findings": "Clear lungs."})
    >>> request_of("mine", [study], [], rewriter="rules/5", verifier="rules/5", seed=42)["reports"]
    1
    """
    texts = [(study.id, ReportText.of(study.sections)) for study in studies]
    return {
        "dataset": dataset,
        "reports": len(studies),
        "data": digest_parts(part for name, text in texts for part in (name, text.findings, text.impression)),
        "axes": ["+".join(step.spelling for step in steps) for steps in wanted],
        "rewriter": rewriter,
        "verifier": verifier,
        "seed": seed,
        **(asking or {}),
    }


def check_same_request(folder: Path, request: Mapping[str, Any]) -> None:
    """Refuse a folder whose alternatives were made for something else.

    Raises
    ------
    UsageError
        Names every setting that differs.
    """
    held = _held(folder)
    # Settings of asking stand in both wherever rewriter and verifier are the same.
    differing = [name for name in _OPTIONS if name in held and name in request and held[name] != request[name]]
    if "reports" in differing or "dataset" in differing:
        differing = [name for name in differing if name != "data"]
    if differing:
        told = "; ".join(
            f"{name} ({_OPTIONS[name]}): {_shown(held[name])} there, {_shown(request[name])} now" for name in differing
        )
        raise UsageError(
            f"--out {folder} holds the alternatives of another request, which would be lost: {told}. Give another "
            "--out, or the settings of that folder to go on with it."
        )


def keep_request(folder: Path, request: Mapping[str, Any]) -> None:
    """Write down what the folder is made for, before anybody is asked."""
    with named_disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / REQUEST, (json.dumps(request, indent=2, ensure_ascii=False) + "\n").encode())


def _held(folder: Path) -> dict[str, Any]:
    """The request of finished alternatives; of a folder without one, what its funnel tells."""
    if not (folder / "alternatives.jsonl").exists():
        return {}
    held = _read(folder / REQUEST)
    if held:
        return held
    funnel = _read(folder / "funnel.json")
    names = ("dataset", "reports", "rewriter", "verifier", "seed")
    told: dict[str, Any] = {name: funnel[name] for name in names if name in funnel}
    if isinstance(funnel.get("axes"), list):
        told["axes"] = [each.get("kind") for each in funnel["axes"] if isinstance(each, dict)]
    return told


def _read(path: Path) -> dict[str, Any]:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise UsageError(
            f"{path} cannot be read ({type(error).__name__}), so it is not known what its folder was made for. Give "
            "another --out."
        ) from None
    return held if isinstance(held, dict) else {}


def _shown(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
