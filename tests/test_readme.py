"""What the README and the docs promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs_and_prints_what_it_says(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "does not use the image"
    rows = re.findall(r"^│ (reader:\w+)", done.stdout, re.MULTILINE)
    assert rows == ["reader:grounded", "reader:blind"], "one row a model"
    assert (tmp_path / "runs" / "first" / "report" / "index.html").is_file()


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{path.name}" for path in (REPOSITORY / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(page):
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert ((REPOSITORY / page).parent / target).exists(), f"{page}: {target}"


def test_the_commands_of_the_readme_are_those_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)`?", README)) <= targets


def options_of(command: tuple[str, ...]) -> set[str]:
    """Options that a command's help shows."""
    done = subprocess.run(
        [sys.executable, "-m", "perimetry.cli", *command, "--help"], capture_output=True, text=True, check=True
    )
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", done.stdout))


def examples() -> list[tuple[tuple[str, ...], set[str]]]:
    """Commands that the README shows, and the options each is given."""
    found = []
    for block in re.findall(r"```\n(.*?)```", README, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = line.split("#")[0].split()
            if words[:1] == ["perimetry"]:
                command = tuple(words[1 : 3 if words[1] in ("audit", "build", "review") else 2])
                found.append((command, {word for word in words if word.startswith("--")}))
    return found


def test_every_option_the_readme_names_exists():
    shown = {command: options_of(command) for command in {command for command, _ in examples()}}
    for command, given in examples():
        assert given <= shown[command], command
    others = [("report",), ("compare",), ("demo",), ("datasets",), ("models",), ("metrics",)]
    known = set().union(*shown.values(), *(options_of(command) for command in others))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known
