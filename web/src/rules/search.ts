// Finding rules by their words, and the links between them.

import type { Rule } from "../wire";

/** Whether a rule has all the words, in its name, title or text. */
export function matching(rule: Rule, words: string): boolean {
  const where = `${rule.name} ${rule.title} ${rule.text} ${rule.ruling ?? ""}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => where.includes(word));
}

export interface Part {
  readonly text: string;
  /** Whether it is another rule's name. */
  readonly rule: boolean;
}

/** A rule's text in parts: names in backticks are other rules. */
export const prose = (text: string): Part[] =>
  text
    .split("`")
    .map((part, i) => ({ text: part, rule: i % 2 === 1 }))
    .filter(({ text: one }) => one !== "");
