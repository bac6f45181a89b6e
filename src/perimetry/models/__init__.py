"""Who is asked: endpoints, models in this process, recorded answers, readers and baselines."""

from perimetry.models.listing import ModelListing, list_models
from perimetry.models.model import BatchModel, EndpointModel, Model
from perimetry.models.prompt import PromptProfile, render_question
from perimetry.models.registry import ModelContext, ModelKind, model_kinds
from perimetry.models.report_prompt import REPORT_PROFILE, ReportProfile, render_study
from perimetry.models.request import (
    Decoding,
    Failure,
    FailureKind,
    ImagePart,
    Material,
    Part,
    Prompt,
    Request,
    Response,
    TextPart,
    Usage,
)
from perimetry.models.spec import resolve_model

__all__ = [
    "REPORT_PROFILE",
    "BatchModel",
    "Decoding",
    "EndpointModel",
    "Failure",
    "FailureKind",
    "ImagePart",
    "Material",
    "Model",
    "ModelContext",
    "ModelKind",
    "ModelListing",
    "Part",
    "Prompt",
    "PromptProfile",
    "ReportProfile",
    "Request",
    "Response",
    "TextPart",
    "Usage",
    "list_models",
    "model_kinds",
    "render_question",
    "render_study",
    "resolve_model",
]
