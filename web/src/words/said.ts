// What was heard, in words: one short sentence each, with a symbol.

import type { GlyphName } from "../glyphs/drawings";
import { DEGREES } from "../chart/points";
import type { Crew, Facts, Heard, Kind, Setup } from "../wire";
import { m } from "./gen/messages.js";
import { headingName, kindName, postName, systemName } from "./names";
import { spell, spellColumn } from "./letters";

export interface Words {
  readonly text: string;
  readonly crew: Crew | null;
  readonly glyph?: GlyphName;
  readonly turn?: number;
  /** Whether it is about damage. */
  readonly grave?: boolean;
}

/** What sentences are about: names of boats, letters of columns. */
export interface Telling {
  readonly setup: Setup;
  readonly facts: Facts;
  readonly letters: readonly string[];
}

export const boatOf = (setup: Setup, crew: Crew): string => setup.crews[crew === "a" ? 0 : 1].boat;

export const list = (parts: readonly string[]): string => parts.join(", ");

/** The sentence for something heard, or null for what needs no words. */
export function inWords(heard: Heard, { setup, facts, letters }: Telling): Words | null {
  const boat = (crew: Crew): string => boatOf(setup, crew);
  const point = (name: string): string => spell(name, letters);
  switch (heard.event) {
    case "first-drawn":
      return { text: m.said_first_drawn({ boat: boat(heard.crew) }), crew: heard.crew };
    case "dived":
      return { text: m.said_dived(), crew: heard.crew, glyph: "dive" };
    case "play-began":
      return { text: m.said_play_began(), crew: null };
    case "course-set":
      return {
        text: headingName(heard.heading, setup.book),
        crew: heard.crew,
        glyph: "arrow",
        turn: DEGREES[heard.heading],
      };
    case "silence":
      return { text: m.said_silence(), crew: heard.crew, glyph: "silence" };
    case "ran-silent":
      return {
        text: silent(heard.distance, heard.heading, setup),
        crew: heard.crew,
        glyph: "silence",
      };
    case "system-failed":
      return {
        text: m.said_system_failed({ system: systemName(heard.system) }),
        crew: heard.crew,
        glyph: heard.system,
        grave: true,
      };
    case "torpedo-fired":
      return {
        text: m.said_torpedo({ point: point(heard.target) }),
        crew: heard.crew,
        glyph: "torpedo",
      };
    case "mine-laid-somewhere":
      return { text: m.said_mine_laid(), crew: heard.crew, glyph: "mine" };
    case "mine-laid":
      return {
        text: m.said_mine_laid_on({ point: point(heard.at) }),
        crew: heard.crew,
        glyph: "mine",
      };
    case "mine-triggered":
      return {
        text: m.said_mine_triggered({ point: point(heard.at) }),
        crew: heard.crew,
        glyph: "mine",
      };
    case "old-mine-detonated":
      return { text: m.said_old_mine({ point: point(heard.at) }), crew: heard.crew, glyph: "mine" };
    case "exploded":
      return {
        text: explosion(heard, boat, point),
        crew: null,
        glyph: "crack",
        grave: heard.damage[0] + heard.damage[1] > 0,
      };
    case "old-mine-destroyed":
      return {
        text: m.said_old_mine_destroyed({ point: point(heard.at) }),
        crew: null,
        glyph: "mine",
      };
    case "damaged": {
      const values = { boat: boat(heard.crew), amount: heard.amount };
      return {
        text: heard.cause === "ice" ? m.said_ice(values) : m.said_breakdown(values),
        crew: heard.crew,
        glyph: "crack",
        grave: true,
      };
    }
    case "drone-launched":
      return {
        text: droneAnswer(
          heard.answer,
          facts.sea.sectors[heard.sector - 1] ?? String(heard.sector),
        ),
        crew: heard.crew,
        glyph: "drone",
      };
    case "sonar-used":
      return {
        text: setup.book.sonar_answer === "one-true" ? m.said_sonar_plain() : m.said_sonar(),
        crew: heard.crew,
        glyph: "sonar",
      };
    case "sonar-answered":
      return {
        text: capital(m.said_answer({ facts: answer(heard, facts, letters) })),
        crew: heard.crew,
        glyph: "sonar",
      };
    case "surfaced":
      return { text: surfaced(heard, facts, point), crew: heard.crew, glyph: "surface" };
    case "volcano-stirred":
      return {
        text: [m.said_volcano_1, m.said_volcano_2, m.said_volcano_3][heard.number - 1]?.() ?? "",
        crew: heard.crew,
        glyph: "volcano",
      };
    case "volcano-named":
      return {
        text: (heard.effect === "smoke" ? m.said_smoke : m.said_lava)({ volcano: heard.volcano }),
        crew: heard.crew,
        glyph: "volcano",
      };
    case "system-repaired":
      return {
        text: m.said_repaired({ system: systemName(heard.system) }),
        crew: heard.crew,
        glyph: heard.system,
      };
    case "turn-ended":
      return (heard.turns ?? 1) > 1
        ? {
            text: m.said_turns({ boat: boat(heard.next), count: heard.turns ?? 1 }),
            crew: heard.next,
          }
        : null;
    case "play-resumed":
      return { text: m.said_resumed(), crew: null };
    case "game-ended":
      return {
        text: heard.winner ? m.said_won({ boat: boat(heard.winner) }) : m.said_draw(),
        crew: heard.winner,
      };
    default:
      return withinCrew(heard, point, setup);
  }
}

/** What only the crew hears. */
function withinCrew(heard: Heard, point: (name: string) => string, setup: Setup): Words | null {
  switch (heard.event) {
    case "placed":
      return { text: m.said_placed({ point: point(heard.at) }), crew: heard.crew };
    case "gauge-charged":
      return {
        text: heard.system
          ? m.said_charged({ system: systemName(heard.system) })
          : m.said_nothing_to_charge(),
        crew: heard.crew,
        glyph: "first-mate",
      };
    case "system-ready":
      return {
        text: m.said_ready({ system: systemName(heard.system) }),
        crew: heard.crew,
        glyph: heard.system,
      };
    case "symbol-crossed":
      return { text: crossed(heard.symbol, setup), crew: heard.crew, glyph: "engineer" };
    case "circuit-mended":
      return { text: m.said_mended(), crew: heard.crew, glyph: "mend" };
    case "mine-destroyed":
      return {
        text: m.said_mine_destroyed({ point: point(heard.at) }),
        crew: heard.crew,
        glyph: "mine",
      };
    case "section-traced":
      return { text: m.said_traced({ section: heard.section }), crew: heard.crew, glyph: "pen" };
    case "trace-judged":
      return {
        text: heard.bad.length ? m.said_trace_bad() : m.said_trace_good(),
        crew: heard.crew,
        glyph: "pen",
      };
    case "ready-reported":
      return { text: m.said_ready_to_dive(), crew: heard.crew, glyph: "check" };
    case "acknowledged":
      return {
        text: m.said_acknowledged({ post: postName(heard.post) }),
        crew: heard.crew,
        glyph: "check",
      };
    default:
      return null;
  }
}

function silent(
  distance: number,
  heading: "N" | "S" | "E" | "W" | null | undefined,
  setup: Setup,
): string {
  if (!heading || !distance) return m.said_silence_own_zero();
  return m.said_silence_own({ count: distance, heading: headingName(heading, setup.book) });
}

function crossed(symbol: string | null, setup: Setup): string {
  const found = setup.sheet?.symbols.find(({ name }) => name === symbol);
  return found ? m.said_crossed({ kind: kindName(found.kind as Kind) }) : m.said_pretended();
}

function explosion(
  heard: Extract<Heard, { event: "exploded" }>,
  boat: (crew: Crew) => string,
  point: (name: string) => string,
): string {
  const hits = (["a", "b"] as const).flatMap((crew, i) => {
    const hit = heard.hits[i];
    if (hit === "miss" || !hit) return [];
    const said =
      hit === "direct"
        ? m.said_direct({ boat: boat(crew) })
        : m.said_indirect({ boat: boat(crew) });
    const amount = heard.damage[i] ?? 0;
    return [amount ? `${said}. ${m.said_damage({ boat: boat(crew), amount })}` : said];
  });
  return `${m.said_exploded({ point: point(heard.at) })}. ${hits.length ? hits.join(". ") : m.said_miss()}`;
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

function droneAnswer(answer: string, sector: string): string {
  if (answer === "yes") return m.said_drone_yes({ sector });
  return answer === "no" ? m.said_drone_no({ sector }) : m.said_drone_smoke({ sector });
}

/** The facts of a sonar's answer. */
export function answer(
  told: {
    readonly row?: number | null;
    readonly column?: string | null;
    readonly sector?: number | null;
  },
  facts: Facts,
  letters: readonly string[],
): string {
  const parts: string[] = [];
  if (told.column) parts.push(m.said_fact_column({ column: spellColumn(told.column, letters) }));
  if (told.row) parts.push(m.said_fact_row({ row: told.row }));
  if (told.sector)
    parts.push(m.said_fact_sector({ sector: facts.sea.sectors[told.sector - 1] ?? told.sector }));
  return list(parts);
}

function surfaced(
  heard: Extract<Heard, { event: "surfaced" }>,
  facts: Facts,
  point: (name: string) => string,
): string {
  if (heard.at) return m.said_surfaced_point({ point: point(heard.at) });
  if (heard.sector)
    return m.said_surfaced_sector({ sector: facts.sea.sectors[heard.sector - 1] ?? heard.sector });
  return m.said_surfaced();
}
