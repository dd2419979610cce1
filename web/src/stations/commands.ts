// Orders as words, in the wire's own vocabulary: "course N", "torpedo N8", "charge mine", "cross-out S3".

import { COLUMNS } from "../chart/points";
import type { Choices } from "../game/offer";
import type { AnyOrder, Post } from "../wire";

export type Meant =
  { kind: "order"; order: AnyOrder } | { kind: "post"; post: Post } | { kind: "nothing" };

const POSTS: readonly Post[] = ["captain", "first-mate", "engineer", "radio-operator"];

/** An order in words; what it names comes after its tag. */
export function phrase(order: AnyOrder, letters: readonly string[]): string {
  const named = Object.entries(order)
    .filter(
      ([key, value]) =>
        key !== "order" && value !== null && value !== undefined && typeof value !== "object",
    )
    .map(([key, value]) =>
      key === "at" || key === "target"
        ? shown(String(value), letters)
        : key === "column"
          ? shown(String(value), letters)
          : String(value),
    );
  return [order.order, ...named].join(" ");
}

const shown = (point: string, letters: readonly string[]): string =>
  (letters[COLUMNS.indexOf(point.charAt(0))] ?? point.charAt(0)) + point.slice(1);

/** All that may be said now. */
export const commands = (choices: Choices, letters: readonly string[]): string[] =>
  choices.orders.map((order) => phrase(order, letters));

/** What a line of words means, among what is offered. */
export function understand(text: string, choices: Choices, letters: readonly string[]): Meant {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const post = POSTS.find((one) => one === words);
  if (post) return { kind: "post", post };
  const short: Record<string, string> = {
    n: "course n",
    s: "course s",
    e: "course e",
    w: "course w",
    end: "end-turn",
  };
  const meant = short[words] ?? words;
  const order = choices.orders.find(
    (one) =>
      phrase(one, letters).toLowerCase() === meant ||
      phrase(one, [...COLUMNS]).toLowerCase() === meant,
  );
  return order ? { kind: "order", order } : { kind: "nothing" };
}
