"""Rules rewrite batch by batch, in this process or in several: in order, and few ahead of the one that is written."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from perimetry.cases.errors import DataError
from perimetry.cases.study import Study
from perimetry.editing.references.accounting import RuleVerifier
from perimetry.editing.references.alternative import Alternative
from perimetry.editing.references.english import InEnglish
from perimetry.editing.references.making import make_alternatives
from perimetry.editing.references.rules import RuleGenerator
from perimetry.editing.references.taxonomy import Target

__all__ = ["batches_by_rules"]

_AHEAD = 2
"""Batches a process that are made before they are asked for."""


def batches_by_rules(
    studies: Sequence[Study], wanted: Sequence[tuple[Target, ...]], *, seed: int, size: int, workers: int
) -> Generator[tuple[Alternative, ...], None, None]:
    """Alternatives by rules, batch by batch; the same whatever the number of processes.

    Parameters
    ----------
    studies : sequence of Study
        With findings; ids are distinct.
    wanted : sequence of tuple of Target
    seed : int
    size : int
        Studies a batch.
    workers : int
        Processes, at most; 1 is this one, several are started anew (a script that calls this then needs
        ``if __name__ == "__main__":``).

    Raises
    ------
    DataError
        When a process was ended from outside.
    """
    batches = [studies[place : place + size] for place in range(0, len(studies), size)]
    if workers == 1 or len(batches) < 2:
        for batch in batches:
            yield _made(batch, wanted, seed)
        return
    pool = ProcessPoolExecutor(
        min(workers, len(batches)), mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    try:
        ahead: deque[Future[tuple[Alternative, ...]]] = deque()
        for batch in batches:
            ahead.append(pool.submit(_made, tuple(map(_bare, batch)), tuple(wanted), seed))
            if len(ahead) > _AHEAD * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    except BrokenProcessPool as error:
        raise DataError(
            "A process that rewrites was ended from outside, perhaps for want of memory; nothing was written. Give the "
            "same command with fewer --workers."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _bare(study: Study) -> Study:
    """What rewriting reads of a study: images would be sent along for nothing."""
    return Study(study.id, study.dataset, study.group, sections=study.sections)


def _made(studies: Sequence[Study], wanted: Sequence[tuple[Target, ...]], seed: int) -> tuple[Alternative, ...]:
    return make_alternatives(studies, wanted, InEnglish(RuleGenerator(seed)), [RuleVerifier()], rounds=1)


def _begin() -> None:
    """Leave Ctrl-C, which reaches every process of a group, to the parent; and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
