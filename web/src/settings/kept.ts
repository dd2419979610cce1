// What is kept on this device. A browser that keeps nothing is served all the same.

const PREFIX = "fathom.";
const memory = new Map<string, string>();

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

export function keep(name: string, value: string | null): void {
  if (value === null) memory.delete(name);
  else memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private browsing or full storage: memory is enough for this visit.
  }
}

/** A record kept as JSON; fields that are missing or no longer known take their usual value. */
export function keptRecord<T extends object>(name: string, usual: T): T {
  try {
    const found: unknown = JSON.parse(kept(name) ?? "{}");
    if (typeof found !== "object" || found === null) return { ...usual };
    const known = Object.entries(found).filter(
      ([key, value]) => key in usual && typeof value === typeof usual[key as keyof T],
    );
    return { ...usual, ...Object.fromEntries(known) };
  } catch {
    return { ...usual };
  }
}
