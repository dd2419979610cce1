import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LONGEST_NAME, sameName, tidyName, wrongName } from "../src/player/name";
import { namesIn, suggestName } from "../src/player/suggest";
import { sharedName } from "../src/table/people";
import type { TableState } from "../src/wire";
import { LANGUAGES, type Language } from "../src/words";

const names = JSON.parse(readFileSync(join(import.meta.dirname, "names.json"), "utf8")) as Record<
  "fine" | "wrong",
  string[]
>;

const ALL = Object.keys(LANGUAGES) as Language[];

describe("a name", () => {
  it("is refused in a sentence that says why", () => {
    expect(wrongName("   ")).toMatch(/Enter a name/);
    expect(wrongName("x".repeat(LONGEST_NAME + 1))).toMatch(/41 characters of at most 40/);
    for (const unseen of ["\u3164", "\u2800", "\u200b\u200d", "\u0301\u0301"])
      expect(wrongName(unseen)).toMatch(/Nobody could see/);
    expect(wrongName("mara  kelp", ["Mara Kelp"])).toMatch(/already called mara kelp/);
  });

  it("may be written in any script, and with emoji", () => {
    for (const fine of ["Олена", "می‌خواهم", "蒼", "👩‍🚀 Ada", "x".repeat(LONGEST_NAME)])
      expect([fine, wrongName(fine)]).toEqual([fine, null]);
  });

  it("is judged as the server judges it", () => {
    for (const fine of names.fine) expect([fine, wrongName(fine)]).toEqual([fine, null]);
    for (const wrong of names.wrong) expect([wrong, wrongName(wrong)]).not.toEqual([wrong, null]);
  });

  it("is the same however it is spaced and capitalised", () => {
    expect(tidyName("  Mara \t Kelp ")).toBe("Mara Kelp");
    expect(sameName("ＭＡＲＡ kelp", "Mara  Kelp")).toBe(true);
    expect(sameName("Mara", "Maria")).toBe(false);
  });
});

describe("suggested names", () => {
  it("are so many that eight people hardly ever clash", () => {
    for (const language of ALL) {
      const clash =
        1 -
        Array.from({ length: 8 }).reduce<number>(
          (fine, _, i) => fine * (1 - i / namesIn(language)),
          1,
        );
      expect(clash).toBeLessThan(0.02);
    }
  });

  it("are good names, in every language", () => {
    for (const language of ALL) {
      let number = 0;
      const dice = (): number => (number = (number + 0.618033988749895) % 1);
      const some = Array.from({ length: 3000 }, () => suggestName(language, [], dice));
      expect(some.filter((name) => wrongName(name) || name.length > 24)).toEqual([]);
    }
  });

  it("are not what somebody else is called", () => {
    const rolls = [0, 0, 0, 0, 0.5, 0.5];
    const first = suggestName("en", [], () => 0);
    const next = suggestName("en", [first.toUpperCase()], () => rolls.shift()!);
    expect(next).not.toBe(first);
    expect(rolls).toEqual([]);
  });
});

describe("two of one name at a table", () => {
  const person = (who: string, name: string) => ({ kind: "person" as const, who, name });
  const table = (...holders: ReturnType<typeof person>[]): TableState =>
    ({
      crews: [{ berths: holders.map((holder) => ({ post: "captain", holder })) }, { berths: [] }],
    }) as unknown as TableState;

  it("are told, and nobody else is", () => {
    const seen = table(person("1", "Ada"), person("2", "ada"), person("3", "Bob"));
    expect(sharedName(seen, "1")).toBe("Ada");
    expect(sharedName(seen, "2")).toBe("ada");
    expect(sharedName(seen, "3")).toBeNull();
    expect(sharedName(table(person("1", "Ada"), person("1", "Ada")), "1")).toBeNull();
  });
});
