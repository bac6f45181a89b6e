"""What holds for every screen, whatever the item."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.screening.detectors.test_context import HITS as CONTEXT_CASES
from tests.screening.detectors.test_option_form import CASES as OPTION_CASES
from tests.screening.detectors.test_stem import CASES as STEM_CASES

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.item import Choice, Item
from perimetry.screening.registry import chosen_screens

SCREENS = chosen_screens()
SAID = (
    "the a left right distal acute chronic always never only all of the above none both A and B I II Figure 1 2.5 cm"
    " mg % fracture effusion Crohn's disease MRI CT (e.g. SLAP) due to may not except increased decreased 肺炎"
    " <b>bold</b> $x_1$ \\frac diagnosis treatment which is what ? . : because answer explanation Chinese farmer"
    " pregnant smoker ECG ≥ 10-20 \n\n \t"
)
WORDS = SAID.split(" ")
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=40)


# Items on which some screen speaks, so that a property is not one of silence.
SPEAKING = [
    *((stem, options) for _, stem, options, _ in OPTION_CASES),
    *((stem, ("gout", "node", "tear")) for _, stem, _ in STEM_CASES),
    *((stem, ("gout", "node", "tear")) for stem, _ in CONTEXT_CASES),
]


@st.composite
def items(draw):
    """Items of 0 to 10 options: those that screens speak on, with a few texts exchanged or added; any text at all."""
    stem, options = draw(st.sampled_from(SPEAKING) | st.tuples(texts, st.lists(texts, max_size=10)))
    options = [*options, *draw(st.lists(texts, max_size=2))][:10]
    labels = "ABCDEFGHIJ"[: len(options)]
    key = draw(st.sampled_from(labels)) if labels else draw(texts)
    choices = tuple(Choice(label, text) for label, text in zip(labels, options, strict=True))
    return Item(draw(st.uuids()).hex, "mine", "g", stem, "choice" if options else "open", choices, frozenset([key]))


SLOW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(items())
def test_a_finding_of_any_screen_names_options_of_the_item_and_spans_inside_its_texts(item):
    known = DatasetStatistics.of([item])
    texts = {"stem": item.stem, **{option.label: option.text for option in item.options}}
    labels = [option.label for option in item.options]
    for screen in SCREENS:
        if not screen.applies(item):
            continue
        finding = screen.find(item, known)
        assert finding == screen.find(item, known), screen.name
        if finding is None:
            continue
        assert list(finding.options) == [label for label in labels if label in finding.options], screen.name
        assert bool(finding.options) == (screen.unit == "option"), screen.name
        for span in finding.spans:
            assert 0 <= span.start <= span.end <= len(texts[span.field]), screen.name


@SLOW
@given(items())
def test_no_screen_reads_the_key(item):
    if not item.options:
        return
    known = DatasetStatistics.of([item])
    other = replace(item, keys=frozenset([item.options[-1].label]))
    for screen in SCREENS:
        if screen.applies(item):
            assert screen.find(item, known) == screen.find(other, known), screen.name


# These tell how options stand in their order.
OF_ORDER = {"ordered-options"}


@SLOW
@given(items(), st.randoms(use_true_random=False))
def test_the_order_of_options_changes_no_carrier_and_no_span(item, dice):
    shuffled = list(item.options)
    dice.shuffle(shuffled)
    turned = replace(item, options=tuple(shuffled))
    known = DatasetStatistics.of([item])
    for screen in SCREENS:
        if not screen.applies(item) or screen.name in OF_ORDER:
            continue
        one, other = screen.find(item, known), screen.find(turned, known)
        assert (one is None) == (other is None), screen.name
        if one is not None and other is not None:
            assert set(one.options) == set(other.options), screen.name
            assert set(one.spans) == set(other.spans), screen.name
