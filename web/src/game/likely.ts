// Where a boat can be, as shares of all that is possible.

import { sectorOf, type Point } from "../chart/points";

/** How often each point came up; points that can't be are left out. */
export type Likely = Readonly<Record<Point, number>>;

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

/** The share of what is possible that lies on these points, from 0 to 1. */
export function share(likely: Likely, points: Iterable<Point>): number {
  const all = sum(Object.values(likely));
  return all ? sum([...points].map((point) => likely[point] ?? 0)) / all : 0;
}

/** Each sector's share, in the sectors' order. */
export const bySector = (likely: Likely, sectors: number, across: number): number[] =>
  Array.from({ length: sectors }, (_, i) =>
    share(
      likely,
      Object.keys(likely).filter((point) => sectorOf(point, across) === i + 1),
    ),
  );

/** A share in whole percent. */
export const percent = (part: number): number => Math.round(part * 100);

/** The likeliest point and how likely it is; null where no point is likelier than all others. */
export function likeliest(likely: Likely): readonly [Point, number] | null {
  const [first, second] = Object.entries(likely).sort(([, a], [, b]) => b - a);
  return first && (!second || first[1] > second[1]) ? first : null;
}
