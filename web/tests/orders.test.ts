// Standing orders: what is agreed, what was changed, and the way back.
import { beforeEach, describe, expect, it } from "vitest";
import { chartText, ownChart } from "../src/table/charts";
import { forbids, inTheWay } from "../src/table/obstacles";
import { changed, furtherOrders, type Agreed, type Row } from "../src/table/orders";
import { ruled, rulingOrders } from "../src/table/rulings";
import { span } from "../src/words/names";
import type { ChartData, Library, Options, Rules, RulingField, Settings } from "../src/wire";

const USUAL = {
  rulebook: "captain-sonar",
  mode: "turn-by-turn",
  chart_text: null,
  rulings: {},
  house: { stations: "open", pause_seconds: 3, answer_seconds: null, leaving: "bot" },
  clocks: { turn_seconds: null, game_seconds: null },
  watching: "public",
  watch_delay: 120,
  listed: true,
} as unknown as Settings;
const FIELDS = [
  { name: "torpedo_range", meaning: "", values: { "captain-sonar": 4 }, least: 0, most: 14 },
  { name: "mine_armed", meaning: "", values: { "captain-sonar": "at-once" } },
  { name: "draw", meaning: "", values: { "captain-sonar": true } },
  { name: "energy", meaning: "", values: { "captain-sonar": null } },
  {
    name: "unheard_of",
    meaning: "Whether it is new (end.draw).",
    values: { "captain-sonar": true },
  },
].map((field) => ({ choices: [], ...field })) as unknown as RulingField[];
const LAW = {
  sections: [
    { name: "systems", title: "Systems" },
    { name: "end", title: "The end" },
  ],
  rules: [
    { name: "torpedo.range", section: "systems", title: "How far a torpedo goes" },
    { name: "mine.armed", section: "systems", title: "When a mine is armed" },
    { name: "energy.gauge", section: "systems", title: "Energy" },
    { name: "end.draw", section: "end", title: "Both sunk at once" },
  ],
} as unknown as Rules;

let settings: Settings;
const agreed = (): Agreed => ({
  shelf: { rulings: FIELDS, rulebooks: [] } as unknown as Library,
  settings,
  options: { sheets: [], clocks: {} } as unknown as Options,
  boats: ["Halcyon", "Grampus"],
  change: (next) => (settings = next),
});
const order = (name: string): Row =>
  furtherOrders(agreed())
    .flatMap(({ rows }) => rows)
    .find((row) => row.name === name)!;
const ruling = (name: string): Row =>
  rulingOrders(agreed(), LAW)
    .flatMap(({ rows }) => rows)
    .find((row) => row.name === name)!;

beforeEach(() => (settings = USUAL));

describe("standing orders", () => {
  it("are unchanged at first", () => {
    const rows = furtherOrders(agreed()).flatMap((group) => group.rows);
    expect(rows.filter(changed).map(({ name }) => name)).toEqual([]);
  });

  it("are set, marked and set back", () => {
    order("A turn").set("60");
    expect(settings.clocks).toEqual({ turn_seconds: 60, game_seconds: null });
    expect(changed(order("A turn"))).toBe(true);
    order("A turn").set(order("A turn").usual!);
    expect(settings).toEqual(USUAL);
  });

  it("show a time that is none of the usual ones", () => {
    settings = { ...USUAL, watching: "everything", watch_delay: 45 };
    expect(order("Delay").choices.map(({ value }) => value)).toContain("45");
    expect(order("What they see").note).toContain("45 s");
  });

  it("say which have no effect in this game", () => {
    expect(order("A turn").idle).toBe(false);
    settings = { ...USUAL, mode: "real-time" };
    expect(order("A turn").idle).toBe(true);
    expect(order("A turn").note).toBe("turn by turn only");
  });

  it("tell times in whole minutes, or else in seconds", () => {
    expect([1, 30, 60, 90, 300].map(span)).toEqual(["1 s", "30 s", "1 min", "90 s", "5 min"]);
  });
});

describe("rulings", () => {
  it("stand in the rules' chapters, with their rule's title", () => {
    expect(rulingOrders(agreed(), LAW).map(({ name }) => name)).toEqual(["Systems", "The end"]);
    expect(ruling("Steps of a torpedo").rule!.title).toBe("How far a torpedo goes");
    expect(ruling("Steps of a torpedo").steps).toEqual({ least: 0, most: 14 });
  });

  it("keep their kind when they are set, and leave nothing when set back", () => {
    ruling("Steps of a torpedo").set("6");
    ruling("Both sunk at once is a draw").set("no");
    expect(settings.rulings).toEqual({ torpedo_range: 6, draw: false });
    ruling("Steps of a torpedo").set("4");
    expect(settings.rulings).toEqual({ draw: false });
  });

  it("of a newer server are told in its words", () => {
    expect(ruling("Whether it is new (end.draw).").rule!.title).toBe("Both sunk at once");
  });

  it("are written down only where they differ", () => {
    const energy = { boxes: 4 };
    expect(ruled({}, "energy", { boxes: 5 }, energy)).toEqual({ energy: { boxes: 5 } });
    expect(ruled({ energy: { boxes: 5 } }, "energy", { boxes: 4 }, energy)).toEqual({});
  });
});

describe("a chart of one's own", () => {
  const printed = {
    chart: {
      title: "Ice",
      rows: ["..", ".#"],
      special: "ice",
      starts: null,
      finish: [],
      sectors: [],
    },
  } as unknown as ChartData;

  it("begins as a printed one is written", () => {
    expect(chartText(printed)).toBe("title: Ice\nspecial: ice\n\n..\n.#\n");
    const { title, picture, sea } = ownChart(chartText(printed));
    expect([title, picture]).toEqual(["Ice", "..\n.#"]);
    expect(sea).toMatchObject({ across: 2, down: 2, land: ["B2"], ice: ["A1", "B1", "A2"] });
  });

  it("is drawn as the printed ones are, as far as it can be read", () => {
    const text = "title: All\nspecial: volcanoes\nfinish: C1\n\nrVr\nTo~\n#m.\n";
    expect(ownChart(text).sea).toEqual({
      across: 3,
      down: 3,
      sectors: ["1"],
      land: ["B1", "A2", "A3"],
      ice: ["C2"],
      holes: ["B2"],
      old_mines: ["B3"],
      volcanoes: ["B1"],
      lava: [["A1", "C1"]],
      repairs: { torpedo: ["A2"] },
      finish: ["C1"],
    });
    for (const picture of ["", ".", "..\n.", "..\n.?", `${".".repeat(16)}\n${".".repeat(16)}`])
      expect(ownChart(`title: Bad\n\n${picture}\n`).sea).toBeNull();
  });

  it("that can't be read says where, and no game begins", () => {
    const bad = { key: "bad-chart", arguments: { line: 3, column: 2 } };
    expect(inTheWay(bad)).toContain("Line 3, sign 2");
    expect(forbids(bad)).toBe(true);
    expect(forbids({ key: "not-ready", arguments: {} })).toBe(false);
  });
});
