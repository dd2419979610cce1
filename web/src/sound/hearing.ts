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

/** What stops play, or comes of it: it is spoken whoever did it. */
const STOPS: ReadonlySet<Heard["event"]> = new Set([
  "torpedo-fired",
  "mine-triggered",
  "old-mine-detonated",
  "exploded",
  "drone-launched",
  "sonar-used",
  "sonar-answered",
  "surfaced",
] as const);

/** What is spoken: the enemy's courses, and stops. Everything else would keep them waiting. */
function worthSpeaking(heard: Heard, duel: Duel): boolean {
  const theirs = "crew" in heard && heard.crew === duel.them;
  return STOPS.has(heard.event) || (theirs && ["course-set", "silence"].includes(heard.event));
}

const HEARD_AT_ONCE = 4;

export function hearing(said: readonly Said[], duel: Duel): void {
  for (const { heard } of said.slice(-HEARD_AT_ONCE)) {
    const name = soundOf(heard, duel);
    if (name) play(name);
  }
  if (settings.liked.speech) speakOf(said, duel);
}

/** What was said in one go is one sentence; it cuts off whatever is still being spoken. */
function speakOf(said: readonly Said[], duel: Duel): void {
  const { setup, facts, seat, us, them } = duel;
  const telling = { setup, facts, letters: settings.letters, us: seat ? us : null };
  const told = said.map(({ heard }) => heard).filter((heard) => worthSpeaking(heard, duel));
  const words = told.flatMap((heard) => inWords(heard, telling) ?? []);
  const [first] = words;
  if (first) speak(words.map(({ text }) => text).join(". "), first.crew === them);
}
