// Polish and Italian: numbers, cases and genders as their grammars have them.
import { describe, expect, it } from "vitest";
import { m } from "../src/words/gen/messages.js";

type Locale = "pl" | "it";

const SYSTEMS = [
  m.system_mine,
  m.system_torpedo,
  m.system_drone,
  m.system_sonar,
  m.system_silence,
  m.system_scenario,
];
const KINDS = [m.kind_red, m.kind_green, m.kind_yellow, m.kind_radiation];

/** A sentence about each system, one after the other. */
const ofEach = (
  sentence: (about: { system: string }, how: { locale: Locale }) => string,
  locale: Locale,
): string =>
  SYSTEMS.map((name) => sentence({ system: name({}, { locale }) }, { locale })).join(" ");

const spared = (locale: Locale): string[] =>
  KINDS.map((name) => m.phrase_please_spare({ kind: name({}, { locale }) }, { locale }));

describe("Polish", () => {
  it("counts by one, few and many", () => {
    const said = [0, 1, 2, 4, 5, 12, 21, 22, 112].map((count) =>
      m.points({ count }, { locale: "pl" }),
    );
    expect(said.join(", ")).toBe(
      "0 pól, 1 pole, 2 pola, 4 pola, 5 pól, 12 pól, 21 pól, 22 pola, 112 pól",
    );
  });

  it("agrees with a system's gender and case", () => {
    expect(ofEach(m.said_ready, "pl")).toBe(
      "Mina gotowa! Torpeda gotowa! Dron gotowy! Sonar gotowy! Cisza gotowa! Misja gotowa!",
    );
    expect(ofEach(m.charge_system, "pl")).toBe(
      "Ładuj minę Ładuj torpedę Ładuj drona Ładuj sonar Ładuj ciszę Ładuj system misji",
    );
    expect(ofEach(m.use_system, "pl")).toBe(
      "Użyj miny Użyj torpedy Użyj drona Użyj sonaru Użyj ciszy Użyj systemu misji",
    );
    expect(spared("pl")[0]).toBe("Proszę oszczędzać broń");
    expect(spared("pl").filter((said) => said.includes(":"))).toEqual([]);
  });
});

describe("Italian", () => {
  it("counts by one and other", () => {
    const said = [0, 1, 2, 21].map((count) => m.points({ count }, { locale: "it" }));
    expect(said.join(", ")).toBe("0 spazi, 1 spazio, 2 spazi, 21 spazi");
  });

  it("agrees with a system's gender and article", () => {
    expect(ofEach(m.said_ready, "it")).toBe(
      "Mina pronta! Siluro pronto! Drone pronto! Sonar pronto! Stealth pronto! Scenario pronto!",
    );
    expect(ofEach(m.use_system, "it")).toBe(
      "Usa la mina Usa il siluro Usa il drone Usa il sonar Usa lo stealth Usa il sistema scenario",
    );
    expect(spared("it")[0]).toBe("Risparmia le armi, per favore");
    expect(spared("it").filter((said) => said.includes(":"))).toEqual([]);
  });
});
