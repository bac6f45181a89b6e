"""Which studies of a data set are rewritten."""

from __future__ import annotations

from perimetry.cases import CaseSet, DataError, Study
from perimetry.editing.references.report import no_report

__all__ = ["with_findings"]


def with_findings(case_set: CaseSet) -> tuple[tuple[Study, ...], tuple[str, ...]]:
    """Studies that can be scored by their findings, and what became of the others."""
    found = [case for case in case_set.cases if isinstance(case, Study)]
    if not found:
        raise DataError(f"{case_set.name} has no reports to rewrite: studies with findings were expected.")
    filled = [study for study in found if any(sign.isalpha() for sign in study.sections.get("findings", ""))]
    odd = [study for study in filled if no_report(study.sections["findings"])]
    unsaid = {study.id for study in odd}
    kept = tuple(study for study in filled if study.id not in unsaid)
    if not kept:
        why = f" (first: {odd[0].id}: {no_report(odd[0].sections['findings'])})" if odd else ""
        raise DataError(f"None of the {len(found):,} reports of {case_set.name} has a findings section{why}.")
    lines = case_set.funnel.summary_lines(case_set.name, quoting=case_set.data_use == "open")
    # The notes are about images and views, of which nothing is used here.
    told = list(lines[: len(lines) - len(case_set.funnel.notes)])
    if len(filled) < len(found):
        told.append(f"{len(found) - len(filled):,} of {len(found):,} reports have no findings section: left out.")
    if odd:
        told.append(
            f"{len(odd):,} of {len(found):,} findings sections are no report (first: {odd[0].id}: "
            f"{no_report(odd[0].sections['findings'])}): left out."
        )
    return kept, tuple(told)
