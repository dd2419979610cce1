// Steering: by helm, swipe or arrow key it is the same order, and the same refusal.

import { ARROW_KEYS, type Heading } from "../chart/points";
import type { Bridge } from "./bridge.svelte";

export function steer(bridge: Bridge, heading: Heading): void {
  const order = bridge.choices.course(heading);
  if (order) void bridge.give(order);
  else {
    const key = document.querySelector(`.helm [data-heading="${heading}"]`);
    bridge.refuse(bridge.choices.why(`course ${heading}`) ?? "turn.yours", key);
  }
}

/** What has its own use for the arrow keys. */
const OWN_ARROWS = "[role=grid], [role=application], [role=slider], input, select, textarea";

export function steerByKey(bridge: Bridge, event: KeyboardEvent): void {
  const heading = ARROW_KEYS[event.key];
  const busy = (event.target as Element).closest(OWN_ARROWS) || bridge.aim;
  const other = event.ctrlKey || event.altKey || event.metaKey;
  if (!heading || busy || other || !bridge.holds("captain")) return;
  event.preventDefault();
  steer(bridge, heading);
}

/** Choose the mine that is set off; if there is only one, it is chosen. */
export function trigger(bridge: Bridge): void {
  const points = [...bridge.choices.points("trigger")];
  if (points.length)
    bridge.aim = { what: "trigger", point: points.length === 1 ? points[0]! : null };
  else bridge.refuse(bridge.choices.why("trigger") ?? "mine.trigger");
}
