"""Language models as generator and verifier, asked through `perimetry.inference`."""

from perimetry.editing.references.asked.generator import ModelGenerator
from perimetry.editing.references.asked.verifier import ModelVerifier, settled

__all__ = ["ModelGenerator", "ModelVerifier", "settled"]
