// Whom to play next.

import type { Rank } from "../wire";

/** After a win the next rank, if there is one; after anything else the same once more. */
export function nextRank(ranks: readonly Rank[], now: Rank, won: boolean): Rank {
  const place = ranks.indexOf(now);
  return won && place >= 0 ? (ranks[place + 1] ?? now) : now;
}
