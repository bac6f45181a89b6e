"""The same run in Inspect AI, for `benchmarks.engine`; runs in an environment of its own.

Usage: python inspect_side.py URL IMAGES REQUESTS CONCURRENCY file|shuffle LOGS

Prints one line of JSON. Inspect is given its best case: no scorer, no display, no images in the log.
"""

from __future__ import annotations

import base64
import io
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

# Run by its path, this folder would hide the standard library's `statistics` from everybody.
sys.path[0] = str(Path(__file__).resolve().parents[1])


def main() -> None:
    url, images, requests, concurrency, mode, logs = sys.argv[1:]
    os.environ["INSPECT_EVAL_NO_LOG_REALTIME"] = "1"
    import numpy as np
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, get_model
    from inspect_ai.solver import generate, solver
    from PIL import Image

    files = sorted(Path(images).glob("*.png"))

    def shuffled(path: Path, seed: int) -> str:
        pixels = np.asarray(Image.open(path))
        order = np.random.default_rng(seed).permutation(pixels.size)
        buffer = io.BytesIO()
        Image.fromarray(pixels.ravel()[order].reshape(pixels.shape)).save(buffer, format="PNG")
        return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()

    def render() -> Any:
        async def solve(state: Any, _: Any) -> Any:
            text, path = state.input_text, files[int(state.sample_id) % len(files)]
            image = shuffled(path, int(state.sample_id))
            state.messages = [ChatMessageUser(content=[ContentImage(image=image), ContentText(text=text)])]
            return state

        return solve

    samples = []
    for index in range(int(requests)):
        text = f"Question {index}: is there an effusion? Answer yes or no."
        path = files[index % len(files)]
        content = [ContentImage(image=str(path)), ContentText(text=text)]
        message: Any = [ChatMessageUser(content=content)] if mode == "file" else text
        samples.append(Sample(id=index, input=message, target="yes"))
    solvers = [generate()] if mode == "file" else [solver(render)(), generate()]
    model = get_model("openai-api/loopback/loopback", base_url=url, api_key="none")
    task = Task(dataset=MemoryDataset(samples), solver=solvers)
    began, spent = time.perf_counter(), time.process_time()
    (log,) = eval(
        task, model=model, display="none", log_dir=logs, log_images=False, max_connections=int(concurrency),
        max_samples=int(concurrency), log_level="error", max_tokens=2048, temperature=0,
    )  # fmt: skip
    seconds = time.perf_counter() - began
    done = sum(1 for sample in log.samples or [] if sample.output.completion == "yes")
    print(
        json.dumps(
            {
                "answered": done,
                "seconds": seconds,
                "cpu": time.process_time() - spent,
                "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
