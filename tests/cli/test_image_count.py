"""Progress of a long look at images."""

import time

from perimetry.cli.image_count import ImageCount


def test_rate_and_time_left_are_told_now_and_then(capsys, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    told = ImageCount()
    for done in range(1, 13):
        clock[0] += 1.0
        told(done, 20)
    clock[0] += 6.0
    told(1, 2)  # another data set begins
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "images: 5 of 20 looked at, 1.0/s, 15 s left",
        "images: 10 of 20 looked at, 1.0/s, 10 s left",
    ]
