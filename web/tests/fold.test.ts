// Every message of some real games, folded here as a browser does, arrives at the view that the engine
// shows. The fixtures are written by `python -m tests.server.folds`; a Python test fails if they are stale.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Duel } from "../src/game/duel.svelte";
import type { View } from "../src/game/fold";
import type { GameOpened, Told } from "../src/wire";

interface Folded {
  game: string;
  place: string;
  view: Record<string, unknown>;
  steps: [Omit<Told, "type" | "game">, string][];
}
const folds = JSON.parse(readFileSync(join(import.meta.dirname, "folds.json"), "utf8")) as Folded[];

/** The sheets by the wire's names; sheets that are not seen are absent. */
function sheets({ enemyHull, ...rest }: View): Record<string, unknown> {
  const found = Object.entries({ ...rest, enemy_hull: enemyHull });
  return Object.fromEntries(found.filter(([, sheet]) => sheet !== null));
}

function shown(duel: Duel): Record<string, unknown> {
  if (!duel.boats) return sheets(duel.view);
  const boats = duel.boats.map((boat) => {
    const { public: _, ...own } = sheets(boat);
    return own;
  });
  return { ...sheets(duel.view), boats };
}

/** Keys in order, so that every language writes the same. */
function ordered(thing: unknown): unknown {
  if (Array.isArray(thing)) return thing.map(ordered);
  if (thing === null || typeof thing !== "object") return thing;
  const entries = Object.entries(thing).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, ordered(value)]));
}
const digest = (thing: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(ordered(thing)))
    .digest("hex")
    .slice(0, 12);

describe("a game folded from its messages", () => {
  for (const { game, place, view, steps } of folds)
    it(`is what the engine shows: ${game}, ${place}`, () => {
      const duel = new Duel({ type: "game", game, table: "T", posts: [] } as unknown as GameOpened);
      steps.forEach(([told, after], number) => {
        duel.tell({ type: "told", game, ...told } as Told);
        expect([number, digest(shown(duel))], JSON.stringify(told)).toEqual([number, after]);
      });
      expect(shown(duel)).toEqual(view);
    });
});
