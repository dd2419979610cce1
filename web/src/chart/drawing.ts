// What a chart may be told to draw. It knows points and nothing of the game.

import { at, spot, type Point } from "./points";

/** The sea as the server describes it. */
export interface Sea {
  readonly across: number;
  readonly down: number;
  readonly sectors: readonly string[];
  readonly land: readonly Point[];
  readonly ice?: readonly Point[];
  readonly holes?: readonly Point[];
  readonly old_mines?: readonly Point[];
  readonly volcanoes?: readonly Point[];
  readonly lava?: readonly (readonly Point[])[];
  readonly repairs?: Readonly<Record<string, readonly Point[]>>;
  readonly finish?: readonly Point[];
}

export type Whose = "us" | "them";

export interface Route {
  readonly points: readonly Point[];
  /** Those of them that were reached in silence. */
  readonly silent?: readonly Point[];
  readonly whose: Whose;
  /** An earlier dive: thin and faint, without beads. */
  readonly faint?: boolean;
  readonly dashed?: boolean;
}

export interface Boat {
  readonly at: Point;
  readonly degrees: number;
  readonly whose: Whose;
  readonly hollow?: boolean;
  readonly sunk?: boolean;
}

export interface Mine {
  readonly at: Point;
  readonly whose: Whose | "old";
  /** Not to be set off yet. */
  readonly unarmed?: boolean;
}

export interface Heat {
  readonly likely: Readonly<Record<Point, number>>;
  readonly whose: Whose;
  /** Fainter and smaller, while aiming. */
  readonly quiet?: boolean;
  /** How many of the likeliest are labelled in percent. */
  readonly labels?: number;
}

export interface Blast {
  readonly at: Point;
  readonly near: readonly Point[];
  readonly damage: readonly [direct: number, near: number];
}

export interface Disc {
  x: number;
  y: number;
  radius: number;
  opacity: number;
  edge: number;
}

/** Thousandths from which a point gets the largest disc: while they can be anywhere, all are small. */
const SURE = 80;

/** A disc for every possible point: its size carries the value, its opacity repeats it. */
export function discs({ likely, quiet = false }: Heat): Map<Point, Disc> {
  const most = Math.max(SURE, ...Object.values(likely));
  const found = new Map<Point, Disc>();
  for (const [point, value] of Object.entries(likely)) {
    if (value <= 0) continue;
    const [x, y] = spot(point);
    const share = (value / most) * (quiet ? 0.55 : 1);
    found.set(point, {
      x: at(x),
      y: at(y),
      radius: (5 + 13 * Math.sqrt(value / most)) * (quiet ? 0.72 : 1),
      opacity: 0.2 + 0.62 * share,
      edge: 0.55 + 0.45 * share,
    });
  }
  return found;
}

/** The likeliest points with their share in percent, for labels; none of several that are alike
 * if not all of them can have one. */
export function likeliest(
  likely: Readonly<Record<Point, number>>,
  count: number,
): [Point, number][] {
  const total = Object.values(likely).reduce((sum, value) => sum + value, 0) || 1;
  const ranked = Object.entries(likely).sort((a, b) => b[1] - a[1]);
  const next = ranked[count]?.[1] ?? 0;
  return ranked
    .slice(0, count)
    .filter(([, value]) => value > next)
    .map(([point, value]): [Point, number] => [point, Math.round((value / total) * 100)])
    .filter(([, percent]) => percent >= 3);
}

export interface Run {
  readonly silent: boolean;
  readonly path: string;
}

const px = (point: Point): string => {
  const [x, y] = spot(point);
  return `${at(x)} ${at(y)}`;
};

export const pathOf = (points: readonly Point[]): string => `M${points.map(px).join("L")}`;

/** A route in stretches: sailed aloud or in silence. */
export function runs(points: readonly Point[], silent: readonly Point[] = []): Run[] {
  const quiet = new Set(silent);
  const found: { silent: boolean; points: Point[] }[] = [];
  points.slice(1).forEach((point, i) => {
    const before = points[i]!;
    const last = found.at(-1);
    if (last && last.silent === quiet.has(point)) last.points.push(point);
    else found.push({ silent: quiet.has(point), points: [before, point] });
  });
  return found.map((run) => ({ silent: run.silent, path: pathOf(run.points) }));
}
