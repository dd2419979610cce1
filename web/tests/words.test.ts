// The catalogues: every key is used, every key that is used is there, in every language.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Failed } from "../src/api";
import { failure, trouble } from "../src/words/errors";
import { lettersOf, spell } from "../src/words/letters";
import { preferred } from "../src/words/tongue.svelte";

const root = join(import.meta.dirname, "..");
const catalogue = (language: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, "messages", `${language}.json`), "utf8"));
const keys = (language: string): string[] =>
  Object.keys(catalogue(language))
    .filter((key) => key !== "$schema")
    .sort();

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "gen" ? [] : sources(path);
    return /\.(ts|svelte)$/.test(name) ? [readFileSync(path, "utf8")] : [];
  });
}
const text = sources(join(root, "src")).join("\n");
const used = new Set([...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key!));

/** What a message takes: its inputs in braces. */
const inputs = (message: unknown): string[] => {
  const found = new Set(
    [...JSON.stringify(message).matchAll(/\{([a-z]\w*)\}/gi)].map(([, name]) => name!),
  );
  return [...found].sort();
};

describe("words", () => {
  it("are all used", () => {
    expect(keys("en").filter((key) => !used.has(key))).toEqual([]);
  });

  it("are all there", () => {
    const known = new Set(keys("en"));
    expect([...used].filter((key) => !known.has(key))).toEqual([]);
  });

  for (const language of ["uk", "ru", "pl", "it"]) {
    it(`are the same in ${language}`, () => {
      expect(keys(language)).toEqual(keys("en"));
      const [theirs, ours] = [catalogue(language), catalogue("en")];
      for (const key of keys("en"))
        expect([key, inputs(theirs[key])]).toEqual([key, inputs(ours[key])]);
    });
  }
});

describe("errors", () => {
  it("say when the next table may be opened", () => {
    const soon = failure(new Failed("too-many-tables", { seconds: 61 }));
    expect(soon).toBe("You can open another table in 2 minutes.");
    expect(failure(new Failed("too-many-tables"))).not.toContain("minute");
    expect(failure(new Error("?"))).toBe(trouble("internal"));
  });
});

describe("languages", () => {
  it("follow the browser", () => {
    expect(preferred(["de-DE", "uk-UA", "en"])).toBe("uk");
    expect(preferred(["ja"])).toBe("en");
  });

  it("letter the columns by choice", () => {
    expect(spell("E2", lettersOf("uk", true))).toBe("Ґ2");
    expect(spell("E2", lettersOf("uk", false))).toBe("E2");
    expect(lettersOf("uk", true).join("")).toBe("АБВГҐДЕЄЖЗИІЇЙК");
    for (const language of ["en", "uk", "ru", "pl", "it"] as const)
      expect(new Set(lettersOf(language, true)).size).toBe(15);
  });
});
