// What was heard, in words: one short sentence each, with a symbol.

import type { GlyphName } from "../glyphs/drawings";
import { DEGREES } from "../chart/points";
import type { Crew, Facts, Heard, Kind, Setup } from "../wire";
import { m } from "./gen/messages.js";
import { headingName, kindName, postName, systemName } from "./names";
import { spell, spellColumn } from "./letters";

export interface Words {
  /** What was said, without who said it. */
  readonly text: string;
  /** The same with who said it: "Petrel: West". */
  readonly line: string;
  readonly crew: Crew | null;
  readonly glyph?: GlyphName;
  readonly turn?: number;
  /** Whether it is about damage. */
  readonly grave?: boolean;
}

/** What sentences are about: names of boats, letters of columns, and whose ears hear them. */
export interface Telling {
  readonly setup: Setup;
  readonly facts: Facts;
  readonly letters: readonly string[];
  /** The crew that reads it; none for spectators and records. */
  readonly us?: Crew | null;
}

/** A sentence before it is known who reads it; one that names its boat itself has no speaker. */
interface Sentence extends Omit<Words, "line"> {
  readonly named?: boolean;
}

export const boatOf = (setup: Setup, crew: Crew): string => setup.crews[crew === "a" ? 0 : 1].boat;

export const list = (parts: readonly string[]): string => parts.join(", ");

/** What a crew does for itself: it is not worth a line. */
export const QUIET: ReadonlySet<Heard["event"]> = new Set([
  "gauge-charged",
  "symbol-crossed",
  "acknowledged",
  "placed",
  "play-resumed",
] as const);

/** Who speaks, as the reader calls them. */
export const speaker = (crew: Crew, { setup, us }: Telling): string =>
  crew === us ? m.said_we() : boatOf(setup, crew);

/** The sentence for something heard, or null for what needs no words. */
export function inWords(heard: Heard, telling: Telling): Words | null {
  const sentence = sentenceFor(heard, telling);
  if (!sentence) return null;
  const { named = false, ...words } = sentence;
  const { crew, text } = words;
  const spoken = crew !== null && !named;
  return { ...words, line: spoken ? m.said_by({ who: speaker(crew, telling), what: text }) : text };
}

function sentenceFor(heard: Heard, telling: Telling): Sentence | null {
  const { setup, facts, letters, us } = telling;
  const boat = (crew: Crew): string => boatOf(setup, crew);
  const point = (name: string): string => spell(name, letters);
  switch (heard.event) {
    case "first-drawn":
      return {
        text:
          heard.crew === us ? m.said_first_us() : m.said_first_drawn({ boat: boat(heard.crew) }),
        crew: heard.crew,
        named: true,
      };
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
        text: explosion(heard, telling),
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
      const damage = m.fact_in_blast({ amount: heard.amount });
      return {
        text: heard.cause === "ice" ? m.said_ice({ damage }) : m.said_breakdown({ damage }),
        crew: heard.crew,
        glyph: "crack",
        grave: true,
      };
    }
    case "drone-launched":
      return {
        text: droneAnswer(heard, telling),
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
      return { text: sonarAnswer(heard, telling), crew: heard.crew, glyph: "sonar" };
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
            text: turns(heard.next, heard.turns ?? 1, telling),
            crew: heard.next,
            named: true,
          }
        : null;
    case "play-resumed":
      return { text: m.said_resumed(), crew: null };
    case "game-ended":
      return {
        text: heard.winner ? m.said_won({ boat: boat(heard.winner) }) : m.said_draw(),
        crew: heard.winner,
        named: true,
      };
    default:
      return withinCrew(heard, point, setup);
  }
}

/** What only the crew hears. */
function withinCrew(heard: Heard, point: (name: string) => string, setup: Setup): Sentence | null {
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

function turns(crew: Crew, count: number, { setup, us }: Telling): string {
  return crew === us
    ? m.said_turns_us({ count })
    : m.said_turns({ boat: boatOf(setup, crew), count });
}

function explosion(heard: Extract<Heard, { event: "exploded" }>, telling: Telling): string {
  const { setup, letters, us } = telling;
  const hits = (["a", "b"] as const).flatMap((crew, i) => {
    const kind = heard.hits[i];
    if (kind === "miss" || !kind) return [];
    const boat = boatOf(setup, crew);
    const [onUs, onThem] =
      kind === "direct" ? [m.said_direct_us, m.said_direct] : [m.said_indirect_us, m.said_indirect];
    const hit = crew === us ? onUs() : onThem({ boat });
    const amount = heard.damage[i] ?? 0;
    return [amount ? m.said_hit({ hit, damage: m.fact_in_blast({ amount }) }) : hit];
  });
  const where = m.said_exploded({ point: spell(heard.at, letters) });
  return [where, ...(hits.length ? hits : [m.said_miss()])].join(". ");
}

/** Who is asked about is the other crew than the one that sent the drone. */
function droneAnswer(
  { crew, answer, sector: number }: Extract<Heard, { event: "drone-launched" }>,
  { setup, facts, us }: Telling,
): string {
  const sector = facts.sea.sectors[number - 1] ?? String(number);
  if (answer !== "yes" && answer !== "no") return m.said_drone_smoke({ sector });
  const asked = crew === "a" ? "b" : "a";
  if (asked === us)
    return (answer === "yes" ? m.said_drone_yes_us : m.said_drone_no_us)({ sector });
  const boat = boatOf(setup, asked);
  return (answer === "yes" ? m.said_drone_yes : m.said_drone_no)({ sector, boat });
}

/** One true fact, or two of which one is false. */
function sonarAnswer(
  heard: Extract<Heard, { event: "sonar-answered" }>,
  { setup, facts, letters }: Telling,
): string {
  const told = capital(answer(heard, facts, letters));
  return setup.book.sonar_answer === "one-true" ? told : m.said_answer({ facts: told });
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The same with who answers: beside the question it would read as the asking crew's own. */
export function whoAnswered(
  heard: Extract<Heard, { event: "sonar-answered" }>,
  telling: Telling,
): string {
  const { setup, facts, letters, us } = telling;
  const plain = answer(heard, facts, letters);
  const told = setup.book.sonar_answer === "one-true" ? plain : m.said_answer({ facts: plain });
  if (heard.crew === us) return m.said_you_answered({ facts: told });
  return m.said_answers({ boat: boatOf(setup, heard.crew), facts: told });
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
