"""Using the sonar: the enemy captain is asked, and play waits for the answer (sonar.answer)."""

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Awaited, Public
from fathom.engine.posts import detectors
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.systems import system_action
from fathom.words import SONAR, Crew, Kind

SONAR_ANSWER = "sonar-answer"
"""What play waits for after a sonar."""


class UseSonar(Order, frozen=True, tag="sonar"):
    """Ask the enemy captain for two facts (sonar.answer)."""


USE_SONAR = UseSonar()


class SonarUsed(Event, frozen=True, tag="sonar-used"):
    """A crew asks the enemy captain."""

    crew: Crew


def sonar_used(public: Public, event: SonarUsed, ground: CompiledSetup) -> Public:
    public = stop_play(public, event, ground)
    return replace(public, awaited=Awaited(SONAR_ANSWER, event.crew.other))


ACTIONS = (
    system_action(
        SONAR,
        Kind.GREEN,
        order=UseSonar,
        posts=detectors,
        choices=only(USE_SONAR),
        otherwise=lambda now, order: "",
        happens=lambda now, order: [SonarUsed(now.crew)],
        playing=90,
        tried=lambda now: USE_SONAR,
        begins_with=SonarUsed,
    ),
)

EVENTS = (
    EventRules(
        event=SonarUsed,
        heard=EVERYONE,
        own=activation(SONAR),
        public=sonar_used,
        awaits=True,
        lines=(line("{crew} uses sonar"),),
    ),
)
