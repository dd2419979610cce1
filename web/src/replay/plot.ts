// Points still possible over the steps of a game, on a logarithmic scale.

import type { Knowledge } from "../wire";

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly steps: number;
}

export const xOf = (step: number, { width, left, steps }: Frame): number =>
  left + ((width - left - 12) * step) / Math.max(1, steps);

export function yOf(points: number, { height, top }: Frame): number {
  const bottom = height - 24;
  return bottom - ((bottom - top) * Math.log10(Math.max(1, points))) / Math.log10(225);
}

/** A line of stairs: what was known holds until the next step. */
export function stairs(known: readonly Knowledge[], frame: Frame): string {
  const [first, ...rest] = known;
  if (!first) return "";
  const start = `M${xOf(first.step, frame).toFixed(1)} ${yOf(first.points, frame).toFixed(1)}`;
  return (
    start +
    rest
      .map(({ step, points }) => `H${xOf(step, frame).toFixed(1)}V${yOf(points, frame).toFixed(1)}`)
      .join("")
  );
}

/** What was known at a step. */
export function knownAt(known: readonly Knowledge[], step: number): Knowledge | null {
  let found: Knowledge | null = null;
  for (const one of known) {
    if (one.step > step) break;
    found = one;
  }
  return found;
}
