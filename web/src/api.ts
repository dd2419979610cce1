// The HTTP side of the wire.

import { deviceName } from "./player/device";
import { tidyName } from "./player/name";
import { keep, kept } from "./settings/kept";
import { tongue } from "./words";
import type {
  ApiError,
  GameRecord,
  House,
  Identity,
  Library,
  LobbyNow,
  MyGames,
  MyTokens,
  NewTable,
  ProgramMade,
  RecordBelief,
  Rules,
  Scope,
  Settings,
  TableCard,
  TableMade,
} from "./wire";

/** A request that failed, with the server's key for why. */
export class Failed extends Error {
  constructor(
    readonly key: string,
    readonly values: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

/** Ask as the player of this device, or with another token, or with none. */
async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  other?: string | null,
): Promise<T> {
  const token = other === undefined ? kept("token") : other;
  const headers: Record<string, string> =
    body === undefined ? {} : { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Failed("offline");
  }
  if (answer.ok) return (await answer.json()) as T;
  const why = (await answer.json().catch(() => ({ error: "internal" }))) as ApiError;
  if (why.error === "bad-token" && token && other === undefined && (await newcomer(token)))
    return call(method, path, body);
  throw new Failed(why.error, why.arguments ?? {});
}

/** A server that doesn't know this device any more makes its acquaintance once more. */
async function newcomer(stale: string): Promise<boolean> {
  signedOut(stale);
  return (await identify()) !== stale;
}

/** Loads each thing once; what failed is tried again when it is wanted again. */
function once<T>(load: (which: string) => Promise<T>): (which?: string) => Promise<T> {
  const loading = new Map<string, Promise<T>>();
  return (which = "") => {
    const found = loading.get(which) ?? load(which);
    loading.set(which, found);
    found.catch(() => loading.delete(which));
    return found;
  };
}

/** Everything to choose from; it doesn't change while the page is open. */
export const library = once(() => call<Library>("GET", "/api/library"));
/** Every rule, in one language. */
export const rules = once((language) => call<Rules>("GET", `/api/rules?language=${language}`));
export const lobby = (): Promise<LobbyNow> => call("GET", "/api/lobby");
export const myGames = (): Promise<MyGames> => call("GET", "/api/games");
export const record = (game: string): Promise<GameRecord> => call("GET", `/api/games/${game}`);
export const belief = (game: string): Promise<RecordBelief> =>
  call("GET", `/api/games/${game}/belief`);
/** What is left out of a new table's settings is as usual. */
export type Wanted = Omit<Partial<Settings>, "house"> & { readonly house?: Partial<House> };
export const openTable = (settings: Wanted = {}, solo = false): Promise<TableMade> =>
  call("POST", "/api/tables", { settings: settings as Settings, solo } satisfies NewTable);
/** The link to a table, as friends on other machines can use it. */
export const tableLink = (code: string, key?: string | null): Promise<TableMade> =>
  call("GET", `/api/tables/${code}/link${key ? `?key=${key}` : ""}`);
export const table = (code: string): Promise<TableCard> => call("GET", `/api/tables/${code}`);
export const logbookAddress = (game: string): string => `/api/games/${game}/logbook`;

let knowing: Promise<string> | null = null;

/** The device's token; the first visit makes one, without asking anything. */
export function identify(): Promise<string> {
  const token = kept("token");
  if (token) return Promise.resolve(token);
  knowing ??= register().finally(() => {
    knowing = null;
  });
  return knowing;
}

async function register(): Promise<string> {
  const name = kept("name") ?? (await suggested());
  const identity = await call<Identity>(
    "POST",
    "/api/identity",
    { name, device: deviceName(navigator.userAgent), recovery: false },
    null,
  );
  remember(identity);
  return identity.token ?? "";
}

/** A name for somebody who hasn't been asked for one yet. */
async function suggested(): Promise<string> {
  try {
    return (await import("./player/suggest")).suggestName(tongue.current);
  } catch {
    throw new Failed("offline");
  }
}

/** Whether this player has chosen their name. */
export const isNamed = (): boolean => kept("named") !== null;

/** The server doesn't know a token any more: forget it, and remember whose device this was. */
export function signedOut(token: string): void {
  if (kept("token") !== token) return;
  keep("token", null);
  if (isNamed()) keep("was", kept("name"));
}

function remember(identity: Identity): void {
  keep("name", identity.name);
  if (identity.token) keep("token", identity.token);
}

export async function rename(name: string): Promise<void> {
  await identify();
  remember(await call<Identity>("PATCH", "/api/identity", { name: tidyName(name) }));
  keep("named", "yes");
}

/** All that the server keeps of this player, as it came. */
export const myData = (): Promise<unknown> => call("GET", "/api/identity/data");

/** Delete this player; the next visit makes a new one. */
export async function deleteMe(name: string): Promise<void> {
  await call<Identity>("DELETE", "/api/identity", { name });
  for (const what of ["token", "name", "named", "was", "before"]) keep(what, null);
}

/** Whoever a recovery code belongs to, with a token that this device does not use yet. */
export const recover = (recovery: string): Promise<Identity> =>
  call("POST", "/api/identity/recover", {
    recovery,
    device: deviceName(navigator.userAgent),
  });

/** Who this device was before it was told to be another player. */
interface Before {
  readonly name: string;
  readonly token: string;
  readonly named: boolean;
}

export function playerBefore(): Before | null {
  const text = kept("before");
  return text ? (JSON.parse(text) as Before) : null;
}

/** Be another player here. Whoever this device was until now is kept, for the way back. */
export function become(identity: Identity, named = true): void {
  const [name, token] = [kept("name"), kept("token")];
  if (name && token) keep("before", JSON.stringify({ name, token, named: isNamed() }));
  remember(identity);
  keep("named", named ? "yes" : null);
  keep("was", null);
}

/** Be the player again who this device was before. */
export function goBack(): void {
  const before = playerBefore();
  if (before) become({ you: "", name: before.name, token: before.token }, before.named);
}

/** Whoever has just been asked for is not wanted here after all. */
export const dismiss = (identity: Identity): Promise<Identity> =>
  call("DELETE", "/api/identity/token", undefined, identity.token ?? null);

/** Sign out on this device: whoever was here before is here again, or else a new player. */
export async function signOutHere(): Promise<void> {
  const token = kept("token");
  // First, so that nobody is told of a surprise when the server closes the connection.
  keep("token", null);
  try {
    await call("DELETE", "/api/identity/token", undefined, token);
  } catch (why) {
    keep("token", token);
    throw why;
  }
  for (const what of ["name", "named", "was"]) keep(what, null);
  goBack();
  keep("before", null);
}

/** This player's devices and programs, and whether they have a recovery code. */
export const devices = (): Promise<MyTokens> => call("GET", "/api/identity/tokens");
export const endDevice = (id: string): Promise<MyTokens> =>
  call("DELETE", `/api/identity/tokens/${id}`);
export const endOtherDevices = (): Promise<MyTokens> => call("DELETE", "/api/identity/tokens");
export const newRecovery = async (old: string): Promise<string> =>
  (await call<Identity>("POST", "/api/identity/recovery", { old })).recovery ?? "";
export const newProgram = (device: string, scope: Scope): Promise<ProgramMade> =>
  call("POST", "/api/identity/tokens", { device, scope });
