// How far somebody has come in the academy, and at which table; kept on this device.

import { keep, kept } from "../settings/kept";

/** The table where the coach stands beside the order line. */
export const academyTable = (): string | null => kept("academy.table");

/** The table to go on at: also one where the coach was sent away. */
export const lessonsTable = (): string | null => academyTable() ?? kept("academy.left");

export const enrol = (code: string): void => {
  resume(code);
  reach(0);
};

export const resume = (code: string): void => {
  keep("academy.table", code);
  keep("academy.left", null);
};

export const lessonReached = (): number => Number(kept("academy.lesson") ?? 0) || 0;

export const reach = (lesson: number): void => keep("academy.lesson", String(lesson));

/** Play on without the coach; the lessons wait. */
export const leave = (): void => {
  keep("academy.left", academyTable());
  keep("academy.table", null);
};

/** All is learnt, or there is no table any more to learn it at. */
export const finish = (): void => {
  keep("academy.table", null);
  keep("academy.left", null);
};
