// The language in use. Message functions read it, so what they say changes with it at once.

import { keep, kept } from "../settings/kept";
import { overwriteGetLocale } from "./gen/runtime.js";

export type Language = "en" | "uk" | "ru" | "pl" | "it";

/** Each language by its own name. */
export const LANGUAGES: Record<Language, string> = {
  en: "English",
  uk: "Українська",
  ru: "Русский",
  pl: "Polski",
  it: "Italiano",
};

const isLanguage = (word: string): word is Language => word in LANGUAGES;

/** The first of the reader's languages that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const word = tag.slice(0, 2).toLowerCase();
    if (isLanguage(word)) return word;
  }
  return "en";
}

class Tongue {
  #current = $state<Language>("en");

  constructor() {
    const chosen = kept("language");
    this.#current = chosen && isLanguage(chosen) ? chosen : preferred(navigator.languages ?? []);
    this.#tell();
  }

  get current(): Language {
    return this.#current;
  }

  speak(language: Language): void {
    this.#current = language;
    keep("language", language);
    this.#tell();
  }

  #tell(): void {
    document.documentElement.lang = this.#current;
  }
}

export const tongue = new Tongue();

overwriteGetLocale(() => tongue.current);
