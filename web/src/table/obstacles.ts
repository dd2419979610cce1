// What stands in the way of a game, with the numbers that it is about.

import type { Obstacle } from "../wire";
import { m } from "../words";
import { trouble } from "../words/errors";

export function inTheWay({ key, arguments: about }: Obstacle): string {
  const number = (name: string): number => Number(about[name] ?? 0);
  if (key === "crew.mode" && "fewest" in about)
    return m.mode_players({
      fewest: number("fewest"),
      most: number("most"),
      players: number("players"),
    });
  if (key === "crew.sizes" && "a" in about)
    return m.crews_uneven({ a: number("a"), b: number("b") });
  if (key === "bad-chart" && "line" in about)
    return m.own_chart_bad({ line: number("line"), column: number("column") });
  return trouble(key);
}

/** Whether what is agreed can't be played: a rule, or a chart that can't be read. */
export const forbids = ({ key }: Obstacle): boolean => key.includes(".") || key === "bad-chart";
