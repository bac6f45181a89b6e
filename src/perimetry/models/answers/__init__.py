"""Answers that somebody already has: read, checked and looked up."""

from perimetry.models.answers.rows import AnswerRow, answer_rows
from perimetry.models.answers.shelf import AnswerShelf, ShelfReport

__all__ = ["AnswerRow", "AnswerShelf", "ShelfReport", "answer_rows"]
