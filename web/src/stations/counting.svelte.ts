// A countdown that follows a game for as long as a component is there.

import { untrack } from "svelte";
import { Countdown } from "../game/countdown.svelte";
import type { Duel } from "../game/duel.svelte";
import { link } from "../link.svelte";

const EVERY = 100;

export function countDown(duel: () => Duel): Countdown {
  const countdown = new Countdown();
  $effect.pre(() => {
    const { clock } = duel();
    if (!clock) return;
    const heard = performance.now() - (Date.now() - clock.at);
    untrack(() => countdown.tell(clock.face, heard));
  });
  $effect(() => {
    // Without a line nobody knows whether the server's clocks run.
    if (!countdown.running || link.state !== "open") return;
    const timer = setInterval(() => countdown.tick(performance.now()), EVERY);
    return () => clearInterval(timer);
  });
  return countdown;
}
