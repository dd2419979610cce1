// What could not be done, in words, by the error's key.

import type { ErrorKey } from "../wire";
import { m } from "./gen/messages.js";
import { isRule, refusal } from "./refusals";

const ERRORS: Record<ErrorKey | "offline", () => string> = {
  "bad-message": m.error_bad_message,
  "bad-protocol": m.error_bad_protocol,
  "bad-token": m.error_bad_token,
  "bad-name": m.error_bad_name,
  "bad-recovery": m.error_bad_recovery,
  "bad-chart": m.error_bad_chart,
  "too-long": m.error_too_long,
  "too-many-messages": m.error_too_many_messages,
  "too-many-connections": m.error_too_many_connections,
  "too-many-tables": m.error_too_many_tables,
  "too-much-chat": m.error_too_much_chat,
  "unknown-table": m.error_unknown_table,
  "unknown-game": m.error_unknown_game,
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
  "watching-not-allowed": m.error_watching_not_allowed,
  "not-open": m.error_not_open,
  "not-saved": m.error_not_saved,
  "going-down": m.error_going_down,
  internal: m.error_internal,
  "bad-origin": m.error_bad_origin,
  offline: m.error_offline,
};

/** The sentence for an error's key or a rule's name. */
export function trouble(key: string): string {
  if (isRule(key)) return refusal(key);
  return (ERRORS[key as ErrorKey] ?? ERRORS.internal)();
}
