"""A section as its sentences with their list marks, headings and the exact gaps between them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from perimetry.editing.references.kept import SECTIONS
from perimetry.editing.references.sentences import (
    ROMAN,
    heading_of,
    parted,
    plain,
    spans,
    stopped,
    together_at,
)

__all__ = ["Layout", "Statement"]

_NUMBER = re.compile(r"(\s*\(?)(\d{1,2}|[a-zA-Z]|[IVX]{1,4})(\s?[.)]\s*)$")
_CLOSED = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence where it stands; all parts hold the exact characters.

    Parameters
    ----------
    gap : str
        What stands before it: blanks, line breaks, lone full stops.
    mark : str
        Number or bullet with the blanks after it.
    heading : str
        Heading with its colon and the blanks or the line break after it.
    body : str
        The rest; empty where a heading stands alone before a list.
    """

    gap: str
    mark: str
    heading: str
    body: str

    @property
    def text(self) -> str:
        """The sentence with mark and heading."""
        return f"{self.mark}{self.heading}{self.body}"

    @property
    def said(self) -> str:
        """The body, runs of blanks made one."""
        return plain(self.body)

    @property
    def title(self) -> str:
        """The heading without its colon."""
        return heading_of(self.heading)

    @property
    def opens(self) -> bool:
        """Whether it begins a line."""
        return "\n" in self.gap

    @property
    def closed(self) -> bool:
        """Whether it ends with a full stop or its like."""
        return self.body.endswith(_CLOSED)


@dataclass(frozen=True, slots=True)
class Layout:
    r"""A section laid out; `text` gives it back byte for byte.

    Parameters
    ----------
    statements : tuple of Statement
    tail : str
        What stands after the last.

    Examples
    --------
    >>> layout = Layout.of("1. Clear lungs.\r\n2. HEART: normal")
    >>> [(each.mark, each.heading, each.body) for each in layout.statements]
    [('1. ', '', 'Clear lungs.'), ('2. ', 'HEART: ', 'normal')]
    >>> layout.text
    '1. Clear lungs.\r\n2. HEART: normal'
    """

    statements: tuple[Statement, ...]
    tail: str

    @classmethod
    def of(cls, text: str) -> Layout:
        """Lay out a section."""
        return _laid_out(text)

    @property
    def text(self) -> str:
        """The section."""
        return "".join(f"{each.gap}{each.text}" for each in self.statements) + self.tail

    @property
    def said(self) -> list[str]:
        """Bodies of the statements, runs of blanks made one."""
        return [each.said for each in self.statements]

    @property
    def titles(self) -> list[str]:
        """The heading that each statement stands under, its own or an earlier one's; empty for none."""
        title = ""
        held = []
        for each in self.statements:
            title = each.title or title
            held.append(title)
        return held

    @property
    def groups(self) -> list[list[int]]:
        r"""Places of sentences that lean on one another; a heading alone before a list is in none.

        Examples
        --------
        >>> Layout.of("LUNGS:\n- Left scar. It is new.\n- Clear. HEART: It is large.").groups
        [[1, 2], [3], [4]]
        """
        said = self.said
        groups = together_at(said, [each.heading for each in self.statements])
        return [group for group in groups if any(said[place] for place in group)]

    def changed(self, bodies: Mapping[int, Sequence[str]]) -> Layout:
        r"""Put other sentences in the place of some: the first keeps mark, heading and gap, none takes the place away.

        Parameters
        ----------
        bodies : mapping of int to sequence of str
            New sentences by place.

        Examples
        --------
        >>> layout = Layout.of("1. LUNGS: Clear.\n2. Old scar.\n3. No effusion.")
        >>> layout.changed({0: ["No nodule."], 1: []}).text
        '1. LUNGS: No nodule.\n2. No effusion.'
        """
        gone = [place for place, new in bodies.items() if not new]
        told = [
            replace(each, body=" ".join(bodies[place]) if bodies.get(place) else each.body)
            for place, each in enumerate(self.statements)
        ]
        return replace(self, statements=tuple(told)).without(gone)

    def without(self, gone: Collection[int], free: Collection[int] = ()) -> Layout:
        r"""Take sentences away: with the last of a line its line goes, with the last under a heading its heading.

        Numbers of a list run on; a sentence that stood behind one that went takes over its mark and heading.

        Parameters
        ----------
        gone : collection of int
            Places of the sentences that go.
        free : collection of int
            Places of sentences that belong under no heading and take over none: advice.

        Examples
        --------
        >>> layout = Layout.of("LUNGS: No nodule. Left scar.\nHEART: Normal.\n1. Rib fracture.\n2. Clear.\n3. Clips.")
        >>> layout.without([0, 2, 4]).text
        'LUNGS: Left scar.\n1. Rib fracture.\n2. Clips.'
        """
        lost = set(gone)
        if not lost:
            return self
        lost |= set(self._idle_headings(lost))
        kept: list[Statement] = []
        left: list[Statement] = []
        for place, each in enumerate(self.statements):
            if place in lost:
                left.append(each)
                continue
            taking = self._taking_over(each, left, first=not kept)
            kept.append(replace(taking, heading=each.heading) if place in free else taking)
            left = []
        return replace(self, statements=tuple(_renumbered(self.statements, kept)))

    def with_added(self, groups: Sequence[str]) -> Layout:
        r"""Go on with further sentences in the section's own form: as items of its list, on lines, or in a row.

        Parameters
        ----------
        groups : sequence of str
            Each becomes an item of its own where there is a list.

        Examples
        --------
        >>> Layout.of("1) Clear lungs\n2) No effusion").with_added(["Stable nodule."]).text
        '1) Clear lungs\n2) No effusion\n3) Stable nodule'
        >>> Layout.of("Clear lungs").with_added(["Stable nodule."]).text
        'Clear lungs. Stable nodule.'
        """
        if not self.statements:
            return Layout.of(" ".join(groups))
        item = self._last_item()
        gap = self._going_on(item)
        unclosed = "\n" in gap and not any(each.closed for each in self.statements)
        told, mark = list(self.statements), item.mark if item else ""
        # A lone full stop at the end stays where it is.
        tail = self.tail if self.tail.strip() and groups else ""
        for text in groups:
            if "\n" not in gap:
                told[-1] = _closed(told[-1])
            mark = _next(mark)
            new = _closed(Statement(f"{tail.rstrip()}{gap}", mark, "", text))
            tail = ""
            told.append(replace(new, body=re.sub(r"\s*\.$", "", text)) if unclosed else new)
        return Layout(tuple(told), "" if self.tail.strip() and groups else self.tail)

    def _last_item(self) -> Statement | None:
        """The last item of a list that the section ends with."""
        for each in reversed(self.statements):
            if each.mark:
                return each
            if each.opens or each.heading:
                return None
        return None

    def _going_on(self, item: Statement | None) -> str:
        """The gap before a further statement."""
        if item is not None:
            newline = "\r\n" if "\r\n" in self.text else "\n"
            return newline if item is self.statements[0] else re.sub(r"\s*[.!?]+", "", item.gap)
        further = self.statements[1:]
        if further and all(each.opens for each in further):
            return further[-1].gap
        in_row = [each.gap for each in further if each.gap and not each.opens and not each.gap.strip()]
        return in_row[-1] if in_row else " "

    def _idle_headings(self, gone: Collection[int]) -> Iterator[int]:
        """Headings that stand alone before a list of which nothing stays."""
        for place, each in enumerate(self.statements):
            if each.body or not each.heading:
                continue
            end = place + 1
            while end < len(self.statements) and not self.statements[end].heading:
                end += 1
            if end > place + 1 and all(under in gone for under in range(place + 1, end)):
                yield place

    def _taking_over(self, each: Statement, left: Sequence[Statement], *, first: bool) -> Statement:
        """A statement that stays, with what it takes over of those before it that went."""
        if not left:
            return each
        gap = left[0].gap if first else max((each.gap, *(other.gap for other in left)), key=lambda gap: gap.count("\n"))
        mark = heading = ""
        for other in (*left, each):
            if other.mark or other.heading:
                mark, heading = other.mark or ("" if other.opens else mark), other.heading
            elif other.opens and "\n" not in heading:
                # A further line is no part of the item or of what a heading on the line before it heads.
                mark = heading = ""
        return replace(each, gap=gap, mark=mark, heading=heading)


# Every rule, the verifier and the writer lay out the same original and its alternatives.
@lru_cache(maxsize=SECTIONS)
def _laid_out(text: str) -> Layout:
    held: list[Statement] = []
    past = 0
    for begin, end in spans(text):
        held.append(Statement(text[past:begin], *parted(text[begin:end])))
        past = end
    return Layout(tuple(held), text[past:])


def _closed(statement: Statement) -> Statement:
    return statement if statement.closed else replace(statement, body=stopped(statement.body))


def _renumbered(before: Sequence[Statement], after: Sequence[Statement]) -> Iterator[Statement]:
    """Let the numbers of lists run on that ran on before."""
    was = [_value(found.group(2)) for each in before if (found := _NUMBER.match(each.mark))]
    regular = all(two in (one + 1, was[0]) for one, two in pairwise(was))
    last = 0
    number = was[0] if was else 1
    for each in after:
        found = _NUMBER.match(each.mark)
        if not found or not regular:
            yield each
            continue
        old = _value(found.group(2))
        number = was[0] if old <= last or not last else number + 1
        last = old
        yield replace(each, mark=f"{found.group(1)}{_spelled(number, found.group(2))}{found.group(3)}")


def _next(mark: str) -> str:
    found = _NUMBER.match(mark)
    if not found:
        return mark
    said = found.group(2)
    return f"{found.group(1)}{_spelled(_value(said) + 1, said)}{found.group(3)}"


def _value(said: str) -> int:
    if said in ROMAN:
        return ROMAN.index(said) + 1
    return int(said) if said.isdigit() else ord(said[0].lower()) - ord("a") + 1


def _spelled(number: int, like: str) -> str:
    """A number in digits, in Roman ones or as a letter, as another is."""
    if like in ROMAN and number <= len(ROMAN):
        return ROMAN[number - 1]
    if like.isdigit():
        return str(number)
    letter = chr(ord("a") + (number - 1) % 26)
    return letter.upper() if like.isupper() else letter
