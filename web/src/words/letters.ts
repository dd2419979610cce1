// The columns' letters: records always use A to O, a player may see those of their language (chart.letters).

import type { Point } from "../chart/points";
import { COLUMNS } from "../chart/points";
import type { Language } from "./tongue.svelte";

const LATIN = [...COLUMNS];

const OWN: Record<Language, readonly string[]> = {
  en: LATIN,
  it: LATIN,
  pl: LATIN,
  uk: [..."АБВГҐДЕЄЖЗИІЇЙК"],
  ru: [..."АБВГДЕЖЗИКЛМНОП"],
};

export const lettersOf = (language: Language, own: boolean): readonly string[] =>
  own ? OWN[language] : LATIN;

/** Whether a language letters the columns otherwise. */
export const hasOwnLetters = (language: Language): boolean => OWN[language] !== LATIN;

/** A point as the reader knows it. */
export const spell = (point: Point, letters: readonly string[]): string =>
  `${letters[COLUMNS.indexOf(point.charAt(0))] ?? "?"}${point.slice(1)}`;

/** A column as the reader knows it. */
export const spellColumn = (column: string, letters: readonly string[]): string =>
  letters[COLUMNS.indexOf(column)] ?? column;
