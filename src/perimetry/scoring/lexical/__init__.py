"""Overlap of words: BLEU and ROUGE-L with named tokenisers.

Examples
--------
>>> from perimetry.scoring.lexical import RougeL
>>> captioning = RougeL(beta=1.2, tokens="space")
>>> captioning.aggregate(captioning.score(["no effusion ."], ["no effusion ."]))
1.0
"""

from perimetry.scoring.lexical.bleu import Bleu, bleu_from_counts
from perimetry.scoring.lexical.ngrams import ngram_counts
from perimetry.scoring.lexical.porter import porter_stem
from perimetry.scoring.lexical.rouge_l import RougeL, common_subsequence
from perimetry.scoring.lexical.tokens import TOKENISERS, splitter

__all__ = [
    "TOKENISERS",
    "Bleu",
    "RougeL",
    "bleu_from_counts",
    "common_subsequence",
    "ngram_counts",
    "porter_stem",
    "splitter",
]
