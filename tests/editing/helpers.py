"""A small data set of reports, and a scripted model that rewrites and verifies."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.models.loopback import Recorded, Reply, answer

REPORT = ("Mild cardiomegaly. The lungs are clear. No pleural effusion or pneumothorax.", "No acute disease.")
GOOD = ("Mildly enlarged heart. The lungs are clear. No pleural effusion or pneumothorax.", "No acute disease.")


def write_reports(folder, reports=(REPORT,)):
    """A folder in ReXrank's layout; gives its spec."""
    folder.mkdir(parents=True, exist_ok=True)
    records = {
        f"R{number}": {
            "section_findings": findings,
            "section_impression": impression,
            "context": "",
            "image_path": [],
            "frontal_lateral": [],
            "key_image_path": "",
        }
        for number, (findings, impression) in enumerate(reports, start=1)
    }
    (folder / "ReXRank_IUXray_test.json").write_text(json.dumps(records), encoding="utf-8")
    return f"iu-xray:{folder}"


def rewritten(findings, impression="No acute disease."):
    return json.dumps({"findings": findings, "impression": impression})


def verdict(consistent=True, valid=True, lacking=False, already=False, **more):
    return json.dumps(
        {
            "reasoning": "so",
            "is_clinically_consistent": consistent,
            "is_valid_perturbation": valid,
            "does_not_contain_required_info": lacking,
            "is_already_in_expected_form": already,
            **more,
        }
    )


def is_verifying(request: Recorded) -> bool:
    return "is_clinically_consistent" in request.text


def scripted(
    proposals: Callable[[int], str | Reply], verdicts: Callable[[int], str | Reply] = lambda _: verdict()
) -> Callable[[Recorded], Reply]:
    """Answers by the number of proposals and of verdicts asked for so far, from 1."""
    counts = {"proposals": 0, "verdicts": 0}

    def script(request: Recorded) -> Reply:
        kind = "verdicts" if is_verifying(request) else "proposals"
        counts[kind] += 1
        said = (verdicts if kind == "verdicts" else proposals)(counts[kind])
        return said if isinstance(said, Reply) else answer(said)

    return script
