"""What may not be pressed now, and why: by trying every order there is."""

from collections.abc import Iterable

from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Game, new_game
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import why_not
from fathom.words import HEADINGS, SYSTEMS, Heading, Mode, Post, Seat, System
from tests.engine.duels import NumberedGame, holds_in_duels
from tests.engine.every_order import every_order
from tests.engine.tables import seats
from tests.stories import OPEN_SEA, A, B, Story, refusal, sea, table

USES: dict[System, tuple[type[AnyOrder], ...]] = {
    System.MINE: (give.LayMine,),
    System.TORPEDO: (give.FireTorpedo,),
    System.DRONE: (give.LaunchDrone,),
    System.SONAR: (give.UseSonar,),
    System.SILENCE: (give.RunSilent,),
    System.SCENARIO: (give.DetonateOldMine, give.RepairSystem),
}


def pressed(game: Game, seat: Seat, orders: Iterable[AnyOrder]) -> dict[str, list[AnyOrder]]:
    """For each thing that the seat could press in this game, the orders that it could mean."""
    ground = game.ground
    may = ground.orders_of[seat.crew][seat.number]
    found: dict[str, list[AnyOrder]] = {}
    for order in orders:
        key = key_of(order, ground, game, seat)
        if key and type(order) in may:
            found.setdefault(key, []).append(order)
    return found


def key_of(order: AnyOrder, ground: CompiledSetup, game: Game, seat: Seat) -> str:
    """What is pressed for such an order; nothing for what this game does not have."""
    match order:
        case give.SetCourse(heading):
            return f"course {heading.value}"
        case give.Surface():
            return "surface"
        case give.EndTurn():
            return "" if ground.real_time else "end-turn"
        case give.Dive():
            afloat = game.boats[seat.crew].trace is not None
            return "dive" if afloat or game.public.phase == "placing" else ""
        case give.Charge(system) if system is not None:
            return f"charge {system.value}" if ground.boxes[system.index] else ""
        case give.TriggerMine():
            return "trigger" if ground.systems & System.MINE.bit else ""
        case _:
            return use_of(order, ground)


def use_of(order: AnyOrder, ground: CompiledSetup) -> str:
    """The system that the order uses, if the game has it."""
    system = next((s for s, kinds in USES.items() if isinstance(order, kinds)), None)
    return system.value if system and ground.systems & system.bit else ""


@holds_in_duels(length=60, few=25, many=4)
def test_the_rule_is_the_one_that_refuses_and_what_is_accepted_is_not_named(
    duel: NumberedGame,
) -> None:
    orders = every_order(duel.setup)
    steps = list(duel.steps())
    for game in [step.before for step in steps[::7]] + [step.after for step in steps[-1:]]:
        for seat in seats(duel.setup):
            check(game, seat, orders)


def check(game: Game, seat: Seat, orders: Iterable[AnyOrder]) -> None:
    found = why_not(game, seat)
    if game.public.result is not None:
        assert found == {}
        return
    keys = pressed(game, seat, orders)
    assert found.keys() <= keys.keys()
    for key, meant in keys.items():
        rules = [refusal(game, seat, order) for order in meant]
        if "" in rules:
            assert key not in found, (key, found[key])
        else:
            assert found.get(key) in rules, (key, found.get(key), set(rules))


# What it says


def rules(story: Story, post: Post = Post.CAPTAIN) -> dict[str, str]:
    return why_not(story.game, story.seat(A, post))


def test_each_way_has_its_own_reason() -> None:
    chart = sea("""
        . . . . .
        . # . . .
        . . . . .
        . . . . .""")
    story = Story(table(chart=chart), "A1", "E4")
    assert rules(story) == {
        "course N": "move.edge",
        "course W": "move.edge",
        "end-turn": "turn.order",
        **dict.fromkeys(("mine", "torpedo", "drone", "sonar", "silence"), "turn.order"),
        "trigger": "mine.trigger",
        **dict.fromkeys((f"charge {s.value}" for s in SYSTEMS[:5]), "charge.one"),
    }


def test_an_island_and_ones_own_route_are_told_apart() -> None:
    chart = sea("""
        . . . . .
        . # . . .
        . . . . .
        . . . . .""")
    story = Story(table(chart=chart, mode=Mode.REAL_TIME), "A1", "E4")
    story.order(A, give.SetCourse(Heading.S))
    story.aye(A)
    found = rules(story)
    assert {heading.value: found.get(f"course {heading.value}") for heading in HEADINGS} == {
        "N": "move.no-crossing",
        "E": "move.islands",
        "S": None,
        "W": "move.edge",
    }


def test_nobodys_turn_but_the_enemys() -> None:
    story = Story(table(), "A1", "E4")
    found = why_not(story.game, story.seat(B, Post.CAPTAIN))
    assert {rule for key, rule in found.items() if not key.startswith(("charge", "trigger"))} == {
        "turn.yours"
    }
    assert found["trigger"] == "mine.trigger"


def test_before_the_start_is_marked_nothing_can_be_pressed() -> None:
    game = new_game(table())
    found = why_not(game, Seat(A, 0))
    assert set(found.values()) == {"start.place"}
    assert "dive" in found


def test_each_post_is_told_of_its_own() -> None:
    game = Story(table(players=8), "A1", "E4").game
    keys = [set(why_not(game, Seat(A, number))) for number in range(4)]
    assert keys[0] >= {"course N", "end-turn", "torpedo", "trigger"}
    assert not any(key.startswith("charge") for key in keys[0])
    assert keys[1] >= {"drone", "sonar", "charge torpedo"}
    assert not keys[1] & {"course N", "torpedo", "surface"}
    assert keys[2] == keys[3] == set()


def test_a_system_is_not_charged_or_broken_or_has_no_target() -> None:
    story = Story(table(mode=Mode.REAL_TIME, chart=sea(OPEN_SEA)), "A1", "J10")
    story.order(A, give.SetCourse(Heading.E))
    story.aye(A)
    assert rules(story)["mine"] == "system.charged"
    story.ready(A, System.MINE)
    assert "mine" not in rules(story)
    # W1 is a red symbol: it breaks mines and torpedoes.
    story.cross_out(A, "W1")
    assert rules(story)["mine"] == "system.intact"
    story.put(A, "A1", route="A3 B3 B2 B1 A2")
    assert rules(story)["mine"] == "mine.lay"


def test_gauges_are_full_or_wait_for_a_course() -> None:
    story = Story(table(mode=Mode.REAL_TIME, players=8), "A1", "J10")
    story.ready(A, System.TORPEDO)
    assert set(rules(story, Post.FIRST_MATE).values()) >= {"charge.one"}
    story.order(A, give.SetCourse(Heading.E))
    found = rules(story, Post.FIRST_MATE)
    assert {key: rule for key, rule in found.items() if key.startswith("charge")} == {
        "charge torpedo": "charge.full"
    }
    story.order(A, give.Charge(System.DRONE))
    assert rules(story, Post.FIRST_MATE)["charge drone"] == "charge.one"


def test_mines_that_lie_too_fresh_are_not_armed() -> None:
    story = Story(table("captain-sonar-ru", Mode.REAL_TIME, chart=sea(OPEN_SEA)), "A1", "J10")
    assert rules(story)["trigger"] == "mine.trigger"
    story.mine(A, "C3")
    assert "trigger" not in rules(story)
    story.change(A, helm={"unarmed": story.boat(A).helm.mines})
    assert rules(story)["trigger"] == "mine.armed"


def test_when_the_game_is_over_nothing_is_pressed() -> None:
    story = Story(table(), "A1", "J10")
    story.order(B, give.Resign())
    assert why_not(story.game, Seat(A, 0)) == {}
