"""Ctrl-C and SIGTERM: the first one ends a run in good order, the second one at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["graceful_interrupt"]


@contextmanager
def graceful_interrupt(on_first: Callable[[], None], on_second: Callable[[], None]) -> Iterator[None]:
    """Turn the first Ctrl-C into a call of `on_first`; a second one calls `on_second` and raises `KeyboardInterrupt`.

    The call is there because the exception can be lost: raised while a finaliser or another handler runs, Python
    reports it and goes on.

    The same goes for SIGTERM where the program lets it raise `KeyboardInterrupt`, as the command line does. Does
    nothing outside the main thread, where signals cannot be caught, and leaves a handler that somebody installed on
    purpose alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is signal.default_int_handler]
    came = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            on_second()
            signal.default_int_handler(number, frame)
        came = True
        on_first()

    for one in ours:
        signal.signal(one, handle)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.default_int_handler)
