// The HTTP side of the wire.

import { keep, kept } from "./settings/kept";
import type {
  ApiError,
  GameRecord,
  House,
  Identity,
  Library,
  LobbyNow,
  MyGames,
  NewTable,
  RecordBelief,
  Rules,
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

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> =
    body === undefined ? {} : { "Content-Type": "application/json" };
  const token = kept("token");
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
  if (why.error === "bad-token" && token && (await newcomer(token)))
    return call(method, path, body);
  throw new Failed(why.error, why.arguments ?? {});
}

/** A server that doesn't know this device any more makes its acquaintance once more. */
async function newcomer(stale: string): Promise<boolean> {
  if (kept("token") === stale) forgetToken();
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
export const tableLink = (code: string): Promise<TableMade> =>
  call("GET", `/api/tables/${code}/link`);
export const table = (code: string): Promise<TableCard> => call("GET", `/api/tables/${code}`);
export const logbookAddress = (game: string): string => `/api/games/${game}/logbook`;

const NAMES = [
  "Mara",
  "Jonas",
  "Ines",
  "Tomas",
  "Sela",
  "Piet",
  "Nora",
  "Emil",
  "Vera",
  "Olaf",
  "Rosa",
  "Anton",
];

/** A name for somebody who hasn't given one; they may change it whenever they like. */
const anyName = (): string => NAMES[Math.floor(Math.random() * NAMES.length)]!;

let knowing: Promise<string> | null = null;

/** The device's token; the first visit makes one, without asking anything. */
export function identify(): Promise<string> {
  const token = kept("token");
  if (token) return Promise.resolve(token);
  knowing ??= call<Identity>("POST", "/api/identity", { name: kept("name") ?? anyName() })
    .then((identity) => {
      remember(identity);
      return identity.token ?? "";
    })
    .finally(() => {
      knowing = null;
    });
  return knowing;
}

/** Forget a token that the server doesn't know any more. */
export const forgetToken = (): void => keep("token", null);

function remember(identity: Identity): void {
  keep("name", identity.name);
  if (identity.token) keep("token", identity.token);
  if (identity.recovery) keep("recovery", identity.recovery);
}

export async function rename(name: string): Promise<void> {
  await identify();
  remember(await call<Identity>("PATCH", "/api/identity", { name }));
}

export async function recover(recovery: string): Promise<void> {
  const identity = await call<Identity>("POST", "/api/identity/recover", { recovery });
  remember({ ...identity, recovery: recovery.toUpperCase() });
}
