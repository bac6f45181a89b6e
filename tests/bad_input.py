"""Small audits through the command line, for tests of what must not take a run down."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from perimetry.cases.png import encode_png
from perimetry.cli import main

ROOT = Path(__file__).resolve().parents[1]
FEW = "real,retest,shuffle,noimage"


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


def command(*arguments: object) -> Ended:
    """Run `perimetry ARGUMENTS` in this process; a traceback fails the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    ended = Ended(code, *(stream.detach().getvalue().decode() for stream in (out, err)))
    assert "Traceback" not in ended.err
    return ended


def arguments(data: object, model: object, out: object, *more: object, conditions: str = FEW) -> list[str]:
    """The arguments of an audit."""
    given = ["--data", data, "--model", model, "--out", out, "--conditions", conditions, *more]
    return ["audit", "counterfactual", *(str(one) for one in given)]


def audit(data: object, model: object, out: object, *more: object, conditions: str = FEW) -> Ended:
    """Run an audit in this process."""
    return command(*arguments(data, model, out, *more, conditions=conditions))


def start(*given: object, **options: Any) -> subprocess.Popen[str]:
    """Run `perimetry ARGUMENTS` in a process of its own."""
    line = [sys.executable, "-m", "perimetry.cli", *(str(one) for one in given)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def one_error(ended: Ended, code: int, *said: object) -> None:
    """Assert that a command ended with one error that names these things."""
    assert ended.code == code, ended
    assert not ended.out.strip(), ended.out
    lines = [line for line in ended.err.splitlines() if line.startswith("perimetry: error: ")]
    assert len(lines) == 1, ended.err
    for text in said:
        assert str(text) in ended.err, (text, ended.err)


def png(seed: int, size: int = 16) -> bytes:
    """An encoded picture of noise."""
    return encode_png(np.random.default_rng(seed).integers(0, 256, (size, size), dtype=np.uint8))


def png_of_size(width: int, height: int) -> bytes:
    """A tiny file that claims to be a huge picture."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(bytes(width + 1))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def records(count: int = 12) -> list[dict[str, Any]]:
    """Yes/no questions, each with a picture of its own."""
    return [
        {
            "id": f"q{number}",
            "question": f"Is there a lesion in picture {number}?",
            "answer": "yes" if number % 2 else "no",
            "image": f"{number}.png",
        }
        for number in range(count)
    ]


def write_table(folder: Path, rows: Iterable[dict[str, Any]], name: str = "table.jsonl", use: str = "open") -> str:
    """Write a table and, unless they are there, its pictures; returns the data specification."""
    rows = list(rows)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for number in range(len(rows)):
        picture = folder / "images" / f"{number}.png"
        if not picture.exists():
            picture.write_bytes(png(number))
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"table:{folder / name},data_use={use}"


def write_answers(
    path: Path,
    rows: Iterable[dict[str, Any]],
    conditions: str = "real,retest,shuffle,noimage,blank,hardneg,mismatch",
    answer: Callable[[dict[str, Any], str], str] | None = None,
) -> str:
    """Record answers of somebody who needs the image; returns the model specification."""

    def seeing(row: dict[str, Any], condition: str) -> str:
        return str(row["answer"]) if condition in ("real", "retest") else "yes"

    given = answer or seeing
    with path.open("w") as file:
        for row in rows:
            for condition in conditions.split(","):
                line = {"case_id": row["id"], "condition": condition, "response": given(row, condition)}
                file.write(json.dumps(line) + "\n")
    return f"recorded:{path}"


def outcomes(run: Path) -> pl.DataFrame:
    """The outcomes of a run."""
    return pl.read_parquet(run / "outcomes.parquet")


def estimate(run: Path, metric: str, condition: str = "real", dataset: str = "macro") -> dict[str, Any]:
    """One row of a run's estimates."""
    rows = pl.read_parquet(run / "estimates.parquet").filter(
        metric=metric, condition=condition, dataset=dataset, stratum="all"
    )
    assert rows.height == 1
    return rows.to_dicts()[0]


def page(run: Path) -> str:
    """The report's first page."""
    return (run / "report" / "index.html").read_text(encoding="utf-8")


def verdict(run: Path) -> dict[str, Any]:
    """The verdict of a run with one model."""
    verdicts = json.loads((run / "verdicts.json").read_text())
    assert len(verdicts) == 1
    return dict(next(iter(verdicts.values())))


def every_file(folder: Path) -> dict[str, bytes]:
    """Content of all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
