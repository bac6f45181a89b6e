"""Coarser places: what a part of a lung has is not said of the whole."""

from __future__ import annotations

import pytest

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.rules.outcome import Declined

LOW = "anatomical_granularity:low"


@pytest.mark.parametrize(
    ("text", "coarser"),
    [
        ("Status post resection of left upper lobe.", "Status post resection of left lung."),
        ("Right middle lobe collapse is again seen.", "Right lung collapse is again seen."),
        ("Portion of the right upper lobe is opacified.", "The right lung is opacified."),
        ("Complete collapse of the right lower lobe.", "Complete collapse of the right lung."),
        ("The left upper lobe is absent.", "The left lung is absent."),
        ("The right lower lobe is totally opaque.", "The right lung is totally opaque."),
        ("Right apical thickening with volume loss.", "Right lung thickening with volume loss."),
        ("Opacity in the entire left lower lobe.", "Opacity in the entire left lung."),
        ("Consolidation of the left lower lobe.", "Consolidation of the left lung."),
        ("Improved aeration of the lung bases.", "Improved aeration of the lungs."),
        ("Nodules throughout the right upper lobe.", "Nodules throughout the right lung."),
        ("Mass occupies most of the right upper lobe.", "Mass occupies most of the right lung."),
        ("The left upper lobe is clear.", "The left lung is clear."),
        ("Hyperlucent left upper lobe.", "Hyperlucent left lung."),
        ("Scarring near the right apex.", "Scarring near the right lung."),
        ("Opacities most prominent in the lower lobes.", "Opacities most prominent in the lungs."),
        ("The tip is at the level of the aortic arch.", "The tip is at the level of the aorta."),
        ("Right upper lobe bronchus is narrowed.", "Right lung bronchus is narrowed."),
        ("No nodule in the right upper lobe.", "No nodule in the right lung."),
        ("Right base opacity. No left base opacity.", "Right lung opacity. No left lung opacity."),
        ("Right middle lobe syndrome.", "Right lung syndrome."),
    ],
)
def test_what_the_whole_has_quite_otherwise_stays_with_the_part(text, coarser):
    made = rewrite_by_rules(ReportText(text), LOW)
    assert isinstance(made, Declined)
    assert made.status == "infeasible"
    assert judge(ReportText(text), ReportText(coarser), LOW).outcome == "rejected"


@pytest.mark.parametrize(
    ("text", "coarser"),
    [
        ("Left base atelectasis without effusion.", "Left lung atelectasis without effusion."),
        ("Left base scar, no consolidation.", "Left lung scar, no consolidation."),
        ("No change in the left base opacity.", "No change in the left lung opacity."),
        ("Patchy right lower lung opacification.", "Patchy right lung opacification."),
        ("Consolidation in the left lower lobe.", "Consolidation in the left lung."),
        ("Low lung volumes with right basilar atelectasis.", "Low lung volumes with right lung atelectasis."),
        ("The lungs are hyperinflated. Left base scar.", "The lungs are hyperinflated. Left lung scar."),
        ("The heart is normal with a left base scar.", "The heart is normal with a left lung scar."),
        ("Opacities most notable in the left lower lobe.", "Opacities most notable in the left lung."),
    ],
)
def test_what_a_part_and_the_whole_can_have_is_told_of_the_whole(text, coarser):
    assert rewrite_by_rules(ReportText(text), LOW) == ReportText(coarser)
    assert judge(ReportText(text), ReportText(coarser), LOW).outcome == "accepted"


@pytest.mark.parametrize(
    ("text", "coarser"),
    [
        ("7 mm right upper lobe lung nodule.", "7 mm right lung nodule."),
        ("Right perihilar pulmonary nodule.", "Right lung nodule."),
        ("Small right apical pneumothorax.", "Small right pneumothorax."),
        ("Persistent left basilar effusion.", "Persistent left effusion."),
        ("Pneumothorax in the right apex.", "Pneumothorax on the right."),
        ("Nodule between the third and fourth right anterior ribs.", "Nodule between right ribs."),
        ("Superimposed upon anterior right second rib.", "Superimposed upon a right rib."),
        ("Airspace disease in the superior segment of the left lower lobe.", "Airspace disease in the left lung."),
        ("Right medial basilar opacity.", "Right lung opacity."),
        ("Opacities in the left and right mid lung zones.", "Opacities in the left and right lungs."),
        ("Opacity at the left lung base.", "Opacity in the left lung."),
        ("Nodules in the bilateral upper lobes.", "Nodules in both lungs."),
        ("Opacity in the inferior lingula.", "Opacity in the left lung."),
        ("Opacity in the lingular segment.", "Opacity in the left lung."),
        ("Opacity in the lingular region.", "Opacity in the left lung."),
        ("Opacities in the lingula and left lower lobe.", "Opacities in the left lung."),
        ("Opacities in the left lower lobe/lingula.", "Opacities in the left lung."),
        ("Opacity overlying the lingula.", "Opacity overlying the left lung."),
        ("Aortic arch calcification.", "Aortic calcification."),
        ("Left basilar atelectasis and effusion.", "Left lung atelectasis and effusion."),
        ("Portion of a scar in the right base.", "Portion of a scar in the right lung."),
    ],
)
def test_coarser_places_read_well(text, coarser):
    assert rewrite_by_rules(ReportText(text), LOW) == ReportText(coarser)
    assert judge(ReportText(text), ReportText(coarser), LOW).outcome == "accepted"


@pytest.mark.parametrize(
    "text",
    [
        "Central and basilar opacities.",
        "Bibasilar and left perihilar airspace opacities.",
        "Left perihilar and bibasilar opacities.",
        "Within the posterior 8th rib there is a lucency. In addition within the posterior 9th rib there is a lucency.",
        "Right lateral 8th rib fracture and probable right lateral 7th rib fracture.",
        "2 nodules in the right upper lobe and 1 in the right lower lobe.",
        "Nodule in the right mid lung, probably within the middle lobe.",
        "Right perihilar density consistent with lymphadenopathy.",
        "Apical capping. Left base scar.",
        "Effusion and atelectasis at the left base.",
        "Fractures of the left 8th and left 9th ribs. Left base scar.",
        "Apicoposterior segment left upper lobe mass.",
        "Left lower lobe, superior segment, airspace consolidation.",
        "Nodule in the LUL.",
        "T7 compression fracture.",
        "Apical capping.",
        # Of the pleura, which is not said.
        "Right apical thickening.",
    ],
)
def test_where_two_places_fall_into_one_or_nothing_reads_it_is_infeasible(text):
    made = rewrite_by_rules(ReportText(text), LOW)
    assert isinstance(made, Declined)
    assert made.status == "infeasible"
