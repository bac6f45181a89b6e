"""What a rationale claims to see, and what is left of it without the image."""

from perimetry.scoring.rationale.claims import RATIONALE_VERSION, Claim, ClaimDetector, claim_words, visual_claims
from perimetry.scoring.rationale.lexicon import Lexicon, default_lexicon, read_lexicon
from perimetry.scoring.rationale.measures import hvrr, nvcr, rcr, word_set
from perimetry.scoring.rationale.sentences import sentences
from perimetry.scoring.rationale.split import split_rationale

__all__ = [
    "RATIONALE_VERSION",
    "Claim",
    "ClaimDetector",
    "Lexicon",
    "claim_words",
    "default_lexicon",
    "hvrr",
    "nvcr",
    "rcr",
    "read_lexicon",
    "sentences",
    "split_rationale",
    "visual_claims",
    "word_set",
]
