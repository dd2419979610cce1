// Announcements spoken by the browser, in the reader's language; the enemy in a second voice.

import { settings } from "../settings/settings.svelte";
import { tongue } from "../words/tongue.svelte";

const TAGS: Record<string, string> = {
  en: "en-GB",
  uk: "uk-UA",
  ru: "ru-RU",
  pl: "pl-PL",
  it: "it-IT",
};

/** Speak at once: the newest wins, and what is stale is cut off. */
export function speak(text: string, enemy: boolean): void {
  if (typeof speechSynthesis === "undefined") return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = TAGS[tongue.current] ?? "en-GB";
  const voices = speechSynthesis
    .getVoices()
    .filter((voice) => voice.lang.startsWith(tongue.current));
  const voice = voices[enemy ? Math.min(1, voices.length - 1) : 0];
  if (voice) words.voice = voice;
  words.pitch = enemy ? 0.7 : 1;
  words.rate = 1.1;
  words.volume = settings.liked.muted ? 0 : Math.max(0.2, settings.liked.volume);
  speechSynthesis.speak(words);
}
