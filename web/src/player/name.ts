// A player's name: what is wrong with it, in a sentence, and whether two look the same.
// The server checks the same (checked_name in identity.py); tests/names.json holds both together.

import { m } from "../words";

export const LONGEST_NAME = 40;

/** More marks on one letter than any language needs. */
const TOWER = /\p{M}{5}/u;

/** Fillers, the blank Braille pattern, and variation selectors but for the one that emoji need. */
const FILLER =
  /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\u{e0100}-\u{e01ef}]/u;

/** Signs that take room and show nothing: fillers, and marks on nothing. */
const UNSEEN = new RegExp(`${FILLER.source}|[\\p{C}\\p{Z}\\p{M}]`, "gu");

/** What can't be shown: all but spaces and the joiners of Persian words and of emoji. */
const UNPRINTABLE = /(?![ \u200c\u200d])[\p{C}\p{Z}]/u;

const MARK_ON_NOTHING = /(^|[^\p{L}\p{N}\p{P}\p{S}\p{M}])\p{M}/u;

/** Joiners where they join nothing: beside what is no letter or emoji, or in scripts like ours. */
const IDLE_JOINER =
  /(?<![\u0590-\u{10ffff}])[\u200c\u200d]|(?<![\p{L}\p{M}\p{S}])[\u200c\u200d]|[\u200c\u200d](?![\u0590-\u{10ffff}])|[\u200c\u200d](?![\p{L}\p{S}])/u;

const WRONG = [FILLER, UNPRINTABLE, MARK_ON_NOTHING, TOWER, IDLE_JOINER];

export const tidyName = (name: string): string => name.split(/\s+/u).filter(Boolean).join(" ");

export const sameName = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (name: string): string => tidyName(name.normalize("NFKC")).toLowerCase();

/** Why a name won't do, or null. */
export function wrongName(name: string, taken: readonly string[] = []): string | null {
  const tidy = tidyName(name);
  const count = [...tidy].length;
  if (!count) return m.name_empty();
  if (count > LONGEST_NAME) return m.name_too_long({ count, most: LONGEST_NAME });
  if (!tidy.replace(UNSEEN, "")) return m.name_invisible();
  if (WRONG.some((signs) => signs.test(tidy))) return m.name_unseen_signs();
  if (taken.some((other) => sameName(other, tidy))) return m.name_taken({ name: tidy });
  return null;
}
