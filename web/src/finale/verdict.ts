// How a game ended, said to whoever reads it: to one of its crews, or to a spectator.

import type { AnyEvent, Crew, Result } from "../wire";
import { m } from "../words";

export interface Verdict {
  readonly title: string;
  readonly sentence: string;
}

interface About {
  /** The reader's crew; null: a spectator. */
  readonly us: Crew | null;
  readonly boat: (crew: Crew) => string;
  readonly point: (name: string) => string;
  /** What was said of an event. */
  readonly words: (event: AnyEvent) => string;
  /** What did the last damage, as far as it is known. */
  readonly blow?: AnyEvent | undefined;
}

const other = (crew: Crew): Crew => (crew === "a" ? "b" : "a");

/** The title comes first and says it all; the sentence says how. */
export function verdict({ winner, why }: Result, about: About): Verdict {
  if (!winner) return { title: m.verdict_draw(), sentence: drawn(about) };
  const loser = other(winner);
  const fact = ending(why, winner, loser, about.boat);
  if (!about.us) return { title: fact, sentence: sinking(why, winner, about) };
  if (about.us === winner)
    return { title: m.verdict_won(), sentence: sinking(why, winner, about) || fact };
  const [title, says] = lost(why);
  return { title, sentence: sinking(why, winner, about) || (says ? wins(winner, about) : fact) };
}

/** What a spectator reads first: what became of a boat. */
function ending(why: string, winner: Crew, loser: Crew, boat: (crew: Crew) => string): string {
  const FACTS: Record<string, () => string> = {
    "end.resign": () => m.end_resigned({ boat: boat(loser) }),
    "end.abandon": () => m.end_abandoned({ boat: boat(loser) }),
    "end.time": () => m.end_time({ boat: boat(loser) }),
    "end.goal": () => m.end_goal({ boat: boat(winner) }),
  };
  return (FACTS[why] ?? (() => m.end_sunk({ boat: boat(loser) })))();
}

/** What the losing crew reads first, and whether that says why. */
function lost(why: string): readonly [title: string, says: boolean] {
  const TITLES: Record<string, () => string> = {
    "end.resign": m.verdict_resigned,
    "end.time": m.verdict_time,
    "end.sunk": m.verdict_sunk,
  };
  const title = TITLES[why];
  return title ? [title(), true] : [m.verdict_lost(), false];
}

const wins = (winner: Crew, { boat }: About): string => m.end_wins({ boat: boat(winner) });

/** Which blow sank a boat; nothing if none did. */
function sinking(why: string, winner: Crew, about: About): string {
  const { us, boat, point, blow } = about;
  if (why !== "end.sunk" || !blow) return "";
  const weapon = blow.event === "exploded" && (blow.source === "torpedo" || blow.source === "mine");
  if (!weapon || !us) return about.words(blow);
  const at = point(blow.at);
  const mine = blow.source === "mine";
  if (us === winner && blow.owner === winner)
    return (mine ? m.end_our_mine : m.end_our_torpedo)({ point: at, boat: boat(other(winner)) });
  if (us !== winner && blow.owner === winner)
    return (mine ? m.end_their_mine : m.end_their_torpedo)({ point: at, boat: boat(winner) });
  return us !== winner && blow.owner === us ? m.end_own_blast({ point: at }) : about.words(blow);
}

const drawn = ({ blow, words }: About): string => (blow ? words(blow) : m.end_draw());
