// Islands drawn from the chart's picture: distance to the land's skeleton plus noise, as contour lines.

import { at } from "./points";

type Field = (x: number, y: number) => number;
type Place = [number, number];

export interface Land {
  shoals: [string, string, string];
  coast: string;
  hill: string;
}

const RESOLUTION = 9;
const LEVELS = { shoals: [1.02, 0.76, 0.545], coast: 0.37, hill: 0.21 } as const;

function hash(x: number, y: number): number {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967295;
}

const ease = (t: number): number => t * t * (3 - 2 * t);

function noise(x: number, y: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [ease(x - i), ease(y - j)];
  const row = (k: number) => hash(i, k) * (1 - u) + hash(i + 1, k) * u;
  return row(j) * (1 - v) + row(j + 1) * v;
}

type Segment = readonly [number, number, number, number];

/** The land's points, joined where they touch along a row or a column. */
function skeleton(
  isLand: (x: number, y: number) => boolean,
  across: number,
  down: number,
): Segment[] {
  const found: Segment[] = [];
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      if (!isLand(x, y)) continue;
      found.push([x, y, x, y]);
      if (isLand(x + 1, y)) found.push([x, y, x + 1, y]);
      if (isLand(x, y + 1)) found.push([x, y, x, y + 1]);
    }
  return found;
}

function distance([a, b, c, d]: Segment, x: number, y: number): number {
  const [vx, vy] = [c - a, d - b];
  const length = vx * vx + vy * vy;
  const t = length ? Math.max(0, Math.min(1, ((x - a) * vx + (y - b) * vy) / length)) : 0;
  return Math.hypot(x - a - t * vx, y - b - t * vy);
}

function field(segments: Segment[]): Field {
  return (x, y) => {
    let nearest = 9;
    for (const segment of segments) nearest = Math.min(nearest, distance(segment, x, y));
    return (
      nearest +
      (noise(x * 2.1 + 7, y * 2.1 + 3) - 0.5) * 0.2 +
      (noise(x * 5 + 1, y * 5 + 9) - 0.5) * 0.09
    );
  };
}

// Marching squares: which edges of a cell a contour joins, by the corners that lie inside.
// Edges: 0 top, 1 right, 2 bottom, 3 left; the inside stays on one hand.
const JOINS: readonly (readonly [number, number])[][] = [
  [],
  [[3, 0]],
  [[0, 1]],
  [[3, 1]],
  [[1, 2]],
  [
    [3, 0],
    [1, 2],
  ],
  [[0, 2]],
  [[3, 2]],
  [[2, 3]],
  [[2, 0]],
  [
    [0, 1],
    [2, 3],
  ],
  [[2, 1]],
  [[1, 3]],
  [[1, 0]],
  [[0, 3]],
  [],
];

class Contours {
  private readonly low = -3;
  private readonly count: [number, number];
  private readonly values: number[][] = [];

  constructor(read: Field, across: number, down: number) {
    this.count = [Math.round((across + 5) * RESOLUTION), Math.round((down + 5) * RESOLUTION)];
    for (let j = 0; j <= this.count[1]; j++) {
      const row: number[] = [];
      for (let i = 0; i <= this.count[0]; i++)
        row.push(read(this.low + i / RESOLUTION, this.low + j / RESOLUTION));
      this.values.push(row);
    }
  }

  /** Closed smooth paths where the field has this level. */
  path(level: number): string {
    const places = new Map<string, Place>();
    const next = this.join(level, places);
    let drawn = "";
    while (next.size) {
      const loop = takeLoop(next, places);
      if (loop.length > 6) drawn += smooth(loop);
    }
    return drawn;
  }

  private value(i: number, j: number): number {
    return this.values[j]?.[i] ?? 9;
  }

  private join(level: number, places: Map<string, Place>): Map<string, string> {
    const next = new Map<string, string>();
    for (let j = 0; j < this.count[1]; j++)
      for (let i = 0; i < this.count[0]; i++) {
        const inside = [
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
          [i, j + 1],
        ].map(([u, v]) => this.value(u!, v!) < level);
        const index = inside.reduce((sum, one, bit) => sum + (one ? 1 << bit : 0), 0);
        for (const [from, to] of JOINS[index] ?? [])
          next.set(this.edge(i, j, from, level, places), this.edge(i, j, to, level, places));
      }
    return next;
  }

  /** The name of a cell's edge; where the contour crosses it is noted in ``places``. */
  private edge(
    i: number,
    j: number,
    side: number,
    level: number,
    places: Map<string, Place>,
  ): string {
    const flat = side === 0 || side === 2;
    const [u, v] = [side === 1 ? i + 1 : i, side === 2 ? j + 1 : j];
    const name = `${flat ? "h" : "v"}${u},${v}`;
    if (!places.has(name)) {
      const [a, b] = [
        this.value(u, v) - level,
        this.value(flat ? u + 1 : u, flat ? v : v + 1) - level,
      ];
      const t = a / (a - b);
      const place = (k: number, along: boolean) => this.low + (k + (along ? t : 0)) / RESOLUTION;
      places.set(name, [place(u, flat), place(v, !flat)]);
    }
    return name;
  }
}

function takeLoop(next: Map<string, string>, places: Map<string, Place>): Place[] {
  const start = next.keys().next().value!;
  const loop: Place[] = [];
  for (let edge: string | undefined = start; edge !== undefined;) {
    loop.push(places.get(edge)!);
    const after: string | undefined = next.get(edge);
    next.delete(edge);
    edge = after === start ? undefined : after;
  }
  return loop;
}

const px = ([x, y]: Place): string => `${at(x).toFixed(1)} ${at(y).toFixed(1)}`;

const middle = (a: Place, b: Place): Place => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** Every second corner as a control point, through the middles: smooth and half as long. */
function smooth(loop: Place[]): string {
  const corners = loop.filter((_, i) => i % 2 === 0);
  const after = (i: number) => corners[(i + 1) % corners.length]!;
  const start = middle(corners.at(-1)!, corners[0]!);
  return `M${px(start)}${corners.map((corner, i) => `Q${px(corner)} ${px(middle(corner, after(i)))}`).join("")}Z`;
}

const drawn = new Map<string, Land>();

/** The coast and its depths; the same chart is worked out once. */
export function drawLand(rows: readonly string[], isLand: (mark: string) => boolean): Land {
  const mask = rows.map((row) => [...row].map((mark) => (isLand(mark) ? "#" : ".")).join(""));
  const key = mask.join("/");
  const known = drawn.get(key);
  if (known) return known;
  const across = mask[0]?.length ?? 0;
  const segments = skeleton((x, y) => mask[y]?.[x] === "#", across, mask.length);
  const contours = new Contours(field(segments), across, mask.length);
  const [one, two, three] = LEVELS.shoals;
  const land: Land = {
    shoals: [contours.path(one), contours.path(two), contours.path(three)],
    coast: contours.path(LEVELS.coast),
    hill: contours.path(LEVELS.hill),
  };
  drawn.set(key, land);
  return land;
}
