"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def pytest_configure() -> None:
    """Let Ctrl-C reach the tests that are about it, also where a shell started them in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data (see CONTRIBUTING.md); tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("PERIMETRY_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(
            f"real data not found at {folder}; set PERIMETRY_DATA to the folder that holds vqa_rad/ and mmmu_pro/"
        )
    return folder
