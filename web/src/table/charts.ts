// Which chart a table plays on, and a chart as its file is written.

import type { Sea } from "../chart/drawing";
import { allPoints, around, COLUMNS, spot, type Point } from "../chart/points";
import type { ChartData, Library, Scenario, Settings } from "../wire";

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

export interface OwnChart {
  readonly title: string;
  readonly picture: string;
  /** The picture as a sea that can be drawn, if it is one. */
  readonly sea: Sea | null;
}

/** A chart of one's own, as far as it can be made out. Whether it can be played, the server says. */
export function ownChart(text: string): OwnChart {
  const [header = "", ...rest] = text.split(/\r?\n[ \t]*\r?\n/);
  const picture = rest.join("\n").trim();
  const about = (key: string): string =>
    new RegExp(`^${key}:[ \\t]*(.+?)[ \\t]*$`, "m").exec(header)?.[1] ?? "";
  return { title: about("title"), picture, sea: seaOf(picture, about) };
}

/** The marks of a chart's picture that stand for the island of a system. */
const ISLANDS: Readonly<Record<string, string>> = {
  M: "mine",
  T: "torpedo",
  D: "drone",
  S: "sonar",
  Q: "silence",
};

function seaOf(picture: string, about: (key: string) => string): Sea | null {
  const rows = picture.split("\n").map((row) => row.trim());
  const [across, down] = [rows[0]?.length ?? 0, rows.length];
  const whole = rows.every((row) => row.length === across && /^[.#o~mVrMTDSQ]+$/.test(row));
  if (!whole || Math.min(across, down) < 2 || Math.max(across, down) > COLUMNS.length) return null;
  const points = allPoints(across, down);
  const markOn = (point: Point): string => {
    const [x, y] = spot(point);
    return rows[y]?.[x] ?? "";
  };
  const where = (marks: RegExp): Point[] => points.filter((point) => marks.test(markOn(point)));
  const volcanoes = where(/V/);
  const count = Math.ceil(across / 5) * Math.ceil(down / 5);
  const labels = about("sectors").split(/\s+/).filter(Boolean);
  return {
    across,
    down,
    sectors: labels.length ? labels : Array.from({ length: count }, (_, i) => String(i + 1)),
    land: where(/[#VMTDSQ]/),
    ice: about("special") === "ice" ? where(/\./) : where(/~/),
    holes: where(/o/),
    old_mines: where(/m/),
    volcanoes,
    lava: volcanoes.map((volcano) =>
      around(volcano, across, down).filter((p) => markOn(p) === "r"),
    ),
    repairs: Object.fromEntries(
      Object.entries(ISLANDS)
        .map(([mark, system]) => [system, where(new RegExp(mark))] as const)
        .filter(([, island]) => island.length),
    ),
    finish: about("finish")
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}
