// Which chart a table plays on, and a chart as its file is written.

import type { ChartData, Library, Scenario, Settings } from "../wire";

const TITLE = /^title:\s*(.+?)\s*$/m;

export function chosenScenario(shelf: Library | null, settings: Settings): Scenario | undefined {
  const book = shelf?.rulebooks.find(({ name }) => name === settings.rulebook);
  const chosen = settings.scenario ?? book?.first_scenario;
  return shelf?.scenarios.find(({ name }) => name === chosen);
}

/** The scenario's chart in the size that the mode is played on. */
export function chosenChart(shelf: Library | null, settings: Settings): ChartData | undefined {
  const book = shelf?.rulebooks.find(({ name }) => name === settings.rulebook);
  const pace = settings.mode === "real-time" ? book?.real_time : book?.turn_by_turn;
  const scenario = chosenScenario(shelf, settings);
  const wanted = (pace?.chart_side ?? 10) > 10 ? scenario?.large : scenario?.small;
  return shelf?.charts.find(({ chart }) => chart.name === wanted);
}

/** A chart as somebody would write it: lines of "key: value", an empty line, the picture. */
export function chartText({ chart }: ChartData): string {
  const header = [`title: ${chart.title}`];
  if (chart.special !== "none") header.push(`special: ${chart.special}`);
  if (chart.starts) header.push(`starts: ${[...chart.starts].join(", ")}`);
  if (chart.finish.length) header.push(`finish: ${chart.finish.join(", ")}`);
  if (chart.sectors.length) header.push(`sectors: ${chart.sectors.join(" ")}`);
  return [...header, "", ...chart.rows, ""].join("\n");
}

/** The title and the picture of a chart of one's own, as far as they can be made out. */
export function ownChart(text: string): { title: string; picture: string } {
  const title = TITLE.exec(text)?.[1] ?? "";
  const [, ...rest] = text.split(/\r?\n[ \t]*\r?\n/);
  return { title, picture: rest.join("\n").trim() };
}
