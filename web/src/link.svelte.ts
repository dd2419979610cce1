// The line to the server: one socket, resumed after every break, every order in effect once.

import { Failed, identify, signedOut } from "./api";
import {
  PROTOCOL,
  type AnyNews,
  type AnyRequest,
  type Announced,
  type Done,
  type GiveOrder,
  type Welcome,
} from "./wire";

/** Silent: the socket is there, but the server does not answer, or the browser says it is offline. */
export type LineState = "calling" | "open" | "silent" | "lost" | "refused";

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

/** Why somebody may not come, and until when; 0: for ever. */
export interface Ban {
  readonly reason: string;
  readonly until: number;
}

interface Options {
  open?: () => Socket;
  token?: () => Promise<string>;
  chance?: () => number;
}

const FIRST_RETRY = 500;
const SLOWEST_RETRY = 8000;
/** After this long without an answer the screen says so. */
const ANSWER_WITHIN = 3000;
/** What the server suggests, unless its welcome says otherwise. */
const PING_SECONDS = 2.5;
const SILENT_SECONDS = 9;

type Timer = ReturnType<typeof setTimeout> | undefined;

const address = (): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`;

export class Link {
  state = $state<LineState>("calling");
  /** When the server was last heard, for the notice that the line is lost. */
  heardAt = $state(0);
  welcome = $state.raw<Welcome | null>(null);
  /** What the operator tells everyone. */
  announcement = $state.raw<Announced | null>(null);
  /** Why this player may not come to this server. */
  ban = $state.raw<Ban | null>(null);
  /** What the server's clock is ahead of ours. */
  skew = 0;

  #socket: Socket | null = null;
  /** The token that was shown on the present socket. */
  #shown = "";
  #pending = new Map<string, Pending>();
  #listeners = new Set<Listener>();
  #attempts = 0;
  #count = 0;
  /** Which call is the present one: an earlier one that still waits for its token must not go on. */
  #call = 0;
  #pings = 0;
  #silentAfter = SILENT_SECONDS * 1000;
  #pinging: Timer;
  #calling: Timer;
  #answerDue: Timer;
  #givenUp: Timer;
  readonly #open: () => Socket;
  readonly #token: () => Promise<string>;
  readonly #chance: () => number;
  readonly #mark = Math.floor(Math.random() * 36 ** 6).toString(36);

  constructor(options: Options = {}) {
    this.#open = options.open ?? (() => new WebSocket(address()) as unknown as Socket);
    this.#token = options.token ?? identify;
    this.#chance = options.chance ?? Math.random;
  }

  /** Call the server, and keep calling whenever the line breaks; the function returned stops listening to the browser. */
  start(): () => void {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("offline", () => this.#doubt(), { signal });
    addEventListener("online", () => this.#backOnline(), { signal });
    document.addEventListener("visibilitychange", () => this.#lookAgain(), { signal });
    void this.#connect();
    return () => listening.abort();
  }

  /** Call again at once: the network is back, or this device is another player's from now on. */
  again(): void {
    if (this.state === "refused") return;
    this.#attempts = 0;
    clearTimeout(this.#calling);
    this.#calling = undefined;
    if (this.#socket) this.#lose(0);
    else void this.#connect();
  }

  /** Whether the server has welcomed us on the present socket. */
  get connected(): boolean {
    return this.state === "open" || this.state === "silent";
  }

  /** Whether we were connected and can't reach the server now. */
  get away(): boolean {
    return this.state === "silent" || this.state === "lost";
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.connected) for (const asked of listener.resume?.() ?? []) this.tell(asked);
    return () => this.#listeners.delete(listener);
  }

  /** Send something that needs no answer. */
  tell(asked: Asked): void {
    if (this.connected) this.#socket?.send(JSON.stringify(asked));
  }

  /**
   * Ask for something; the promise is kept when it is done, and broken with the server's reason.
   * An id is given only to ask once more for what may have been done already.
   */
  ask(asked: Asked, id: string = this.newId()): Promise<Done> {
    const request = { ...asked, id } as AnyRequest;
    return new Promise((done, failed) => {
      if (!this.connected && request.type !== "order") {
        failed(new Failed("offline"));
        return;
      }
      this.#pending.set(id, { request, done, failed });
      if (this.connected) this.#askFor(request);
    });
  }

  /** Orders that have not been answered yet. */
  get unanswered(): GiveOrder[] {
    return [...this.#pending.values()]
      .map(({ request }) => request)
      .filter((request) => request.type === "order");
  }

  newId(): string {
    return `${this.#mark}-${++this.#count}`;
  }

  async #connect(): Promise<void> {
    this.#calling = undefined;
    const call = ++this.#call;
    let token: string;
    try {
      token = await this.#token();
    } catch (why) {
      if (call !== this.#call) return;
      if (why instanceof Failed && why.key === "banned") this.#banned(why.values);
      else this.state = "lost";
      this.#retry();
      return;
    }
    if (call !== this.#call) return;
    this.#shown = token;
    const socket = this.#open();
    this.#socket = socket;
    // A network that swallows packets lets a call wait for minutes.
    this.#givenUp = setTimeout(() => this.#lose(), this.#silentAfter);
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, token }));
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as AnyNews);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  #backOnline(): void {
    if (this.state === "open") this.#ping();
    else this.again();
  }

  /** The page is looked at again: find out now whether the server is still there. */
  #lookAgain(): void {
    if (document.hidden) return;
    if (this.connected) this.#ping();
    else if (this.#calling !== undefined) this.again();
  }

  /** Back off exponentially with full jitter, or from the wait that the server asked for. */
  #retry(after?: number): void {
    if (this.state === "refused") return;
    const longest = Math.min(SLOWEST_RETRY, FIRST_RETRY * 2 ** this.#attempts++);
    const wait = after === undefined ? longest * this.#chance() : after * (1 + this.#chance());
    this.#calling = setTimeout(() => void this.#connect(), wait);
  }

  #lose(after?: number): void {
    clearInterval(this.#pinging);
    this.#answered();
    const socket = this.#socket;
    this.#socket = null;
    if (socket) socket.onmessage = null;
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
    this.#answered();
    if (this.state === "silent") this.state = "open";
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
        if (news.fatal) this.#sentAway(news.error, news.arguments ?? {});
        break;
      case "announcement":
        this.announcement = news.until ? news : null;
        return;
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

  #sentAway(error: string, about: Readonly<Record<string, string | number>>): void {
    if (error === "bad-token" || error === "token-ended") signedOut(this.#shown);
    else if (error === "bad-protocol") this.state = "refused";
    else if (error === "banned") this.#banned(about);
  }

  /** Calling again would not help. */
  #banned({ reason = "", until = 0 }: Readonly<Record<string, string | number>>): void {
    this.state = "refused";
    this.ban = { reason: String(reason), until: Number(until) };
  }

  #begin(news: Welcome): void {
    this.#attempts = 0;
    this.welcome = news;
    this.skew = news.now - Date.now();
    this.state = "open";
    this.#silentAfter = (news.silent_seconds ?? SILENT_SECONDS) * 1000;
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(), (news.ping_seconds ?? PING_SECONDS) * 1000);
    for (const listener of this.#listeners)
      for (const asked of listener.resume?.() ?? []) this.tell(asked);
    for (const order of this.unanswered) this.#askFor(order);
  }

  #askFor(request: AnyRequest): void {
    this.#socket?.send(JSON.stringify(request));
    this.#expectAnswer();
  }

  #ping(): void {
    this.#askFor({ type: "ping", number: ++this.#pings });
  }

  /** From the first question that nothing was heard after: first the screen says so, then we call again. */
  #expectAnswer(): void {
    if (this.#answerDue !== undefined) return;
    this.#answerDue = setTimeout(() => this.#fallSilent(), ANSWER_WITHIN);
    const heardFor = Date.now() - this.heardAt;
    const left = Math.max(ANSWER_WITHIN, this.#silentAfter - heardFor);
    this.#givenUp = setTimeout(() => this.#lose(), left);
  }

  #answered(): void {
    clearTimeout(this.#answerDue);
    clearTimeout(this.#givenUp);
    this.#answerDue = undefined;
  }

  #fallSilent(): void {
    if (this.state === "open") this.state = "silent";
  }

  /** The browser says that it is offline. It may be wrong, so whatever is heard next counts more. */
  #doubt(): void {
    if (!this.connected) return;
    this.#fallSilent();
    this.#ping();
  }
}

export const link = new Link();
