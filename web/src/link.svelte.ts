// The line to the server: one socket, resumed after every break, every order in effect once.

import { Failed, forgetToken, identify } from "./api";
import {
  PROTOCOL,
  type AnyNews,
  type AnyRequest,
  type Done,
  type GiveOrder,
  type Welcome,
} from "./wire";

export type LineState = "calling" | "open" | "lost" | "refused";

/** What the link needs of a socket, so that tests can bring their own. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

/** A request without the id that the link gives it. */
export type Asked = AnyRequest extends infer R
  ? R extends AnyRequest
    ? Omit<R, "id">
    : never
  : never;

interface Pending {
  request: AnyRequest;
  done: (done: Done) => void;
  failed: (why: Failed) => void;
}

/** Somebody who wants to hear the news, and says on every connection what they follow. */
export interface Listener {
  hear(news: AnyNews): void;
  resume?(): Asked[];
}

interface Options {
  open?: () => Socket;
  token?: () => Promise<string>;
  chance?: () => number;
}

const SLOWEST_RETRY = 8000;

const address = (): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;

export class Link {
  state = $state<LineState>("calling");
  /** When the server was last heard, for the notice that the line is lost. */
  heardAt = $state(0);
  welcome = $state.raw<Welcome | null>(null);
  /** What the server's clock is ahead of ours. */
  skew = 0;

  #socket: Socket | null = null;
  #pending = new Map<string, Pending>();
  #listeners = new Set<Listener>();
  #attempts = 0;
  #count = 0;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #calling: ReturnType<typeof setTimeout> | undefined;
  readonly #open: () => Socket;
  readonly #token: () => Promise<string>;
  readonly #chance: () => number;
  readonly #mark = Math.floor(Math.random() * 36 ** 6).toString(36);

  constructor(options: Options = {}) {
    this.#open = options.open ?? (() => new WebSocket(address()) as unknown as Socket);
    this.#token = options.token ?? identify;
    this.#chance = options.chance ?? Math.random;
  }

  /** Call the server, and go on calling whenever the line breaks. */
  start(): void {
    addEventListener("online", () => this.#callNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#callNow();
    });
    void this.#call();
  }

  /** Call anew, because this device is another player's from now on. */
  again(): void {
    this.#attempts = 0;
    clearTimeout(this.#calling);
    this.#calling = undefined;
    if (this.#socket) this.#lose(0);
    else void this.#call();
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.state === "open") for (const asked of listener.resume?.() ?? []) this.tell(asked);
    return () => this.#listeners.delete(listener);
  }

  /** Send something that needs no answer. */
  tell(asked: Asked): void {
    if (this.state === "open") this.#socket?.send(JSON.stringify(asked));
  }

  /** Ask for something; the promise is kept when it is done, and broken with the server's reason. */
  ask(asked: Asked): Promise<Done> {
    const request = { ...asked, id: this.#newId() } as AnyRequest;
    return new Promise((done, failed) => {
      if (this.state !== "open" && request.type !== "order") {
        failed(new Failed("offline"));
        return;
      }
      this.#pending.set(request.id!, { request, done, failed });
      if (this.state === "open") this.#socket?.send(JSON.stringify(request));
    });
  }

  /** Orders that have not been answered yet. */
  get unanswered(): GiveOrder[] {
    return [...this.#pending.values()]
      .map(({ request }) => request)
      .filter((request) => request.type === "order");
  }

  #newId(): string {
    return `${this.#mark}-${++this.#count}`;
  }

  async #call(): Promise<void> {
    this.#calling = undefined;
    let token: string;
    try {
      token = await this.#token();
    } catch {
      this.state = "lost";
      this.#retry();
      return;
    }
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, token }));
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as AnyNews);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  #callNow(): void {
    if (this.#calling === undefined) return;
    clearTimeout(this.#calling);
    void this.#call();
  }

  #retry(after?: number): void {
    if (this.state === "refused") return;
    const longest = Math.min(SLOWEST_RETRY, 400 * 2 ** this.#attempts++);
    const wait = after ?? longest * (0.5 + this.#chance() / 2);
    this.#calling = setTimeout(() => void this.#call(), wait);
  }

  #lose(after?: number): void {
    clearInterval(this.#pinging);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (this.state !== "refused") this.state = "lost";
    for (const [id, { request, failed }] of this.#pending) {
      if (request.type === "order") continue;
      this.#pending.delete(id);
      failed(new Failed("offline"));
    }
    this.#retry(after);
  }

  #hear(news: AnyNews): void {
    this.heardAt = Date.now();
    switch (news.type) {
      case "welcome":
        this.#begin(news);
        break;
      case "pong":
        this.skew = news.now - Date.now();
        return;
      case "done":
        this.#settle(news.id)?.done(news);
        return;
      case "refused":
        this.#settle(news.id)?.failed(new Failed(news.rule, news.arguments ?? {}));
        return;
      case "problem":
        if (news.id) this.#settle(news.id)?.failed(new Failed(news.error, news.arguments ?? {}));
        if (news.fatal) this.#sentAway(news.error);
        break;
      case "goodbye":
        this.#lose(news.retry_seconds ? news.retry_seconds * 1000 : undefined);
        return;
    }
    for (const listener of this.#listeners) listener.hear(news);
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #sentAway(error: string): void {
    if (error === "bad-token") forgetToken();
    else if (error === "bad-protocol") this.state = "refused";
  }

  #begin(news: Welcome): void {
    this.#attempts = 0;
    this.welcome = news;
    this.skew = news.now - Date.now();
    this.state = "open";
    this.#keepAlive((news.ping_seconds ?? 2.5) * 1000, (news.silent_seconds ?? 9) * 1000);
    for (const listener of this.#listeners)
      for (const asked of listener.resume?.() ?? []) this.tell(asked);
    for (const order of this.unanswered) this.#socket?.send(JSON.stringify(order));
  }

  #keepAlive(every: number, silence: number): void {
    clearInterval(this.#pinging);
    let number = 0;
    this.#pinging = setInterval(() => {
      if (Date.now() - this.heardAt > silence) this.#lose();
      else this.tell({ type: "ping", number: ++number });
    }, every);
  }
}

export const link = new Link();
