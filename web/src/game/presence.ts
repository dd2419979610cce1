// Who is gone from a game, since when, and who plays for them.

import type { Crew, House, Person, Post, TableState } from "../wire";
import { m } from "../words";

/** Since when each person is gone; null: they were gone already when we came. */
export type Away = ReadonlyMap<string, number | null>;

export interface Absent {
  readonly person: Person;
  readonly crew: Crew;
  readonly posts: readonly Post[];
  /** A bot plays for them. */
  readonly bot: boolean;
}

/** Everybody who holds posts and is not there to play them, the posts of each together. */
export function absentees(table: TableState, you: string): Absent[] {
  return table.crews.flatMap(({ berths }, i) => {
    const found = new Map<string, Absent>();
    for (const { post, holder } of berths) {
      if (holder?.kind !== "person" || holder.who === you) continue;
      if (holder.here && !holder.stand_in) continue;
      const posts = [...(found.get(holder.who)?.posts ?? []), post];
      const crew = i === 0 ? ("a" as const) : ("b" as const);
      found.set(holder.who, { person: holder, crew, posts, bot: !!holder.stand_in });
    }
    return [...found.values()];
  });
}

/** Since when people are gone, after news of the table. */
export function since(away: Away, before: TableState | null, after: TableState, now: number): Away {
  const here = new Set(before ? present(before) : []);
  return new Map(
    absentees(after, "").map(({ person: { who } }) => [
      who,
      away.has(who) ? away.get(who)! : here.has(who) ? now : null,
    ]),
  );
}

const present = (table: TableState): string[] =>
  table.crews.flatMap(({ berths }) =>
    berths.flatMap(({ holder }) => (holder?.kind === "person" && holder.here ? [holder.who] : [])),
  );

/** Seconds until the table's rule for somebody who left takes effect. */
export const secondsLeft = (gone: number, house: House, now: number): number =>
  Math.max(0, Math.ceil(house.leaving_seconds - (now - gone) / 1000));

/** What is the matter, and what comes of it: the second part may count down. */
export function absence(
  name: string,
  bot: boolean,
  house: House,
  seconds: number | null,
): readonly [what: string, then: string] {
  if (bot) return [m.presence_bot({ name }), ""];
  const lost = m.presence_lost({ name });
  if (house.leaving === "wait") return [lost, m.presence_wait()];
  const lose = house.leaving === "lose";
  if (!seconds) return [lost, lose ? m.presence_lose_soon() : m.presence_bot_soon()];
  const count = { count: seconds };
  return [lost, lose ? m.presence_lose_in(count) : m.presence_bot_in(count)];
}
