"""Speed of report metrics beside the packages that others use, on the same reports in the same run.

Each case runs in a process of its own on one core; figures are pairs of reports per second of processor time, from
texts to values of every report. Ours keeps nothing between calls; the peers' caches are emptied before each run.

    python -m benchmarks.metrics               # all cases
    python -m benchmarks.metrics rouge bleu    # some of them
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above

from perimetry.scoring.lexical import Bleu, RougeL  # noqa: E402
from perimetry.scoring.report_metric import ReportMetric  # noqa: E402

PAIRS = 3000
RESAMPLES = 10_000
RUNS = 3
Texts = list[str]


def made_reports(seed: int = 0) -> tuple[Texts, Texts]:
    """Hypotheses and references of about 56 tokens, no two alike; words as unevenly frequent as in prose."""
    draw = random.Random(seed)
    syllables = [c + v + e for c in "bcdflmnprst" for v in "aeiou" for e in ("", "n", "r", "s", "t")]
    endings = ("", "", "", "s", "ed", "ing", "al", "ation", "y", "ness")
    words = sorted({"".join(draw.choices(syllables, k=draw.randint(1, 3))) + draw.choice(endings) for _ in range(2000)})
    draw.shuffle(words)
    weights = [1 / (rank + 3) for rank in range(len(words))]

    def sentence() -> str:
        return " ".join([*draw.choices(words, weights, k=draw.randint(4, 10)), "."])

    references = [[sentence() for _ in range(7)] for _ in range(PAIRS)]
    hypotheses = [
        draw.sample([sentence() if draw.random() < 0.5 else kept for kept in reference], k=len(reference))
        for reference in references
    ]
    return [" ".join(report) for report in hypotheses], [" ".join(report) for report in references]


def seconds(act: Callable[[], object], runs: int = RUNS, clock: Callable[[], float] = time.process_time) -> float:
    """Best time of some runs, in processor seconds unless told otherwise."""
    taken = []
    for _ in range(runs):
        start = clock()
        act()
        taken.append(clock() - start)
    return min(taken)


def ours(metric: ReportMetric, hypotheses: Texts, references: Texts) -> float:
    """Measure a metric; pairs per second."""
    speed = len(references) / seconds(lambda: metric.score(hypotheses, references))
    print(f"  {'perimetry ' + metric.info.signature:<60}{speed:10,.0f} pairs/s")
    return speed


def peer(name: str, act: Callable[[], object], pairs: int, own: float) -> None:
    """Measure a peer on `pairs` pairs, and print how many times as fast ours is."""
    speed = pairs / seconds(act)
    print(f"  {name:<60}{speed:10,.0f} pairs/s   ours {own / speed:6.1f} x")


def installed(name: str) -> Any:
    """Import a module of a peer, or print that it is not there and give None."""
    try:
        return import_module(name)
    except ImportError:
        print(f"  {name:<60}{'not installed':>18}")
        return None


def each(act: Callable[..., object], rows: Sequence[tuple[object, ...]]) -> None:
    """Call a function with every row's values."""
    for row in rows:
        act(*row)


def rouge_peers(hypotheses: Texts, references: Texts, own: dict[bool, float]) -> None:
    module = installed("rouge_score.rouge_scorer")
    some = [*zip(references, hypotheses, strict=True)][:1000]
    for stem, speed in own.items() if module else ():
        score = module.RougeScorer(["rougeL"], use_stemmer=stem).score
        name = f"rouge-score, {'with' if stem else 'without'} stemming"
        peer(name, partial(each, score, some), len(some), speed)


def bleu_peers(hypotheses: Texts, references: Texts, whitespace: float, thirteen_a: float) -> None:
    if sacrebleu := installed("sacrebleu.metrics"):
        corpus, sentence = (sacrebleu.BLEU(tokenize="13a", effective_order=flag, force=True) for flag in (False, True))
        rows = [(ours, [theirs]) for ours, theirs in zip(hypotheses, references, strict=True)]
        caches = [
            import_module("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a.__call__,
            import_module("sacrebleu.tokenizers.tokenizer_re").TokenizerRegexp.__call__,
        ]

        def emptied(act: Callable[[], object]) -> None:
            for cache in caches:
                cache.cache_clear()
            act()

        whole = partial(emptied, partial(corpus.corpus_score, hypotheses, [references]))
        peer("sacrebleu, 13a, corpus value alone", whole, len(rows), thirteen_a)
        single = partial(emptied, partial(each, sentence.sentence_score, rows))
        peer("sacrebleu, 13a, values of reports alone", single, len(rows), thirteen_a)
    if nltk := installed("nltk.translate.bleu_score"):
        weights = [(1 / order,) * order for order in (1, 2, 3, 4)]
        peer(
            "nltk, whitespace, corpus values of all orders",
            lambda: nltk.corpus_bleu([[r.split()] for r in references], [h.split() for h in hypotheses], weights),
            len(references),
            whitespace,
        )


def rouge() -> None:
    """ROUGE-L of 3,000 made pairs of about 56 tokens."""
    hypotheses, references = made_reports()
    own = {
        False: ours(RougeL(), hypotheses, references),
        True: ours(RougeL(stem=True), hypotheses, references),
    }
    ours(RougeL(1.2, tokens="space"), hypotheses, references)
    rouge_peers(hypotheses, references, own)


def bleu() -> None:
    """BLEU of the same: counts of all orders, values of reports and of the corpus."""
    hypotheses, references = made_reports()
    whitespace = ours(Bleu(), hypotheses, references)
    thirteen_a = ours(Bleu(tokens="13a"), hypotheses, references)
    bleu_peers(hypotheses, references, whitespace, thirteen_a)


def real() -> None:
    """382 real references and a language model's reports, eight times over (sacrebleu's cache spares it repeats)."""
    import json

    file = Path(os.environ.get("PERIMETRY_DATA", ROOT.parent / "shared" / "data")) / "iu_generated" / "reports.jsonl"
    if not file.is_file():
        print(f"  no reports at {file}; set PERIMETRY_DATA to the folder that holds iu_generated/")
        return
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] * 8
    hypotheses, references = [row["llm_sft_beam3"] for row in rows], [row["reference"] for row in rows]
    own = {stem: ours(RougeL(stem=stem), hypotheses, references) for stem in (False, True)}
    rouge_peers(hypotheses, references, own)
    own_bleu = ours(Bleu(), hypotheses, references)
    bleu_peers(hypotheses, references, own_bleu, ours(Bleu(tokens="13a"), hypotheses, references))


def paired() -> None:
    """Differences of two systems in nine metrics on 3,000 reports, after scoring: 10,000 resamples."""
    from perimetry.statistics import Rate, Resampling, difference, pooled

    metrics: list[ReportMetric] = [
        *(Bleu(order) for order in (1, 2, 3, 4)),
        *(Bleu(2, "13a"), Bleu(4, "13a")),
        *(RougeL(), RougeL(stem=True), RougeL(1.2, tokens="space")),
    ]
    left, references = made_reports()
    right = [" ".join(report.split()[:40]) for report in left]
    tables = [(metric.score(left, references), metric.score(right, references)) for metric in metrics]

    def part(rate: Rate, start: int, stop: int) -> Rate:
        return lambda sums: rate(sums[..., start:stop])

    def compare() -> None:
        plan = Resampling.from_groups([f"report{row:05d}" for row in range(PAIRS)], resamples=RESAMPLES)
        sums = plan.resample(np.column_stack([table.statistics for table in chain.from_iterable(tables)]))
        first = 0
        for metric, (one, _) in zip(metrics, tables, strict=True):
            width = len(one.columns)
            gap = difference(part(metric.rate, 0, width), part(metric.rate, width, 2 * width))
            sums.estimate(pooled(gap), columns=[*range(first, first + 2 * width)])
            first += 2 * width

    wall = seconds(compare, clock=time.perf_counter)
    busy = seconds(compare)
    name = "perimetry, nine differences with intervals"
    print(f"  {name:<60}{wall:10.2f} s of wall time, {busy:.2f} s of processor time")


CASES: dict[str, Callable[[], None]] = {"rouge": rouge, "bleu": bleu, "real": real, "paired": paired}


def main(wanted: list[str]) -> None:
    """Run the cases named, all by default, each in a process of its own."""
    if wanted[:1] == ["--here"]:
        CASES[wanted[1]]()
        return
    unknown = [name for name in wanted if name not in CASES]
    if unknown:
        sys.exit(f"There is no case called {unknown[0]!r}. Known: {', '.join(CASES)}.")
    print(f"numpy {np.__version__}, {os.cpu_count()} cores at load {os.getloadavg()[0]:.1f}; best of {RUNS} runs")
    for name in wanted or list(CASES):
        print(f"{name}: {CASES[name].__doc__}", flush=True)
        subprocess.run([sys.executable, "-m", "benchmarks.metrics", "--here", name], check=True, cwd=ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
