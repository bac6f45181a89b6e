"""Expert review of edited texts: blinded hand-out, ratings read back, consensus, agreement.

References
----------
"ReRef", sections 2.3 and 4.1: realism and clinical equivalence of rewritten references.

Examples
--------
>>> import tempfile
>>> from pathlib import Path
>>> folder = Path(tempfile.mkdtemp())
>>> pairs = folder / "pairs.csv"
>>> _ = pairs.write_text("case_id,variation,original,alternative" + chr(10) + "1,hedging,may be,could be" + chr(10))
>>> export_review(pairs, folder / "review", raters=["ann", "bob"]).pairs
1
"""

from perimetry.protocols.review.export import export_review, is_review
from perimetry.protocols.review.handed import HandedOut
from perimetry.protocols.review.importing import Imported, import_ratings
from perimetry.protocols.review.next_round import export_next
from perimetry.protocols.review.pairs import Pair, read_pairs
from perimetry.protocols.review.study import ReviewStudy, read_study
from perimetry.protocols.review.summary import ReviewResult, summarise
from perimetry.protocols.review.task import Choice, Task, read_task

__all__ = [
    "Choice",
    "HandedOut",
    "Imported",
    "Pair",
    "ReviewResult",
    "ReviewStudy",
    "Task",
    "export_next",
    "export_review",
    "import_ratings",
    "is_review",
    "read_pairs",
    "read_study",
    "read_task",
    "summarise",
]
