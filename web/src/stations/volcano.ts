// What a crew's weapons bring about where there are volcanoes.

import { m } from "../words";

const NEXT = [m.volcano_next_1, m.volcano_next_2, m.volcano_next_3];

/** The event that comes next, after so many. */
export const volcanoNext = (events: number): string => (NEXT[events] ?? m.volcano_quiet)();
