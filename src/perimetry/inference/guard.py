"""The data-use guard: credentialed cases do not leave this machine unless the user says so by name."""

from __future__ import annotations

from collections.abc import Collection

from perimetry.cases.dataset import DataUse
from perimetry.cases.errors import UsageError

__all__ = ["check_data_use"]


def check_data_use(
    dataset: str, data_use: DataUse, model_name: str, model_is_local: bool, allow_remote: Collection[str] = ()
) -> None:
    """Refuse to send cases where their terms do not let them go.

    To be called for every pair of data set and model, judges and rewriters included, before anything is asked.

    Parameters
    ----------
    dataset : str
    data_use : {"open", "restricted", "credentialed"}
    model_name : str
    model_is_local : bool
        `Model.is_local`.
    allow_remote : collection of str, default ()
        Data sets that the user named with ``--allow-remote``.

    Raises
    ------
    UsageError
        For credentialed data and a model elsewhere.

    Examples
    --------
    >>> check_data_use("vqa_rad", "open", "openai:m@https://example.org/v1", False)
    >>> check_data_use("mimic", "credentialed", "hf:model", True)
    """
    if data_use != "credentialed" or model_is_local or dataset in allow_remote:
        return
    raise UsageError(
        f"{dataset} is credentialed: its cases may not be sent to {model_name}, which is not on this machine. Serve "
        f"the model on this machine, or, if your data-use agreement covers that endpoint, add --allow-remote {dataset}."
    )
