"""Linear answerers: one over answer classes, one over options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from perimetry.models.baselines.item import Example, Item, normal
from perimetry.models.baselines.pictures import Picture
from perimetry.models.baselines.tokens import hashed, option_tokens, question_tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["ClassAnswerer", "OptionAnswerer"]

CLASS_COLUMNS, CORNER_COLUMNS, OPTION_COLUMNS = 2**14, 2**12, 2**16

CLASSES = 300
"""Answer classes that are kept, the commonest ones: open questions have a long tail of answers given once."""

DENSE_WEIGHT = 0.05
PENALTY = 1.0
REGULARISATION = 10.0


def _class_rows(items: Sequence[Item], pictures: Sequence[Picture] | None) -> csr_matrix:
    """Words of the question; beside them, where pictures count, corner tokens and the dense features."""
    from scipy.sparse import csr_matrix, hstack

    text = hashed((question_tokens(item) for item in items), CLASS_COLUMNS)
    if pictures is None:
        return text
    corners = hashed((picture.tokens for picture in pictures), CORNER_COLUMNS)
    dense = csr_matrix(np.stack([picture.dense for picture in pictures]) * DENSE_WEIGHT)
    return hstack([text, corners, dense], format="csr")


class ClassAnswerer:
    """Chooses one of the training split's answers (ridge regression on class indicators, solved in its dual).

    Where a question lists its possible answers, only those are in the running. The dual costs the cube of the number
    of examples whatever the number of answers, and open questions have hundreds of answers.

    Parameters
    ----------
    examples : sequence of Example
        At least one.
    pictures : sequence of Picture or None
        One an example; None leaves images out altogether.
    """

    def __init__(self, examples: Sequence[Example], pictures: Sequence[Picture] | None) -> None:
        from sklearn.linear_model import Ridge

        answers = [normal(example.answer) for example in examples]
        common = sorted(Counter(answers).items(), key=lambda pair: (-pair[1], pair[0]))[:CLASSES]
        self.classes: list[str] = sorted(answer for answer, _ in common)
        self._model: Any = None
        if len(self.classes) > 1:
            matrix = _class_rows([example.item for example in examples], pictures)
            place = {answer: number for number, answer in enumerate(self.classes)}
            targets = np.zeros((len(examples), len(self.classes)))
            for row, answer in enumerate(answers):
                if answer in place:
                    targets[row, place[answer]] = 1.0
            # No intercept: every row has its answer type as a token, which serves as one.
            self._model = Ridge(alpha=PENALTY, solver="cholesky", fit_intercept=False)
            self._model.fit(matrix, targets)

    def answer(self, items: Sequence[Item], pictures: Sequence[Picture] | None) -> list[str]:
        """The best class of each item, normalised; a listed answer where answers are listed."""
        if self._model is None:
            scores = np.zeros((len(items), 1))
        else:
            scores = np.asarray(self._model.predict(_class_rows(items, pictures)))
        return [self._best(item, row) for item, row in zip(items, scores, strict=True)]

    def _best(self, item: Item, row: Any) -> str:
        if item.options:
            listed = {normal(text or label) for label, text in item.options}
            among = [number for number, answer in enumerate(self.classes) if answer in listed]
            if among:
                return self.classes[max(among, key=lambda number: (row[number], -number))]
            return normal(item.options[0][1] or item.options[0][0])
        return self.classes[int(np.argmax(row))]


class OptionAnswerer:
    """Scores every option of a question (logistic regression: is it the key?) and takes the best.

    Parameters
    ----------
    examples : sequence of Example
        Multiple-choice questions with their options.
    pictures : sequence of Picture or None
        One an example; None leaves images out altogether.
    """

    def __init__(self, examples: Sequence[Example], pictures: Sequence[Picture] | None) -> None:
        from sklearn.linear_model import LogisticRegression

        rows: list[list[str]] = []
        keys: list[bool] = []
        for number, example in enumerate(examples):
            seen = () if pictures is None else pictures[number].tokens
            for index, (label, _) in enumerate(example.item.options):
                rows.append(option_tokens(example.item, index, seen))
                keys.append(label == example.answer.strip())
        self._model: Any = None
        if len(set(keys)) == 2:
            self._model = LogisticRegression(
                C=REGULARISATION, tol=1e-3, class_weight="balanced", solver="liblinear", random_state=0
            )
            self._model.fit(hashed(rows, OPTION_COLUMNS), keys)

    def answer(self, items: Sequence[Item], pictures: Sequence[Picture] | None) -> list[str]:
        """The label of the best option of each item; ties go to the first."""
        rows: list[list[str]] = []
        for number, item in enumerate(items):
            seen = () if pictures is None else pictures[number].tokens
            rows += [option_tokens(item, index, seen) for index in range(len(item.options))]
        if self._model is None or not rows:
            return [item.options[0][0] for item in items]
        scores = np.asarray(self._model.decision_function(hashed(rows, OPTION_COLUMNS)))
        labels, start = [], 0
        for item in items:
            labels.append(item.options[int(np.argmax(scores[start : start + len(item.options)]))][0])
            start += len(item.options)
        return labels
