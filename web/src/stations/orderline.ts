// The one sentence that says what to do, and a softer second one.

import { HEADINGS, sectorOf } from "../chart/points";
import { link } from "../link.svelte";
import { touch } from "../page.svelte";
import type { Post } from "../wire";
import { m } from "../words";
import { trouble } from "../words/errors";
import { headingName, panelName, postName, span, systemName } from "../words/names";
import { isRule } from "../words/refusals";
import type { Bridge } from "./bridge.svelte";
import { works } from "./readiness";

export interface OrderLine {
  readonly title: string;
  readonly sub?: string;
  readonly lit: boolean;
  readonly state?: "refused" | "offline";
  /** The rule to look up. */
  readonly rule?: string;
  /** It asks before what can't be undone: the second line says what that does. */
  readonly asks?: boolean;
  /** Somebody is gone: what the second line says of it, and what counts down beside it. */
  readonly gone?: readonly [what: string, then: string];
}

/** What the holder of these posts should do now; if somebody is gone, the softer line says so. */
export function orderLine(bridge: Bridge, posts: readonly Post[], now = Date.now()): OrderLine {
  const line = toDo(bridge, posts);
  if (line.state) return line;
  const lost = bridge.absent.find(({ bot }) => !bot) ?? (line.lit ? undefined : bridge.absent[0]);
  return lost ? { ...line, gone: bridge.absence(lost, now) } : line;
}

function toDo(bridge: Bridge, posts: readonly Post[]): OrderLine {
  if (link.state !== "open") return offline();
  if (bridge.refusal) return refused(bridge.refusal.rule);
  const { view, us } = bridge.duel;
  if (view.public.result) return over(bridge);
  if (!bridge.duel.seat) return watching(bridge);
  if (view.public.phase === "placing") return placing(bridge, posts);
  if (view.public.awaited) return awaited(bridge, posts);
  if (view.trace) return tracing(bridge);
  const marks = marking(bridge, posts);
  if (marks) return marks;
  if (posts.includes("engineer") && bridge.duel.offer.judging)
    return { title: m.line_judge({ boat: bridge.theirs }), sub: m.judge_note(), lit: true };
  if (view.public.stop) return { title: m.line_stop(), sub: m.line_stop_sub(), lit: false };
  if (posts.includes("captain")) return captain(bridge);
  if (posts.includes("first-mate") && (works(bridge, "drone") || works(bridge, "sonar")))
    return { title: m.line_mate_may(), sub: m.line_mate_may_sub(), lit: true };
  if (posts.includes("radio-operator")) return radio(bridge);
  return waiting(bridge, us);
}

function offline(): OrderLine {
  const at = link.heardAt ? new Date(link.heardAt).toLocaleTimeString() : "";
  return {
    title: m.line_offline(),
    sub: at ? m.line_offline_sub({ at }) : m.line_offline_first(),
    lit: false,
    state: "offline",
  };
}

function refused(rule: string): OrderLine {
  const line = {
    title: m.line_refused(),
    sub: trouble(rule),
    lit: false,
    state: "refused" as const,
  };
  return isRule(rule) ? { ...line, rule } : line;
}

function over(bridge: Bridge): OrderLine {
  const winner = bridge.duel.view.public.result?.winner;
  if (!winner) return { title: m.line_draw(), lit: false };
  return { title: m.line_won({ boat: bridge.boat(winner) }), lit: winner === bridge.duel.us };
}

function watching(bridge: Bridge): OrderLine {
  const { turn, phase, dived } = bridge.duel.view.public;
  if (phase === "placing") {
    const waited = (["a", "b"] as const).filter((crew) => !bridge.of(dived, crew));
    const boat = waited.map((crew) => bridge.boat(crew)).join(", ");
    return { title: m.line_wait_dive({ boat }), sub: m.line_wait_dive_sub(), lit: false };
  }
  const title = turn ? m.said_turn({ boat: bridge.boat(turn.crew) }) : m.line_watching();
  const { settings } = bridge.table.state ?? {};
  const sub =
    settings?.watching === "everything"
      ? m.line_watching_late({ delay: span(settings.watch_delay) })
      : m.line_watching_sub();
  return { title, sub, lit: false };
}

function placing(bridge: Bridge, posts: readonly Post[]): OrderLine {
  const { public: table, helm } = bridge.duel.view;
  if (bridge.of(table.dived))
    return {
      title: m.line_wait_dive({ boat: bridge.theirs }),
      sub: m.line_wait_dive_sub(),
      lit: false,
    };
  if (!posts.includes("captain"))
    return { title: m.line_captain_places(), sub: m.line_captain_places_sub(), lit: false };
  if (!helm?.at) return { title: m.line_place(), sub: m.line_place_sub(), lit: true };
  return {
    title: m.line_dive(),
    sub: (bridge.choices.may("place") ? m.line_dive_sub : m.line_dive_given)({
      point: bridge.spell(helm.at),
    }),
    lit: true,
  };
}

function awaited(bridge: Bridge, posts: readonly Post[]): OrderLine {
  const due = bridge.duel.view.public.awaited!;
  const mine = due.crew === bridge.duel.us && posts.includes("captain");
  const boat = bridge.boat(due.crew);
  if (due.what === "volcano")
    return mine
      ? { title: m.line_volcano(), lit: true }
      : { title: m.line_wait_volcano({ boat }), lit: false };
  if (!mine)
    return { title: m.line_wait_answer({ boat }), sub: m.line_wait_answer_sub(), lit: false };
  const truly = bridge.choices.may("answer-truly");
  return {
    title: m.line_answer({ boat: bridge.theirs }),
    sub: truly ? m.line_answer_true_sub() : m.line_answer_sub(),
    lit: true,
  };
}

function tracing(bridge: Bridge): OrderLine {
  const { trace } = bridge.duel.view;
  const { offer, choices } = bridge.duel.seat
    ? { offer: bridge.duel.offer, choices: bridge.choices }
    : { offer: {}, choices: bridge.choices };
  if (choices.may("dive"))
    return { title: m.line_dive_again(), sub: m.line_dive_again_sub(), lit: true };
  if (choices.may("ready")) return { title: m.line_report_ready(), lit: true };
  if (offer.sections?.length)
    return { title: m.line_trace(), sub: m.line_trace_sub({ boat: bridge.theirs }), lit: true };
  if (trace?.good)
    return trace.ready
      ? { title: m.line_wait_captain_dive(), sub: bridge.holder("captain"), lit: false }
      : { title: m.line_wait_ready(), sub: bridge.holder("engineer"), lit: false };
  const judged = bridge.duel.setup.house.trace_judge === "enemy-engineer";
  const section = (trace?.sections.findIndex((one) => !one) ?? 0) + 1;
  if (!section)
    return {
      title: judged ? m.line_wait_judge({ boat: bridge.theirs }) : m.line_wait_trace(),
      sub: m.line_wait_trace_sub(),
      lit: false,
    };
  const name = bridge.of(bridge.duel.setup.crews).seats[trace?.holder ?? 0]?.name ?? "";
  return {
    title: m.line_wait_section({ name, section }),
    sub: m.line_wait_trace_sub(),
    lit: false,
  };
}

/** What first mate and engineer owe; null if these posts owe nothing. */
function marking(bridge: Bridge, posts: readonly Post[]): OrderLine | null {
  const { choices } = bridge;
  const { duty } = bridge.duel.view;
  const charge = posts.includes("first-mate") && choices.may("charge");
  const cross = posts.includes("engineer") && choices.may("cross-out");
  if (charge && cross)
    return { title: m.line_both_marks(), sub: m.line_both_marks_sub(), lit: true };
  if (charge)
    return choices.all("charge").some(({ system }) => system)
      ? { title: m.line_charge(), sub: m.line_charge_sub(), lit: true }
      : { title: m.line_nothing_to_charge(), lit: true };
  if (!cross) return null;
  const due = duty?.cross;
  if (due === "empty") return { title: m.line_pretend(), sub: m.line_pretend_sub(), lit: true };
  if (due === "radiation")
    return { title: m.line_cross_radiation(), sub: m.line_cross_sub(), lit: true };
  const heading = HEADINGS.find((known) => known === due);
  const title = heading ? m.line_cross({ panel: panelName(heading) }) : m.line_cross_any();
  return { title, sub: m.line_cross_sub(), lit: true };
}

function captain(bridge: Bridge): OrderLine {
  const { aim, choices } = bridge;
  if (aim) return aiming(bridge);
  if (bridge.surfacing) return surfacing(bridge);
  const ready = bridge.duel.facts.systems.filter((system) => works(bridge, system)).map(systemName);
  const sub = ready.length ? m.line_ready({ systems: ready.join(", ") }) : "";
  const steer = choices.may("course");
  if (steer && ready.length) return { title: m.line_course_or_system(), sub, lit: true };
  if (steer) {
    const how = touch.current ? m.line_course_tap() : m.line_course_sub();
    return { title: m.line_course(), sub: how, lit: true };
  }
  if (choices.may("surface") && !choices.may("end-turn") && !ready.length) return blackout(bridge);
  if (ready.length && choices.may("end-turn"))
    return { title: m.line_system_or_end(), sub, lit: true };
  if (ready.length) return { title: m.line_system(), sub, lit: true };
  if (choices.may("end-turn"))
    return { title: m.line_end_turn(), sub: m.line_end_turn_sub(), lit: true };
  if (choices.may("resume")) return { title: m.line_resume(), lit: true };
  return waiting(bridge, bridge.duel.us);
}

/** What surfacing would tell them, and what it does. */
function surfacing(bridge: Bridge): OrderLine {
  const { setup, view } = bridge.duel;
  const { surfacing_tells, surfacing_turns } = setup.book;
  const at = view.helm?.at ?? "";
  const sector = bridge.sea.sectors[sectorOf(at, bridge.sea.across) - 1] ?? "";
  const where = surfacing_tells === "point" ? bridge.spell(at) : m.sector({ sector });
  const sub = !setup.sheet
    ? m.line_surface_quick()
    : bridge.realTime
      ? m.line_surface_trace()
      : m.line_surface_turns({ count: surfacing_turns });
  return { title: m.line_surface({ where }), sub, lit: true, asks: true };
}

function blackout(bridge: Bridge): OrderLine {
  const at = bridge.duel.view.helm?.at;
  return {
    title: m.line_blackout(),
    sub: at ? m.line_blackout_sub({ point: bridge.spell(at) }) : "",
    lit: true,
  };
}

function aiming({ aim, letters, duel }: Bridge): OrderLine {
  void letters;
  const lit = true;
  switch (aim!.what) {
    case "torpedo":
      return { title: m.line_aim_torpedo(), sub: m.line_aim_torpedo_sub(), lit };
    case "mine":
      return { title: m.line_aim_mine(), sub: m.line_aim_mine_sub(), lit };
    case "trigger":
      return { title: m.line_aim_trigger(), sub: m.line_aim_trigger_sub(), lit };
    case "old-mine":
      return { title: m.line_aim_old_mine(), lit };
    case "silence":
      return {
        title: m.line_aim_silence(),
        sub: m.line_aim_silence_sub({ boat: duel.setup.crews[duel.us === "a" ? 1 : 0].boat }),
        lit,
      };
    case "drone":
      return { title: m.line_aim_drone(), sub: m.line_aim_drone_sub(), lit };
    case "repair":
      return { title: m.line_aim_repair(), lit };
    case "place":
      return { title: m.line_place(), sub: m.line_place_sub(), lit };
  }
}

function radio(bridge: Bridge): OrderLine {
  const { view, heat, setup } = bridge.duel;
  if (view.radio?.locked)
    return { title: m.line_radio_locked(), sub: m.line_radio_locked_sub(), lit: false };
  const boat = bridge.theirs;
  if (setup.house.radio_help === "computer" && heat) {
    const count = Object.keys(heat.them).length;
    return {
      title: m.line_radio_points({ boat, count }),
      sub: m.line_radio_points_sub(),
      lit: false,
    };
  }
  if (setup.house.radio_help === "tape")
    return { title: m.line_radio_tape(), sub: m.line_radio_tape_sub(), lit: true };
  const last = bridge.duel.log.findLast(
    ({ heard }) => heard.event === "course-set" && heard.crew === bridge.duel.them,
  );
  if (last?.heard.event === "course-set" && bridge.justHeard(last))
    return {
      title: m.line_radio_draw({ course: headingName(last.heard.heading, setup.book) }),
      lit: true,
    };
  return { title: m.line_radio_listen({ boat }), sub: m.line_radio_listen_sub(), lit: true };
}

function waiting(bridge: Bridge, us: "a" | "b"): OrderLine {
  const { public: table, duty } = bridge.duel.view;
  if (table.turn && table.turn.crew !== us) {
    const title = bridge.of(table.surfaced)
      ? m.line_wait_surfaced({ count: (table.turn.left ?? 0) + 1 })
      : m.said_turn({ boat: bridge.theirs });
    const sub = bridge.choices.may("trigger")
      ? m.line_wait_enemy_trigger()
      : m.line_wait_enemy_sub();
    return { title, sub, lit: false };
  }
  if (duty && duty.charge !== "none")
    return {
      title: m.line_wait_mark({ post: postName("first-mate") }),
      sub: bridge.holder("first-mate"),
      lit: false,
    };
  if (duty && duty.cross !== "none")
    return {
      title: m.line_wait_mark({ post: postName("engineer") }),
      sub: bridge.holder("engineer"),
      lit: false,
    };
  return { title: m.line_wait_captain(), sub: bridge.holder("captain"), lit: false };
}
