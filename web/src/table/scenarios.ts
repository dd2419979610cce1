// The scenarios in a few words, in the reader's language.

import type { Scenario } from "../wire";
import { m } from "../words";

const ABOUT: Record<string, () => string> = {
  alpha: m.chart_about_alpha,
  bravo: m.chart_about_bravo,
  charlie: m.chart_about_charlie,
  delta: m.chart_about_ice,
  echo: m.chart_about_old_mines,
  "alpha-2": m.chart_about_alpha_2,
  "bravo-2": m.chart_about_bravo_2,
  "charlie-2": m.chart_about_ice,
  "delta-2": m.chart_about_volcanoes,
  "echo-2": m.chart_about_damaged,
  archipelago: m.chart_about_corners,
  antarctica: m.chart_about_ice,
  "jules-verne": m.chart_about_scattered,
  umbria: m.chart_about_scattered,
};

/** What a scenario is like; one that we don't know is described in its own words. */
export const aboutScenario = (scenario: Scenario): string =>
  ABOUT[scenario.name]?.() ?? scenario.about;
