// What is heard becomes sound, and speech for those who want it.

import type { Duel, Said } from "../game/duel.svelte";
import { settings } from "../settings/settings.svelte";
import type { Heard } from "../wire";
import { inWords } from "../words/said";
import { courseSound, play, type SoundName } from "./sounds";
import { speak } from "./speech";

/** The sound of something heard; it tells no more than the words. */
function soundOf(heard: Heard, duel: Duel): SoundName | null {
  const theirs = "crew" in heard && heard.crew === duel.them;
  switch (heard.event) {
    case "course-set":
      return theirs ? courseSound(heard.heading) : null;
    case "silence":
      return "swallow";
    case "sonar-used":
      return "ping";
    case "drone-launched":
      return "ticks";
    case "torpedo-fired":
      return "torpedo";
    case "mine-laid-somewhere":
    case "mine-laid":
      return "chain";
    case "exploded":
      return heard.damage[duel.us === "a" ? 0 : 1] ? "blast-near" : "blast-far";
    case "damaged":
      return "groan";
    case "circuit-mended":
      return "mend";
    case "system-ready":
      return "ready";
    case "surfaced":
      return "horn";
    case "dived":
      return "dive";
    default:
      return null;
  }
}

const SPOKEN = 4;

export function hearing(said: readonly Said[], duel: Duel): void {
  for (const { heard } of said.slice(-SPOKEN)) {
    const name = soundOf(heard, duel);
    if (name) play(name);
    if (!settings.liked.speech) continue;
    const words = inWords(heard, {
      setup: duel.setup,
      facts: duel.facts,
      letters: settings.letters,
    });
    if (words?.crew !== undefined && words) speak(words.text, words.crew === duel.them);
  }
}
