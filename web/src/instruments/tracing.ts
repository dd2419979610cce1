// The hull that is traced after surfacing: strokes in the sheet's own coordinates.

import type { Hull } from "../wire";

export type Place = readonly [number, number];

export const closedPath = (line: readonly Place[]): string =>
  `M${line.map(([x, y]) => `${x} ${y}`).join("L")}Z`;

export const openPath = (line: readonly Place[]): string =>
  line.length ? `M${line.map(([x, y]) => `${x} ${y}`).join("L")}` : "";

/** The smallest box around a section, with room for the finger. */
export function boxOf(line: readonly Place[], margin: number): [number, number, number, number] {
  const xs = line.map(([x]) => x);
  const ys = line.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return [left, top, Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
}

export const centreOf = (line: readonly Place[]): Place => {
  const [x, y, w, h] = boxOf(line, 0);
  return [x + w / 2, y + h / 2];
};

/** Adds a place to a stroke if it is far enough from the last one. */
export function extend(stroke: readonly Place[], place: Place, longest: number): readonly Place[] {
  const last = stroke.at(-1);
  const rounded: Place = [Math.round(place[0]), Math.round(place[1])];
  const near = last && Math.hypot(last[0] - rounded[0], last[1] - rounded[1]) < 3;
  return near || stroke.length >= longest ? stroke : [...stroke, rounded];
}

/** Whether the stroke has come back to where it began. */
export function closed(stroke: readonly Place[], hull: Hull): boolean {
  const [first, last] = [stroke[0], stroke.at(-1)];
  if (!first || !last || stroke.length < 12) return false;
  return Math.hypot(first[0] - last[0], first[1] - last[1]) <= hull.closing;
}

const away = (place: Place, from: Place, to: Place): number => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const long = dx * dx + dy * dy;
  const along = long ? ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / long : 0;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(place[0] - from[0] - part * dx, place[1] - from[1] - part * dy);
};

/** Whether a place of the stroke lies outside the band around a section. */
export function strays(stroke: readonly Place[], line: readonly Place[], hull: Hull): boolean {
  const inside = (place: Place): boolean =>
    line.some((from, i) => away(place, from, line[(i + 1) % line.length]!) <= hull.band / 2);
  return !stroke.every(inside);
}

/** A player's initials, for signing. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters =
    words.length > 1 ? words.map((word) => word.charAt(0)) : [...(words[0] ?? "")].slice(0, 2);
  return letters.slice(0, 3).join("").toUpperCase() || "X";
}
