"""Searching back over a heard route for a history that leads to a point."""

from collections.abc import Callable, Iterator
from typing import Final

from fathom.belief.minefield import Places
from fathom.belief.patience import Patience
from fathom.belief.route import STEPS, Leg, Past, Witness
from fathom.points import Points

Accept = Callable[[Places, int, Points], Witness | None]
"""Given where earlier legs ended, where the last one ends, and this dive's route: a witness, if
the mines fit too."""

FEW: Final = 200
"""So many ways to come to a leg's end are written down, and then only looked through."""


class Search:
    """Goes back from leg to leg, over the silences and surfacings between them."""

    def __init__(
        self, legs: list[Leg], silence: tuple[int, int], patience: Patience, accept: Accept
    ) -> None:
        self.legs, self.silence = legs, silence
        self.patience, self.accept = patience, accept
        self.end = 0

    def find(self, end: int) -> Witness | None:
        """A history that ends here and explains everything."""
        self.end = end
        return self.back(len(self.legs) - 1, end, 0, (), 0)

    def back(
        self, place: int, end: int, later: Points, joints: Places, dive: Points
    ) -> Witness | None:
        """Go on from an end of a leg to all that can have come before it.

        ``later`` is what the route covers afterwards, ``joints`` where the legs from here on ended,
        and ``dive`` the route since the last surfacing, once the search has come so far back.
        """
        pasts = self.pasts(place, end) if joints else None
        if pasts is not None:
            return self.look_through(place, pasts, later, joints, dive)
        self.patience.spend(3)
        leg = self.legs[place]
        covered = leg.points(end) | later
        if leg.joint != "silence":
            return self.back_to_the_surface(place, joints, dive or covered)
        for point, line in self.silences_back(place, end + leg.first, covered):
            if found := self.back(place - 1, point, line, (point, *joints), dive):
                return found
        return None

    def pasts(self, place: int, end: int) -> list[Past] | None:
        """All that this dive can have been before, if that is little; worked out once."""
        leg = self.legs[place]
        if end not in leg.pasts:
            leg.pasts[end] = self.all_pasts(place, end)
        return leg.pasts[end]

    def all_pasts(self, place: int, end: int) -> list[Past] | None:
        """From the pasts of the legs before."""
        self.patience.spend(3)
        leg = self.legs[place]
        body = leg.points(end)
        if leg.joint != "silence":
            return [(body, ())]
        found: list[Past] = []
        for point, line in self.silences_back(place, end + leg.first, body):
            before = self.pasts(place - 1, point)
            if before is None:
                return None
            found += [(way | line, (*ends, point)) for way, ends in before if not way & line]
            if len(found) > FEW:
                return None
        self.patience.spend(len(found) >> 2)
        return found

    def look_through(
        self, place: int, pasts: list[Past], later: Points, joints: Places, dive: Points
    ) -> Witness | None:
        """Try the pasts that cross nothing that is covered later."""
        self.patience.spend(1 + (len(pasts) >> 4))
        for covered, earlier in pasts:
            if not covered & later:
                place -= len(earlier)
                found = self.back_to_the_surface(
                    place, (*earlier, *joints), dive or covered | later
                )
                if found:
                    return found
                place += len(earlier)
        return None

    def back_to_the_surface(self, place: int, joints: Places, dive: Points) -> Witness | None:
        """From a dive's first leg into the dive before, first by the history that is known."""
        leg = self.legs[place]
        if leg.joint == "start":
            return self.accept(joints, self.end, dive)
        before = self.legs[place - 1]
        end = (joints[0] if joints else self.end) + leg.first
        if not before.ends >> end & 1:
            return None
        joints = (end, *joints)
        known = before.closed.get(end)
        if known is not None and (witness := self.accept((*known, *joints), self.end, dive)):
            return witness
        return self.back(place - 1, end, 0, joints, dive)

    def silences_back(
        self, place: int, first: int, covered: Points
    ) -> Iterator[tuple[int, Points]]:
        """From where a silence could lead here, with all that the route covers from then on."""
        least, most = self.silence
        water, before = self.legs[place].water, self.legs[place - 1]
        ends, points = before.ends, before.points
        if least == 0 and ends >> first & 1:
            line = covered & ~(1 << first)
            if not points(first) & line:
                yield first, line
        if not water >> first & 1:
            return
        for step in STEPS:
            at, line = first, covered
            for distance in range(1, most + 1):
                at -= step
                if at < 0 or line >> at & 1:
                    break
                if distance >= least and ends >> at & 1 and not points(at) & line:
                    yield at, line
                if not water >> at & 1:
                    break
                line |= 1 << at
