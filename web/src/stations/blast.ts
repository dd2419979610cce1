// Whom an explosion would reach: the point itself and, by most rulebooks, the points around it.

import type { Blast } from "../chart/drawing";
import { around, type Point } from "../chart/points";
import type { Bridge } from "./bridge.svelte";

export function blastAt(at: Point, { sea, duel }: Bridge): Blast {
  const { damage, near } = { damage: duel.facts.blast, near: around(at, sea.across, sea.down) };
  const land = new Set([...sea.land, ...duel.view.public.lava]);
  const reached = damage[1] ? near.filter((point) => point !== at && !land.has(point)) : [];
  return { at, near: reached, damage };
}
