// Forms of words: every language counts as its grammar does, and what agrees with a name knows that name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { m } from "../src/words/gen/messages.js";

type Language = "en" | "uk" | "ru" | "pl" | "it";
interface Variants {
  readonly declarations: readonly string[];
  readonly selectors: readonly string[];
  readonly match: Readonly<Record<string, string>>;
}
type Message = string | readonly Variants[];

const LANGUAGES: readonly Language[] = ["en", "uk", "ru", "pl", "it"];
const CYRILLIC: readonly Language[] = ["uk", "ru"];

const catalogue = (language: Language): [string, Message][] =>
  Object.entries<Message>(
    JSON.parse(
      readFileSync(join(import.meta.dirname, "..", "messages", `${language}.json`), "utf8"),
    ),
  ).filter(([key]) => key !== "$schema");

const variants = (language: Language): [string, Variants][] =>
  catalogue(language).flatMap(([key, message]) =>
    typeof message === "string" ? [] : message.map((one): [string, Variants] => [key, one]),
  );

/** The forms that whole numbers take in a language. */
const counted = (language: Language): string[] => {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, n) => rules.select(n)))].sort();
};

const texts = (message: Message): string[] =>
  typeof message === "string" ? [message] : message.flatMap(({ match }) => Object.values(match));

describe("numbers", () => {
  it.each(LANGUAGES)("have every form in %s", (language) => {
    const counting = variants(language).filter(([, { selectors }]) => selectors.includes("form"));
    expect(counting.length).toBeGreaterThan(8);
    for (const [key, { match }] of counting) {
      const forms = Object.keys(match).map((one) => one.replace(/^.*form=(\w+).*$/, "$1"));
      expect([key, counted(language).filter((form) => !forms.includes(form))]).toEqual([key, []]);
    }
  });

  it("are counted as people count", () => {
    const count = (locale: Language) =>
      [1, 2, 5, 11, 21].map((n) => m.points({ count: n }, { locale }));
    expect(count("uk")).toEqual(["1 точка", "2 точки", "5 точок", "11 точок", "21 точка"]);
    expect(count("ru")).toEqual([
      "1 квадрат",
      "2 квадрата",
      "5 квадратов",
      "11 квадратов",
      "21 квадрат",
    ]);
  });
});

describe("names", () => {
  it.each(LANGUAGES)("that a message agrees with are names in %s", (language) => {
    const known = new Set(
      catalogue(language)
        .filter(([key]) => /^(system|kind)_/.test(key))
        .map(([, name]) => name),
    );
    for (const [key, { match }] of variants(language))
      for (const one of Object.keys(match)) {
        const name = /^(?:system|kind)=(.+)$/.exec(one)?.[1];
        if (name && name !== "*") expect([key, name, known.has(name)]).toEqual([key, name, true]);
      }
  });

  it("decide the word beside them", () => {
    const ready = (locale: Language) =>
      [m.system_torpedo, m.system_drone].map((name) =>
        m.said_ready({ system: name({}, { locale }) }, { locale }),
      );
    expect(ready("uk")).toEqual(["Торпеда готова!", "Дрон готовий!"]);
    expect(ready("ru")).toEqual(["Торпеда готова!", "Дрон готов!"]);
    const system = m.system_torpedo({}, { locale: "ru" });
    expect(m.phrase_please_charge({ system }, { locale: "ru" })).toBe(
      "Зарядите торпеду, пожалуйста",
    );
  });
});

describe("letters", () => {
  it.each(CYRILLIC)("of two alphabets meet in no word of %s", (language) => {
    for (const [key, message] of catalogue(language))
      for (const text of texts(message)) {
        const words = text.replace(/\{\w+\}/g, " ").match(/[\p{L}\u00ad]+/gu) ?? [];
        const mixed = words.filter(
          (word) => /\p{Script=Latin}/u.test(word) && /\p{Script=Cyrillic}/u.test(word),
        );
        expect([key, mixed]).toEqual([key, []]);
      }
  });

  it.each(CYRILLIC)("are those of %s, but for orders as they are typed", (language) => {
    const latin = catalogue(language)
      .filter(([key]) => key !== "command_hint")
      .flatMap(([, message]) =>
        texts(message).flatMap((text) => text.replace(/\{\w+\}/g, "").match(/[a-z]+/gi) ?? []),
      );
    expect([...new Set(latin)]).toEqual(["QR"]);
  });
});
