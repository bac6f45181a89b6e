"""The text cache: what goes in comes out, in another process too, and a damaged file costs only time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from perimetry.cases.errors import DataError
from perimetry.scoring.cache import TextCache, text_key

WRITER = """
import sys
from pathlib import Path
from perimetry.scoring.cache import TextCache
cache = TextCache(Path(sys.argv[1]))
number = 0
while True:
    cache.put_many({f"{number}-{k}": b"x" * 100 for k in range(50)})
    print(number, flush=True)
    number += 1
"""


def test_values_survive_closing(tmp_path):
    with TextCache(tmp_path / "deep" / "cache") as cache:
        cache.put("a", b"\x00\xff")
        cache.put_many({"b": b"", "c": b"3"})
        cache.put("a", b"new")
    again = TextCache(tmp_path / "deep" / "cache")
    assert again.get_many(["a", "b", "c", "d", "a"]) == {"a": b"new", "b": b"", "c": b"3"}
    assert again.get("d") is None


def test_nothing_is_made_before_the_first_use(tmp_path):
    TextCache(tmp_path / "cache").close()
    assert not (tmp_path / "cache").exists()


def test_more_keys_than_one_statement_takes(tmp_path):
    cache = TextCache(tmp_path)
    values = {str(n): str(n * n).encode() for n in range(2345)}
    cache.put_many(values)
    assert cache.get_many(values) == values


def test_keys_tell_parts_apart_and_hold_no_text():
    keys = {text_key("m", "w", "ab"), text_key("m", "wa", "b"), text_key("m", "w", "a", "b"), text_key("mw", "ab")}
    assert len(keys) == 4
    assert all(set(key) <= set("0123456789abcdef") for key in keys)


def test_a_damaged_file_is_set_aside(tmp_path):
    (tmp_path / "texts.sqlite").write_bytes(b"this is no database at all, " * 400)
    cache = TextCache(tmp_path)
    assert cache.get("a") is None
    cache.put("a", b"1")
    assert cache.get("a") == b"1"
    assert (tmp_path / "texts.damaged").is_file()


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cache cannot be used"):
        TextCache(tmp_path / "file" / "cache").get("a")


def test_threads_share_one_cache(tmp_path):
    cache = TextCache(tmp_path)

    def work(name: int) -> None:
        for number in range(40):
            cache.put(f"{name}-{number}", str(number).encode())

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache.get_many(f"{name}-{number}" for name in range(4) for number in range(40))) == 160


def test_a_killed_writer_leaves_whole_batches(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    last = [int(process.stdout.readline()) for _ in range(5)][-1]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    cache = TextCache(tmp_path)
    for number in range(last + 1):
        assert len(cache.get_many(f"{number}-{k}" for k in range(50))) == 50
    assert len(cache.get_many(f"{last + 2}-{k}" for k in range(50))) in (0, 50)
