// A table as this connection follows it: who sits where, its chat, and its game.

import { link, type Asked, type Listener } from "../link.svelte";
import type { AnyNews, AnyOrder, ChatLine, Done, TableState, Told } from "../wire";
import { Duel, type Said } from "./duel.svelte";

const LONGEST_CHAT = 200;

/** What is done with everything that is heard: sounds, captions, speech. */
export type Ear = (said: readonly Said[], duel: Duel) => void;

export class Table implements Listener {
  readonly code: string;
  state = $state.raw<TableState | null>(null);
  watchers = $state.raw(0);
  chat = $state.raw<readonly ChatLine[]>([]);
  duel = $state.raw<Duel | null>(null);
  /** Why the table can't be had: an error's key. */
  trouble = $state.raw<string | null>(null);

  #leave: (() => void) | null = null;
  #ear: Ear;

  constructor(code: string, ear: Ear = () => {}) {
    this.code = code;
    this.#ear = ear;
  }

  open(): void {
    this.#leave = link.listen(this);
  }

  close(): void {
    this.#leave?.();
    link.tell({ type: "close", table: this.code });
  }

  resume(): Asked[] {
    const duel = this.duel;
    const where = duel?.told ? { game: duel.game, position: duel.position } : {};
    void link
      .ask({ type: "open", table: this.code, chat: this.chat.at(-1)?.number ?? 0, ...where })
      .catch((why: { key: string }) => {
        if (why.key !== "offline") this.trouble = why.key;
      });
    return [];
  }

  hear(news: AnyNews): void {
    switch (news.type) {
      case "table":
        if (news.table.code === this.code) this.#sit(news.table, news.watchers ?? 0);
        break;
      case "table-closed":
        if (news.table === this.code && news.why !== "asked")
          this.trouble = news.why === "gone" ? "unknown-table" : news.why;
        break;
      case "chat":
        if (news.table === this.code) this.chat = [...this.chat, news].slice(-LONGEST_CHAT);
        break;
      case "game":
        if (news.table === this.code && this.duel?.game !== news.game) this.duel = new Duel(news);
        break;
      case "told":
        if (this.duel?.game === news.game) this.#listen(news, this.duel);
        break;
      case "pause":
        if (this.duel?.game === news.game) this.duel.hold(news);
        break;
      case "heat":
        if (this.duel?.game === news.game) this.duel.warm(news);
        break;
    }
  }

  #listen(news: Told, duel: Duel): void {
    const opened = !duel.told;
    this.#ear(duel.tell(news), duel);
    // Only the server knows the game's name before; now ask for what was said in it so far.
    if (opened && news.position > 0 && !news.events?.length)
      link.tell({
        type: "open",
        table: this.code,
        chat: this.chat.at(-1)?.number ?? 0,
        game: duel.game,
        position: 0,
      });
  }

  #sit(state: TableState, watchers: number): void {
    this.trouble = null;
    this.state = state;
    this.watchers = watchers;
    if (state.phase === "gathering") this.duel = null;
  }

  ask(asked: Asked): Promise<Done> {
    return link.ask(asked);
  }

  order(order: AnyOrder): Promise<Done> {
    const duel = this.duel;
    if (!duel) return Promise.reject(new Error("no game"));
    return link.ask({ type: "order", game: duel.game, order });
  }
}
