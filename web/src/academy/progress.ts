// How far somebody has come in the academy, and at which table; kept on this device.

import { keep, kept } from "../settings/kept";

export const academyTable = (): string | null => kept("academy.table");

export const enrol = (code: string): void => {
  keep("academy.table", code);
  keep("academy.lesson", "0");
};

export const lessonReached = (): number => Number(kept("academy.lesson") ?? 0) || 0;

export const reach = (lesson: number): void => keep("academy.lesson", String(lesson));

export const leave = (): void => keep("academy.table", null);
