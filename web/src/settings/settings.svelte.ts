// What a person likes: kept on this device, in force at once.

import { lettersOf } from "../words/letters";
import { tongue } from "../words/tongue.svelte";
import { keep, keptRecord } from "./kept";

export type Theme = "auto" | "night" | "day";

interface Liked {
  theme: Theme;
  /** Columns lettered as the language does. */
  ownLetters: boolean;
  contrast: boolean;
  stillness: boolean;
  muted: boolean;
  volume: number;
  speech: boolean;
  captions: boolean;
  /** Turn by turn, explosions and answers stay until the player goes on. */
  outcomesWait: boolean;
}

const USUAL: Liked = {
  theme: "night",
  ownLetters: true,
  contrast: false,
  stillness: false,
  muted: false,
  volume: 0.6,
  speech: false,
  captions: true,
  outcomesWait: true,
};

class Settings {
  liked = $state<Liked>(keptRecord("liked", USUAL));

  constructor() {
    this.dress();
    matchMedia?.("(prefers-color-scheme: light)").addEventListener?.("change", () => this.dress());
  }

  get letters(): readonly string[] {
    return lettersOf(tongue.current, this.liked.ownLetters);
  }

  /** The theme that is in force. */
  get theme(): "night" | "day" {
    if (this.liked.theme !== "auto") return this.liked.theme;
    return matchMedia?.("(prefers-color-scheme: light)").matches ? "day" : "night";
  }

  like(change: Partial<Liked>): void {
    this.liked = { ...this.liked, ...change };
    keep("liked", JSON.stringify(this.liked));
    this.dress();
  }

  /** Put the choices where the style sheet finds them. */
  private dress(): void {
    const { dataset } = document.documentElement;
    dataset.theme = this.theme;
    dataset.contrast = this.liked.contrast ? "more" : "usual";
    dataset.motion = this.liked.stillness ? "none" : "usual";
  }
}

export const settings = new Settings();
