// The people who hold posts at a table.

import { sameName } from "../player/name";
import type { Person, TableState } from "../wire";

/** Everybody who holds a post, once. */
export function peopleAt(table: TableState): Person[] {
  const found = new Map<string, Person>();
  for (const { berths } of table.crews)
    for (const { holder } of berths) if (holder?.kind === "person") found.set(holder.who, holder);
  return [...found.values()];
}

export const sitsAt = (table: TableState, who: string): boolean =>
  peopleAt(table).some((person) => person.who === who);

/** The names of all but one. */
export const othersAt = (table: TableState, who: string): string[] =>
  peopleAt(table)
    .filter((person) => person.who !== who)
    .map(({ name }) => name);

/** The name that this player shares with somebody else here, if they do. */
export function sharedName(table: TableState, who: string): string | null {
  const name = peopleAt(table).find((person) => person.who === who)?.name;
  return name && othersAt(table, who).some((other) => sameName(other, name)) ? name : null;
}
