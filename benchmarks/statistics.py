"""Speed and memory of the bootstrap, beside the loops that others run.

Each case runs in a process of its own, first ours, then the peers on the same data with the same number of resamples
or, where that would take minutes, with fewer and scaled up in proportion (said in the output).

    python -m benchmarks.statistics            # all cases
    python -m benchmarks.statistics f1         # one of them
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above

RESAMPLES = 10_000


def seconds(act: Callable[[], object], runs: int = 1) -> float:
    """Best wall time of some runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return min(taken)


def measured(act: Callable[[], object], runs: int = 1) -> float:
    """Run ours: print its best wall time, its mean processor time and the peak memory."""
    busy = time.process_time()
    taken = seconds(act, runs)
    busy = (time.process_time() - busy) / runs
    line("perimetry", taken, taken, f"{busy:.2f} s of processor time, peak {peak_megabytes():.0f} MB in all")
    return taken


def line(name: str, taken: float, own: float, remark: str = "") -> None:
    print(f"  {name:<44}{taken:10.2f} s   {taken / own:8.1f} x   {remark}")


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def numpy_loop(statistics: np.ndarray, resamples: int) -> None:
    rng = np.random.default_rng(42)
    items = statistics.shape[0]
    drawn = np.empty((resamples, statistics.shape[1]))
    for b in range(resamples):
        drawn[b] = statistics[rng.integers(0, items, items)].mean(axis=0)
    np.quantile(drawn, [0.025, 0.975], axis=0)


def scipy_loop(statistics: np.ndarray, pairs: int, resamples: int) -> None:
    from scipy.stats import bootstrap

    def gap(left: np.ndarray, right: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray(left.mean(axis=axis) - right.mean(axis=axis))

    for k in range(pairs):
        bootstrap(
            (statistics[:, k], statistics[:, pairs + k]),
            gap,
            paired=True,
            n_resamples=resamples,
            batch=100,
            method="percentile",
            rng=np.random.default_rng(42),
        )


def paired() -> None:
    """3,000 items x 9 metrics x 2 systems: nine paired differences."""
    from perimetry.statistics import Resampling, difference, pooled, ratio

    statistics = np.random.default_rng(0).random((3000, 18))
    names = [f"item{k:05d}" for k in range(3000)]

    def ours() -> None:
        plan = Resampling.from_groups(names, resamples=RESAMPLES)
        sums = plan.resample(np.column_stack([statistics, np.ones(3000)]))
        for k in range(9):
            sums.estimate(pooled(difference(ratio(0, 2), ratio(1, 2))), columns=[k, 9 + k, 18])

    own = measured(ours, runs=3)
    line(
        "numpy loop over resamples, all columns at once",
        seconds(lambda: numpy_loop(statistics, RESAMPLES), runs=3),
        own,
    )
    one = seconds(lambda: scipy_loop(statistics[:, [0, 9]], 1, RESAMPLES), runs=3)
    line("scipy.stats.bootstrap, one metric at a time", 9 * one, own, "one of 9 metrics, scaled")


def f1() -> None:
    """Micro and macro F1 over 14 classes on 3,000 reports."""
    from sklearn.metrics import f1_score

    from perimetry.statistics import Resampling, f1_macro, f1_micro, pooled

    rng = np.random.default_rng(0)
    truth, stated = rng.random((3000, 14)) < 0.2, rng.random((3000, 14)) < 0.2
    names = [f"report{k:05d}" for k in range(3000)]

    def ours() -> None:
        plan = Resampling.from_groups(names, resamples=RESAMPLES)
        sums = plan.resample(np.concatenate([truth & stated, ~truth & stated, truth & ~stated], axis=1))
        sums.estimate(pooled(f1_micro(14)))
        sums.estimate(pooled(f1_macro(14, empty=0.0)))

    def loop(resamples: int) -> None:
        for _ in range(resamples):
            rows = rng.integers(0, 3000, 3000)
            for average in ("micro", "macro"):
                f1_score(truth[rows], stated[rows], average=average, zero_division=0)

    own = measured(ours, runs=3)
    line(
        "loop of scikit-learn's f1_score",
        seconds(lambda: loop(100), runs=3) * RESAMPLES / 100,
        own,
        "100 resamples, scaled",
    )


def large() -> None:
    """100,000 items x 18 columns."""
    from perimetry.statistics import Resampling

    statistics = np.random.default_rng(0).random((100_000, 18))
    names = [f"item{k:06d}" for k in range(100_000)]

    def ours() -> None:
        Resampling.from_groups(names, resamples=RESAMPLES).resample(statistics)

    own = measured(ours)
    taken = seconds(lambda: numpy_loop(statistics, 100)) * RESAMPLES / 100
    line("numpy loop over resamples, all columns at once", taken, own, "100 resamples, scaled")


CASES: dict[str, Callable[[], None]] = {"paired": paired, "f1": f1, "large": large}


def main(wanted: list[str]) -> None:
    """Run the cases named, all by default, each in a process of its own."""
    if wanted[:1] == ["--here"]:
        CASES[wanted[1]]()
        return
    print(f"numpy {np.__version__}, {os.cpu_count()} cores at load {os.getloadavg()[0]:.1f}")
    print(f"{RESAMPLES:,} resamples; best of 3 runs, of the large case one")
    for name in wanted or list(CASES):
        print(f"{name}: {CASES[name].__doc__}", flush=True)
        subprocess.run([sys.executable, "-m", "benchmarks.statistics", "--here", name], check=True, cwd=ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
