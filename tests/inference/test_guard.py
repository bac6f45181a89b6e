from __future__ import annotations

import pytest

from perimetry.cases.errors import UsageError
from perimetry.inference import check_data_use


@pytest.mark.parametrize(
    ("use", "local", "allowed"),
    [
        ("open", False, ()), ("restricted", False, ()), ("open", True, ()), ("credentialed", True, ()),
        ("credentialed", False, ("mimic",)), ("credentialed", False, {"other", "mimic"}),
    ],
)  # fmt: skip
def test_what_may_be_asked(use, local, allowed):
    check_data_use("mimic", use, "openai:m", local, allowed)


@pytest.mark.parametrize("allowed", [(), ("other",), ("MIMIC",), ("mimic-cxr",)])
def test_credentialed_cases_do_not_leave_the_machine_unasked(allowed):
    with pytest.raises(UsageError, match=r"mimic is credentialed.*openai:m.*--allow-remote mimic\b"):
        check_data_use("mimic", "credentialed", "openai:m", False, allowed)
