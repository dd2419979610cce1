// Points as the wire names them, "H8", and as places on the drawing.

/** A point's name: a column's letter from A to O and a row from 1. Letters shown to people may differ. */
export type Point = string;

/** A column and a row, counted from 0 in the north-west. */
export type Spot = readonly [x: number, y: number];

export type Heading = "N" | "S" | "E" | "W";

/** In the order of their keys, on every pad. */
export const HEADINGS: readonly Heading[] = ["N", "E", "S", "W"];

export const COLUMNS = "ABCDEFGHIJKLMNO";

/** How far apart two points are drawn. */
export const UNIT = 40;

/** Room for letters and numbers beside the sea. */
export const MARGIN = 34;

export const STEP: Record<Heading, Spot> = { N: [0, -1], S: [0, 1], E: [1, 0], W: [-1, 0] };

export const ARROW_KEYS: Readonly<Record<string, Heading>> = {
  ArrowUp: "N",
  ArrowDown: "S",
  ArrowLeft: "W",
  ArrowRight: "E",
};

export const DEGREES: Record<Heading, number> = { N: 0, E: 90, S: 180, W: 270 };

export const spot = (point: Point): Spot => [
  COLUMNS.indexOf(point.charAt(0)),
  Number(point.slice(1)) - 1,
];

export const named = (x: number, y: number): Point => `${COLUMNS[x] ?? "?"}${y + 1}`;

/** Where a column or a row is drawn. */
export const at = (index: number): number => MARGIN + UNIT * (index + 0.5);

/** The names of a square's points, row by row. */
export function allPoints(across: number, down: number): Point[] {
  return Array.from({ length: across * down }, (_, i) => named(i % across, Math.floor(i / across)));
}

/** The point one step on, or null off the chart. */
export function beside(point: Point, heading: Heading, across: number, down: number): Point | null {
  const [x, y] = spot(point);
  const [dx, dy] = STEP[heading];
  const inside = x + dx >= 0 && x + dx < across && y + dy >= 0 && y + dy < down;
  return inside ? named(x + dx, y + dy) : null;
}

/** The point itself and its eight neighbours on the chart. */
export function around(point: Point, across: number, down: number): Point[] {
  const [x, y] = spot(point);
  const found: Point[] = [];
  for (let v = Math.max(0, y - 1); v <= Math.min(down - 1, y + 1); v++)
    for (let u = Math.max(0, x - 1); u <= Math.min(across - 1, x + 1); u++) found.push(named(u, v));
  return found;
}

/** The way from one point to its neighbour, in degrees; north is 0. */
export function facing(route: readonly Point[]): number {
  const [from, to] = [route.at(-2), route.at(-1)];
  if (!from || !to) return 0;
  const [a, b] = [spot(from), spot(to)];
  if (b[0] !== a[0]) return b[0] > a[0] ? 90 : 270;
  return b[1] > a[1] ? 180 : 0;
}

/** The sector a point lies in, from 1. */
export function sectorOf(point: Point, across: number): number {
  const [x, y] = spot(point);
  return Math.floor(y / 5) * Math.ceil(across / 5) + Math.floor(x / 5) + 1;
}
