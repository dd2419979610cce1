import { describe, expect, it } from "vitest";
import type { Said } from "../src/game/duel.svelte";
import { sinceStop } from "../src/stations/stop-story";
import type { Heard } from "../src/wire";

const log = (...events: object[]): Said[] =>
  events.map((heard, number) => ({ number, at: 1, heard: heard as Heard }) as unknown as Said);
const kinds = (said: readonly Said[]): string[] => said.map(({ heard }) => heard.event);

const SURFACED = { event: "surfaced", crew: "b", sector: 9 };
const DIVED = { event: "dived", crew: "b" };
const SONAR = { event: "sonar-used", crew: "b" };

describe("what a stop shows", () => {
  it("begins with what stopped play, not with a surfacing before it", () => {
    expect(kinds(sinceStop(log(SURFACED, DIVED, SONAR), "b"))).toEqual(["sonar-used"]);
    const silence = { event: "silence", crew: "b" };
    expect(kinds(sinceStop(log(SURFACED, DIVED, silence), "b"))).toEqual(["silence"]);
    const mine = { event: "mine-laid-somewhere", crew: "b" };
    expect(kinds(sinceStop(log(SURFACED, DIVED, mine), "b"))).toEqual(["mine-laid-somewhere"]);
  });

  it("tells what came of it, and nothing that was said within a crew", () => {
    const torpedo = { event: "torpedo-fired", crew: "a", target: "D4" };
    const boom = { event: "exploded", at: "D4" };
    const stirred = { event: "volcano-stirred", crew: "a", number: 2 };
    const charged = { event: "gauge-charged", crew: "a", system: "mine" };
    const before = [SONAR, { event: "play-resumed" }];
    expect(kinds(sinceStop(log(...before, torpedo, boom, charged, stirred), "a"))).toEqual([
      "torpedo-fired",
      "exploded",
      "volcano-stirred",
    ]);
  });
});
