"""What the occlusion audit must find for each reader: noise at full strength on disjoint boxes.

The occluder is written here from the audit's definition, apart from the audit's own code.
"""

from dataclasses import replace

import numpy as np
import pytest

from perimetry.cases.image import Image
from perimetry.cases.study import Box
from perimetry.models.readers import build_reader
from perimetry.models.readers.seeing import Contextual, Grounded
from perimetry.models.request import ImagePart, Prompt, Request
from perimetry.phantoms import FINDINGS, population
from perimetry.scoring.labels import CHEXBERT_ORDER, RuleLabeller

LABELLER = RuleLabeller()


class Held:
    """An image source that holds its pixels."""

    def __init__(self, pixels, digest):
        self.pixels, self.digest, self.name = pixels, digest, digest
        self.shape = pixels.shape[:2]

    def read(self):
        return self.pixels

    def encoded(self):
        return None


def noise_like(pixels, key):
    """Gaussian noise with mean and deviation of the pixels between the 1st and 99th percentile."""
    draw = np.random.Generator(np.random.Philox(key=key))
    low, high = np.percentile(pixels, [1, 99])
    middle = pixels[(pixels >= low) & (pixels <= high)]
    return np.clip(np.rint(draw.normal(middle.mean(), middle.std(), pixels.shape)), 0, 255).astype(np.uint8)


def covered(pixels, noise, boxes):
    """The picture with the noise instead of its own pixels inside the boxes."""
    out = pixels.copy()
    for box in boxes:
        rows = slice(int(box.y), int(box.y + box.height))
        columns = slice(int(box.x), int(box.x + box.width))
        out[rows, columns] = noise[rows, columns]
    return out


def meet(one, other):
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def elsewhere(study, sizes, key, side=256):
    """The paper's control: up to as many boxes, of sizes of the data set, that meet none of the study's."""
    draw = np.random.Generator(np.random.Philox(key=10**6 + key))
    wanted = int(draw.integers(1, len(study.boxes) + 1))
    found: list[Box] = []
    for _ in range(300):
        if len(found) == wanted:
            break
        width, height = sizes[int(draw.integers(len(sizes)))]
        x, y = float(draw.integers(0, side - width + 1)), float(draw.integers(0, side - height + 1))
        box = replace(study.boxes[0], x=x, y=y, width=width, height=height)
        if not any(meet(box, other) for other in study.boxes):
            found.append(box)
    return found


def stated(report):
    """The findings that the rule labeller reads from a report."""
    codes = zip(CHEXBERT_ORDER, LABELLER.read(report).codes, strict=True)
    return {name for name, code in codes if code == 1 and name != "No Finding"}


def read(readers, pixels, key):
    """Findings that each reader's report states."""
    image = Image(Held(pixels, key))
    asked = Request(key, key, "phantom", "", 0, 0, Prompt((ImagePart(image),), answer_type="report"))
    return {name: stated(next(iter(reader.answer([asked]))).text) for name, reader in readers.items()}


@pytest.fixture(scope="module")
def trials():
    """One row a study, class and condition: what each reader states of the class."""
    people = population(n=150, cooccurrence=0.8, seed=2718)
    sizes = [(box.width, box.height) for study in people.studies for box in study.boxes]
    grounded, contextual = Grounded("grounded", 0), Contextual("contextual", 0)
    # Both look with the same detectors: let the second use what the first has seen.
    contextual._eyes = grounded._eyes
    readers = {"grounded": grounded, "contextual": contextual}
    watched = {"grounded": grounded, "naive": build_reader("naive", 0)}
    rows, false = [], []
    for number, study in enumerate(people.studies):
        pixels = study.images[0].pixels()
        noise = noise_like(pixels, number)
        real = read(readers, pixels, f"{number}-real")
        control = elsewhere(study, sizes, number)
        ro = read(readers, covered(pixels, noise, control), f"{number}-ro") if control else None
        for name in FINDINGS if ro is not None else ():
            own = [box for box in study.boxes if name in box.classes]
            others = [box for box in study.boxes if name not in box.classes]
            if not own:
                continue
            oco = read(readers, covered(pixels, noise, own), f"{number}-oco-{name}")
            doco = read(readers, covered(pixels, noise, others), f"{number}-doco-{name}") if others else None
            rows.append((name, {"real": real, "ro": ro, "oco": oco, "doco": doco}))
        if number % 2:
            continue
        # The boxes of another study laid on this one: what is then said that is in neither place?
        other = people.studies[(number + 7) % len(people.studies)]
        laid = [box for box in other.boxes if not any(meet(box, own) for own in study.boxes)]
        clean = read(watched, pixels, f"{number}-real")
        spoiled = read(watched, covered(pixels, noise, laid), f"{number}-laid")
        absent = {name for box in laid for name in box.classes if not study.labels[name]}
        false += [(name, clean, spoiled) for name in absent]
    return rows, false


def mu_f1(rows, reader, condition):
    """F1 by class on the class's own studies, weighted by their number."""
    total = 0.0
    weight = 0
    for name in FINDINGS:
        hits = [name in seen[condition][reader] for own, seen in rows if own == name]
        if hits:
            total += len(hits) * 2 * sum(hits) / (sum(hits) + len(hits))
            weight += len(hits)
    return total / weight


def deltas(rows, reader):
    both = [row for row in rows if row[1]["doco"] is not None]
    assert len(rows) > 250
    assert len(both) > 200
    return (
        mu_f1(rows, reader, "ro") - mu_f1(rows, reader, "oco"),
        mu_f1(both, reader, "ro") - mu_f1(both, reader, "doco"),
    )


def test_grounded_needs_the_finding_and_nothing_else(trials):
    rows, _ = trials
    own, company = deltas(rows, "grounded")
    assert own > 0.6
    assert abs(company) < 0.05
    assert abs(mu_f1(rows, "grounded", "ro") - mu_f1(rows, "grounded", "real")) < 0.05


def test_contextual_needs_the_company_and_nothing_else(trials):
    own, company = deltas(trials[0], "contextual")
    assert abs(own) < 0.05
    assert company > 0.6


def test_noise_makes_naive_state_what_is_not_there(trials):
    _, false = trials
    assert len(false) > 40

    def rates(reader):
        return (
            np.mean([name in clean[reader] for name, clean, _ in false]),
            np.mean([name in spoiled[reader] for name, _, spoiled in false]),
        )

    before, after = rates("naive")
    assert before < 0.05
    assert after - before > 0.3
    before, after = rates("grounded")
    assert after - before < 0.05
