// What could not be done, in words, by the error's key.

import { Failed } from "../api";
import type { Ban } from "../link.svelte";
import type { ErrorKey } from "../wire";
import { m } from "./gen/messages.js";
import { isRule, refusal } from "./refusals";
import { tongue } from "./tongue.svelte";

/** What the server does not call an error, but what is in the way all the same. */
type Obstacle = "offline" | "closed";

const ERRORS: Record<ErrorKey | Obstacle, () => string> = {
  "bad-message": m.error_bad_message,
  "bad-protocol": m.error_bad_protocol,
  "bad-token": m.error_bad_token,
  "token-ended": m.error_token_ended,
  "not-in-scope": m.error_not_in_scope,
  "bad-name": m.error_bad_name,
  "bad-recovery": m.error_bad_recovery,
  "bad-chart": m.error_bad_chart,
  "too-long": m.error_too_long,
  "too-many-messages": m.error_too_many_messages,
  "too-many-connections": m.error_too_many_connections,
  "too-many-tables": m.error_too_many_tables,
  "too-many-tokens": m.error_too_many_tokens,
  "too-much-chat": m.error_too_much_chat,
  "unknown-table": m.error_unknown_table,
  "unknown-game": m.error_unknown_game,
  "unknown-token": m.error_unknown_token,
  "unknown-scenario": m.error_unknown_scenario,
  "unknown-path": m.error_unknown_path,
  "bad-method": m.error_bad_method,
  "not-at-this-table": m.error_not_at_this_table,
  "not-your-seat": m.error_not_your_seat,
  "not-the-host": m.error_not_the_host,
  "post-taken": m.error_post_taken,
  "post-empty": m.error_post_empty,
  "seats-empty": m.error_seats_empty,
  "not-ready": m.error_not_ready,
  "game-is-on": m.error_game_is_on,
  "no-game": m.error_no_game,
  "game-not-over": m.error_game_not_over,
  "game-too-long": m.error_game_too_long,
  "watching-not-allowed": m.error_watching_not_allowed,
  removed: m.error_removed,
  "table-locked": m.error_table_locked,
  muted: m.error_muted,
  banned: m.error_banned,
  "unknown-player": m.error_unknown_player,
  "unknown-entry": m.error_unknown_entry,
  "not-open": m.error_not_open,
  busy: m.error_busy,
  "not-saved": m.error_not_saved,
  "going-down": m.error_going_down,
  internal: m.error_internal,
  "bad-origin": m.error_bad_origin,
  offline: m.error_offline,
  closed: m.error_closed,
};

/** The sentence for an error's key or a rule's name, with the numbers that it is about. */
export function trouble(
  key: string,
  about: Readonly<Record<string, string | number>> = {},
): string {
  if (isRule(key)) return refusal(key);
  if (key === "too-many-tables" && "seconds" in about)
    return m.error_too_many_tables_until({
      count: Math.max(1, Math.ceil(Number(about.seconds) / 60)),
    });
  return (ERRORS[key as ErrorKey] ?? ERRORS.internal)();
}

/** Why somebody is banned, and until when. */
export function banWords({ reason, until }: Ban): string {
  const why = reason ? [m.banned_reason({ reason })] : [];
  const format = { dateStyle: "long", timeStyle: "short" } as const;
  const when = until
    ? [m.banned_until({ date: new Date(until).toLocaleString(tongue.current, format) })]
    : [];
  return [...why, ...when].join(" · ");
}

/** The sentence for whatever went wrong. */
export const failure = (why: unknown): string =>
  why instanceof Failed ? trouble(why.key, why.values) : trouble("internal");
