// The transparent sheet: places in tenths of a point from its middle, over the chart's middle point.

import { UNIT, at, STEP, type Heading, type Spot } from "../chart/points";
import type { Announcement, Crew, Film, Item, PutMark, SheetOrder } from "../wire";

/** The column and row that the sheet's middle lies on when it is not slid. */
export const middleOf = (across: number, down: number): Spot => [
  Math.floor(across / 2),
  Math.floor(down / 2),
];

/** Where a place of the sheet is drawn, before the sheet is slid. */
export const drawn = (tenths: number, middle: number): number => at(middle + tenths / 10);

/** The place of the sheet under a spot of the drawing. */
export const tenths = (px: number, middle: number, slid: number): number =>
  Math.round(((px - at(middle)) / UNIT - slid) * 10) || 0;

/** How far a drag over the drawing slides the sheet, in whole points. */
export const slidBy = (px: number): number => Math.round(px / UNIT);

export type Place = readonly [number, number];

const MOST = 200;

/** A stroke as it is sent: rounded to tenths, without repeats, not too long. */
export function stroke(places: readonly Place[]): Place[] {
  const kept = places.filter(
    (place, i) => i === 0 || place[0] !== places[i - 1]![0] || place[1] !== places[i - 1]![1],
  );
  if (kept.length <= MOST) return [...kept];
  const step = (kept.length - 1) / (MOST - 1);
  return Array.from({ length: MOST }, (_, i) => kept[Math.round(i * step)]!);
}

const SNAP = 4;

/** A stroke that begins and ends near points and runs along a row or column becomes that line. */
export function straightened(places: readonly Place[]): Place[] {
  const line = stroke(places);
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return line;
  const snap = (n: number) => Math.round(n / 10) * 10 || 0;
  const [a, b]: [Place, Place] = [
    [snap(first[0]), snap(first[1])],
    [snap(last[0]), snap(last[1])],
  ];
  const along = (a[0] === b[0]) !== (a[1] === b[1]);
  const near = (p: Place, q: Place) =>
    Math.max(Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1])) <= SNAP;
  const true_ = line.every(
    ([x, y]) => (a[0] === b[0] ? Math.abs(x - a[0]) : Math.abs(y - a[1])) <= SNAP,
  );
  return along && near(first, a) && near(last, b) && true_ ? [a, b] : line;
}

/** Where the pen is: the end of what was drawn last, unless another line goes on from there. */
export function penAt(items: readonly Item[]): Place {
  const begins = new Set(items.map(({ line }) => String(line?.[0])));
  const ends = items.map(endOf).filter((end) => end !== null);
  return ends.findLast((end) => !begins.has(String(end))) ?? ends.at(-1) ?? [0, 0];
}

/** Where a course could go on from this. */
function endOf({ line, shape, x, y }: Item): Place | null {
  const end = line?.at(-1);
  if (end) return [end[0], end[1]];
  return shape === "dot" || shape === "ring" ? [x ?? 0, y ?? 0] : null;
}

/** The order that puts a thing where it was. */
export function drawAgain({ line, shape, text, x = 0, y = 0 }: Item): SheetOrder {
  if (line?.length) return { order: "line", line };
  return text
    ? { order: "note", x, y, text }
    : { order: "mark", x, y, shape: (shape ?? "dot") as PutMark["shape"] };
}

/** The number, from 1, of what was drawn last; 0 if only the mark in the middle is left (start.radio). */
export function lastDrawn(items: readonly Item[]): number {
  const [first] = items;
  const start = first?.shape === "dot" && !first.x && !first.y;
  return items.length > (start ? 1 : 0) ? items.length : 0;
}

/** The line for one course heard, from where the pen is. */
export function courseLine(items: readonly Item[], heading: Heading): Place[] {
  const from = penAt(items);
  const [dx, dy] = STEP[heading];
  return [from, [from[0] + dx * 10, from[1] + dy * 10]];
}

/** How far from a thing the eraser still takes it, in tenths of a point. */
const REACH = 6;

/** The number, from 1, of what is nearest to a place of the sheet; 0 if nothing is near. */
export function under(items: readonly Item[], x: number, y: number): number {
  const far = items.map((item) => distance(item, x, y));
  const least = Math.min(...far);
  // Of things that are equally near, the one drawn last lies on top.
  return least <= REACH ? far.lastIndexOf(least) + 1 : 0;
}

function distance(item: Item, x: number, y: number): number {
  const line = item.line ?? [];
  if (line.length < 2) return Math.hypot((item.x ?? 0) - x, (item.y ?? 0) - y);
  return Math.min(...line.slice(1).map((to, i) => toSegment(line[i]!, to, x, y)));
}

function toSegment(a: Place, b: Place, x: number, y: number): number {
  const [vx, vy] = [b[0] - a[0], b[1] - a[1]];
  const length = vx * vx + vy * vy;
  const t = length ? Math.max(0, Math.min(1, ((x - a[0]) * vx + (y - a[1]) * vy) / length)) : 0;
  return Math.hypot(x - a[0] - t * vx, y - a[1] - t * vy);
}

/** The tape in stretches: a silence or a surfacing begins a new one. */
export function stretches(tape: readonly Announcement[], enemy: Crew): Heading[][] {
  const found: Heading[][] = [[]];
  for (const heard of tape) {
    if (!("crew" in heard) || heard.crew !== enemy) continue;
    if (heard.event === "course-set") found.at(-1)!.push(heard.heading);
    else if (heard.event === "silence" || heard.event === "surfaced") found.push([]);
  }
  return found;
}

/** A stretch as places of its sheet, from the middle. */
export function routeOf(headings: readonly Heading[]): Place[] {
  const places: Place[] = [[0, 0]];
  for (const heading of headings) {
    const [x, y] = places.at(-1)!;
    const [dx, dy] = STEP[heading];
    places.push([x + dx * 10, y + dy * 10]);
  }
  return places;
}

export const EMPTY_FILM: Film = { x: 0, y: 0, items: [] };
