"""What everyone knows, after an announcement. It depends on nothing else, so it can't leak."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from fathom.engine.events import (
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    FirstDrawn,
    GameEnded,
    MineTriggered,
    OldMineDestroyed,
    OldMineDetonated,
    PlayBegan,
    PlayResumed,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.engine.game import Awaited, Public, Result, Stop, Turn
from fathom.engine.ground import Ground
from fathom.engine.heard import Announcement, MineLaidHeard, SilenceHeard

LAST_VOLCANO_EVENT: Final = 3


def first_drawn(public: Public, event: FirstDrawn, ground: Ground) -> Public:
    return replace(public, first=event.crew)


def dived(public: Public, event: Dived, ground: Ground) -> Public:
    return replace(
        public,
        dived=public.dived.put(event.crew, True),
        surfaced=public.surfaced.put(event.crew, False),
    )


def play_began(public: Public, event: PlayBegan, ground: Ground) -> Public:
    return replace(public, phase="playing", turn=Turn(event.first) if event.first else None)


def course_set(public: Public, event: CourseSet, ground: Ground) -> Public:
    turn = public.turn
    if turn is None:
        return public
    return replace(public, turn=Turn(turn.crew, turn.left, sailed=True, announced=True))


def activated(public: Public, event: Announcement, ground: Ground) -> Public:
    """An activation stops play in real time, until nothing more is awaited (system.stop)."""
    return replace(public, stop=Stop(event.crew)) if ground.real_time else public  # type: ignore[union-attr]


def activated_with_marks(
    public: Public, event: SilenceHeard | SystemFailed, ground: Ground
) -> Public:
    """The same, but the stop lasts until the crew has made its marks."""
    if not ground.real_time:
        return public
    return replace(public, stop=Stop(event.crew, marks=ground.book.acknowledge))


def weapon_used(public: Public, event: TorpedoFired | MineLaidHeard, ground: Ground) -> Public:
    """A weapon also wakes the volcanoes (scenario.volcanoes)."""
    public = activated(public, event, ground)
    if not ground.volcano_gauge or public.volcano_events == LAST_VOLCANO_EVENT:
        return public
    marks = public.volcano_marks
    return replace(public, volcano_marks=marks.put(event.crew, marks[event.crew] + 1))


def mine_triggered(public: Public, event: MineTriggered, ground: Ground) -> Public:
    public = activated(public, event, ground)
    turn = public.turn
    if turn is None or turn.crew is not event.crew:
        return public
    return replace(public, turn=replace(turn, announced=True))


def sonar_used(public: Public, event: SonarUsed, ground: Ground) -> Public:
    public = activated(public, event, ground)
    return replace(public, awaited=Awaited("sonar-answer", event.crew.other))


def system_repaired(public: Public, event: SystemRepaired, ground: Ground) -> Public:
    public = activated(public, event, ground)
    service = public.in_service[event.crew] | event.system.bit
    return replace(public, in_service=public.in_service.put(event.crew, service))


def exploded(public: Public, event: Exploded, ground: Ground) -> Public:
    was, new = public.damage, event.damage
    public = replace(public, damage=type(was)(was.a + new.a, was.b + new.b))
    if event.source != "old-mine":
        return public
    return replace(public, old_mines=public.old_mines & ~(1 << event.at))


def old_mine_destroyed(public: Public, event: OldMineDestroyed, ground: Ground) -> Public:
    return replace(public, old_mines=public.old_mines & ~(1 << event.at))


def damaged(public: Public, event: Damaged, ground: Ground) -> Public:
    damage = public.damage[event.crew] + event.amount
    return replace(public, damage=public.damage.put(event.crew, damage))


def answered(public: Public, event: SonarAnswered, ground: Ground) -> Public:
    return replace(public, awaited=None)


def surfaced(public: Public, event: Surfaced, ground: Ground) -> Public:
    """Only the family game's surfacing in real time stops play, and it dives at once."""
    if ground.pace.surfacing == "signal":
        return replace(public, stop=Stop(event.crew))
    if ground.pace.surfacing == "pass":
        return public
    afloat = public.surfaced.put(event.crew, True)
    dives = public.dived.put(event.crew, not ground.tracing)
    return replace(public, surfaced=afloat, dived=dives)


def volcano_stirred(public: Public, event: VolcanoStirred, ground: Ground) -> Public:
    awaited = Awaited("volcano", event.crew) if event.number > 1 else public.awaited
    return replace(
        public,
        volcano_marks=public.volcano_marks.put(event.crew, 0),
        volcano_events=event.number,
        smoke=0,
        awaited=awaited,
    )


def volcano_named(public: Public, event: VolcanoNamed, ground: Ground) -> Public:
    if event.effect == "smoke":
        return replace(public, awaited=None, smoke=event.volcano)
    lava = ground.lava[event.volcano - 1]
    return replace(public, awaited=None, lava=lava, old_mines=public.old_mines & ~lava)


def turn_ended(public: Public, event: TurnEnded, ground: Ground) -> Public:
    turn = Turn(event.next, event.turns - 1)
    if not public.surfaced[event.next]:
        return replace(public, turn=turn)
    return replace(public, turn=turn, surfaced=public.surfaced.put(event.next, False))


def play_resumed(public: Public, event: PlayResumed, ground: Ground) -> Public:
    return replace(public, stop=None)


def game_ended(public: Public, event: GameEnded, ground: Ground) -> Public:
    result = Result(event.winner, event.why)
    return replace(public, phase="over", stop=None, awaited=None, result=result)


PUBLIC: dict[type, Callable[[Public, Any, Ground], Public]] = {
    FirstDrawn: first_drawn,
    Dived: dived,
    PlayBegan: play_began,
    CourseSet: course_set,
    SilenceHeard: activated_with_marks,
    SystemFailed: activated_with_marks,
    MineLaidHeard: weapon_used,
    TorpedoFired: weapon_used,
    MineTriggered: mine_triggered,
    OldMineDetonated: activated,
    DroneLaunched: activated,
    SonarUsed: sonar_used,
    SonarAnswered: answered,
    SystemRepaired: system_repaired,
    Exploded: exploded,
    OldMineDestroyed: old_mine_destroyed,
    Damaged: damaged,
    Surfaced: surfaced,
    VolcanoStirred: volcano_stirred,
    VolcanoNamed: volcano_named,
    TurnEnded: turn_ended,
    PlayResumed: play_resumed,
    GameEnded: game_ended,
}
