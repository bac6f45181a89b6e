"""One member of a population: which findings a study shows and which finding its yes/no question asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perimetry.phantoms.dice import Dice
from perimetry.phantoms.radiograph import RadiographSpec, layout
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.vocabulary import COMPANIONS, FINDINGS

__all__ = ["Member", "member"]


@dataclass(frozen=True, slots=True)
class Member:
    """A study before it is dressed as one.

    Attributes
    ----------
    number : int
        From 0.
    main : str
        The finding it is there for; always drawn.
    asked : str
        The finding that its yes/no question asks for.
    spec : RadiographSpec
        Only findings that found room.
    seed : int
        Seed of its picture.
    places : mapping of str to str
        Each finding's place in words.
    absent : tuple of str
        Findings that found no room.
    """

    number: int
    main: str
    asked: str
    spec: RadiographSpec
    seed: int
    places: Mapping[str, str] = field(hash=False)
    absent: tuple[str, ...] = ()

    @property
    def truth(self) -> bool:
        """Whether the asked finding is there."""
        return self.asked in self.places


def member(settings: PopulationSettings, number: int) -> Member:
    """The member with that number; it does not depend on how many there are.

    Numbers come in pairs that ask for the same finding: it is the main finding of the even one and absent from the
    odd one. Thirteen pairs ask for each finding once.
    """
    pair, is_odd = divmod(number, 2)
    block, place_in_block = divmod(pair, len(FINDINGS))
    asked = Dice(settings.seed, "phantom/block", block).shuffled(FINDINGS)[place_in_block]
    dice = Dice(settings.seed, "phantom/member", number)
    seed = dice.raw() >> 1
    main = _other(asked, settings.cooccurrence, dice) if is_odd else asked
    barred = asked if is_odd else ""
    wanted = [main]
    wanted += [
        name for name in dice.shuffled(COMPANIONS[main]) if dice.unit() < settings.cooccurrence and name != barred
    ]
    wanted += [
        name
        for name in dice.shuffled(FINDINGS)
        if dice.unit() < settings.prevalence and name != barred and name not in wanted
    ]
    plan = layout(RadiographSpec(tuple(wanted), settings.overlap), seed)
    drawn = {name: place.words for name, place in plan.places}
    return Member(
        number=number,
        main=main,
        asked=asked,
        spec=RadiographSpec(tuple(drawn), settings.overlap),
        seed=seed,
        places=drawn,
        absent=plan.absent,
    )


def _other(asked: str, cooccurrence: float, dice: Dice) -> str:
    """A main finding for a study that must not show `asked`.

    A companion of `asked` is taken as rarely as companions come alone, so that the absence of a finding says about
    its companions what co-occurrence says.
    """
    while True:
        name = FINDINGS[dice.below(len(FINDINGS))]
        if name != asked and (name not in COMPANIONS[asked] or dice.unit() >= cooccurrence):
            return name
