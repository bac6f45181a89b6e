"""Words that a card's profile adds to every prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from perimetry.models.request import Request, TextPart

__all__ = ["PromptAddition"]


@dataclass(frozen=True, slots=True)
class PromptAddition:
    r"""A system text and an instruction; empty adds nothing.

    Examples
    --------
    >>> from perimetry.models.request import Prompt
    >>> request = Request("r", "1", "mine", "real", 0, 0, Prompt((TextPart("Effusion?"),)))
    >>> PromptAddition(instruction="Think first.").to(request).prompt.text
    'Effusion?\nThink first.'
    """

    system: str = ""
    instruction: str = ""

    def to(self, request: Request) -> Request:
        """The request with these words: the system text before its own, the instruction at the very end."""
        if not self.system and not self.instruction:
            return request
        prompt = request.prompt
        system = "\n\n".join(text for text in (self.system, prompt.system) if text)
        parts = prompt.parts
        if self.instruction:
            last = parts[-1] if parts else None
            if isinstance(last, TextPart):
                parts = (*parts[:-1], TextPart(f"{last.text}\n{self.instruction}"))
            else:
                parts = (*parts, TextPart(self.instruction))
        return replace(request, prompt=replace(prompt, system=system, parts=parts))
