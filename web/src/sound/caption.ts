// The announcement that a caption shows: the last one that is more than a note within a crew.

import type { Duel, Said } from "../game/duel.svelte";
import { settings } from "../settings/settings.svelte";
import { inWords, type Words } from "../words/said";

const QUIET: ReadonlySet<string> = new Set([
  "gauge-charged",
  "symbol-crossed",
  "acknowledged",
  "placed",
  "turn-ended",
]);

export function captionOf({ log, setup, facts }: Duel): { said: Said; words: Words } | null {
  const said = log.findLast(({ heard }) => !QUIET.has(heard.event));
  const words = said ? inWords(said.heard, { setup, facts, letters: settings.letters }) : null;
  return said && words ? { said, words } : null;
}
