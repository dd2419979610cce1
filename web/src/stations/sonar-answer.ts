// Composing an answer to a sonar: two facts of different kinds, one true and one false.

import { COLUMNS } from "../chart/points";
import type { AnswerSonar } from "../wire";

export type FactName = "column" | "row" | "sector";
export const FACTS: readonly FactName[] = ["column", "row", "sector"];

/** A number for each fact, counted from 0. */
export type Numbers = Readonly<Record<FactName, number>>;

/** What is said of each fact: nothing, the truth, or a lie that may not be chosen yet. */
export type Draft = Readonly<Record<FactName, "off" | "true" | { readonly lie: number | null }>>;

/** Nothing is said before somebody chose it: whatever stood here would be told too often. */
export const EMPTY: Draft = { column: "off", row: "off", sector: "off" };

const sort = (told: Draft[FactName]): "off" | "true" | "lie" =>
  typeof told === "string" ? told : "lie";

/** Tell a fact truly or falsely, or no more; at most one of each sort is told. */
export function tell(draft: Draft, fact: FactName, choice: "true" | "lie"): Draft {
  const next = { ...draft };
  if (sort(draft[fact]) === choice) return { ...next, [fact]: "off" };
  for (const other of FACTS) if (sort(next[other]) === choice) next[other] = "off";
  return { ...next, [fact]: choice === "true" ? "true" : { lie: null } };
}

/** Turn a lie on; the first turn leads to the first or the last value. The truth is skipped. */
export function turn(
  draft: Draft,
  fact: FactName,
  by: 1 | -1,
  truth: Numbers,
  sizes: Numbers,
): Draft {
  const told = draft[fact];
  if (typeof told === "string") return draft;
  const size = sizes[fact];
  const from = told.lie ?? (by > 0 ? -1 : size);
  let lie = (from + by + size) % size;
  if (lie === truth[fact]) lie = (lie + by + size) % size;
  return { ...draft, [fact]: { lie } };
}

/** What would be said of a fact; null where nothing is. */
export function value(draft: Draft, fact: FactName, truth: Numbers): number | null {
  const told = draft[fact];
  if (told === "off") return null;
  return told === "true" ? truth[fact] : told.lie;
}

/** The order, once one fact is true and another false. */
export function answerOf(draft: Draft, truth: Numbers): AnswerSonar | null {
  const told = FACTS.filter((fact) => value(draft, fact, truth) !== null);
  const sorts = new Set(told.map((fact) => sort(draft[fact])));
  if (told.length !== 2 || sorts.size !== 2) return null;
  const [column, row, sector] = FACTS.map((fact) => value(draft, fact, truth));
  return {
    order: "answer",
    column: column == null ? null : COLUMNS[column]!,
    row: row == null ? null : row + 1,
    sector: sector == null ? null : sector + 1,
  };
}

/** The draft of an answer that somebody else composed. */
export function draftOf(order: AnswerSonar, truth: Numbers): Draft {
  const said = {
    column: order.column == null ? null : COLUMNS.indexOf(order.column),
    row: order.row == null ? null : order.row - 1,
    sector: order.sector == null ? null : order.sector - 1,
  };
  const told = (fact: FactName): Draft[FactName] => {
    const lie = said[fact];
    if (lie === null) return "off";
    return lie === truth[fact] ? "true" : { lie };
  };
  return { column: told("column"), row: told("row"), sector: told("sector") };
}
