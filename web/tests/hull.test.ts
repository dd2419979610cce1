import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import Hull from "../src/instruments/Hull.svelte";

let shown: Record<string, unknown> | null = null;

function sections(damage: number, sinks: number): { all: number; hollow: number } {
  shown = mount(Hull, { target: document.body, props: { damage, sinks, whose: "us" } });
  flushSync();
  const paths = [...document.querySelectorAll("path.section")];
  const hollow = paths.filter((path) => path.getAttribute("fill") === "none");
  return { all: paths.length, hollow: hollow.length };
}

afterEach(() => {
  if (shown) void unmount(shown);
  document.body.replaceChildren();
});

test.each([1, 2, 3, 4, 6])("a hull that %i damage sink has as many sections", (sinks) => {
  expect(sections(0, sinks)).toEqual({ all: sinks, hollow: 0 });
});

test("each damage makes one of them hollow", () => {
  expect(sections(1, 2)).toEqual({ all: 2, hollow: 1 });
});

test("more damage than sinks makes no more hollow than there are", () => {
  expect(sections(2, 1)).toEqual({ all: 1, hollow: 1 });
});
