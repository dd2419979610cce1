// The shape of the page, where a component needs more than CSS: as css/frame.css has it.

import { MediaQuery } from "svelte/reactivity";

/** A phone held upright: tabs below, one thing above the other. */
export const phone = new MediaQuery("(max-width: 640px) and (max-aspect-ratio: 4/3)");

/** A phone held sideways: the chart or sheet at full height, the posts in a rail. */
export const sideways = new MediaQuery("(max-height: 480px) and (min-aspect-ratio: 4/3)");

/** Room for all posts at once. */
export const roomy = new MediaQuery("(min-width: 901px) and (min-height: 481px)");

/** Played with a finger. */
export const touch = new MediaQuery("(pointer: coarse)");
