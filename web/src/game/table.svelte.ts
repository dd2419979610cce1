// A table as this connection follows it: who sits where, its chat, and its game.

import { link, type Asked, type Listener } from "../link.svelte";
import type { AnyNews, AnyOrder, ChatLine, Done, OpenTable, TableState, Told } from "../wire";
import { Duel, type Said } from "./duel.svelte";
import { since, type Away } from "./presence";
import { UnsavedOrders } from "./unsaved";

const LONGEST_CHAT = 200;

/** A line that the operator has removed. */
const withoutWords = ({ phrase: _, ...line }: ChatLine): ChatLine => ({
  ...line,
  text: "",
  removed: true,
});

/** What is done with everything that is heard: sounds, captions, speech. */
export type Ear = (said: readonly Said[], duel: Duel) => void;

export class Table implements Listener {
  readonly code: string;
  state = $state.raw<TableState | null>(null);
  watchers = $state.raw(0);
  /** Since when people who hold posts are gone. */
  away = $state.raw<Away>(new Map());
  chat = $state.raw<readonly ChatLine[]>([]);
  duel = $state.raw<Duel | null>(null);
  /** Why the table can't be had: an error's key. */
  trouble = $state.raw<string | null>(null);

  #unsaved = new UnsavedOrders();
  #leave: (() => void) | null = null;
  #ear: Ear;
  /** What the link to an unlisted table carries. */
  #key: string | null;

  constructor(code: string, ear: Ear = () => {}, key: string | null = null) {
    this.code = code;
    this.#ear = ear;
    this.#key = key;
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
    void link.ask({ ...this.#opening(), ...where }).catch((why: { key: string }) => {
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
        if (news.table === this.code && news.why !== "asked") this.#shut(news.why);
        break;
      case "chat":
        if (news.table === this.code) this.chat = [...this.chat, news].slice(-LONGEST_CHAT);
        break;
      case "lines-removed":
        if (news.table === this.code)
          this.chat = this.chat.map((line) =>
            news.lines.includes(line.number) ? withoutWords(line) : line,
          );
        break;
      case "game":
        if (news.table === this.code && this.duel?.game !== news.game) {
          this.duel = new Duel(news);
          this.#unsaved = new UnsavedOrders();
        }
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

  /** The table is closed to us: what was there is shown no more. */
  #shut(why: "gone" | "watching-not-allowed" | "removed" | "closed"): void {
    this.trouble = why === "gone" ? "unknown-table" : why;
    if (why !== "removed" && why !== "closed") return;
    this.state = null;
    this.duel = null;
    this.chat = [];
  }

  #listen(news: Told, duel: Duel): void {
    const opened = !duel.told;
    this.#ear(duel.tell(news), duel);
    // Only the server knows the game's name before; now ask for what was said in it so far.
    if (opened && news.position > 0 && !news.events?.length)
      link.tell({ ...this.#opening(), game: duel.game, position: 0 });
  }

  #opening(): Omit<OpenTable, "id"> {
    const chat = this.chat.at(-1)?.number ?? 0;
    return { type: "open", table: this.code, chat, ...(this.#key ? { key: this.#key } : {}) };
  }

  #sit(state: TableState, watchers: number): void {
    this.trouble = null;
    this.#key = state.key ?? this.#key;
    this.away = since(this.away, this.state, state, Date.now());
    this.state = state;
    this.watchers = watchers;
    if (state.phase === "gathering") this.duel = null;
  }

  ask(asked: Asked): Promise<Done> {
    return link.ask(asked);
  }

  async order(order: AnyOrder): Promise<Done> {
    const duel = this.duel;
    if (!duel) throw new Error("no game");
    const id = this.#unsaved.idOf(order, duel.position) ?? link.newId();
    this.#unsaved.forget(order);
    try {
      return await link.ask({ type: "order", game: duel.game, order }, id);
    } catch (why) {
      if ((why as { key?: string }).key === "not-saved")
        this.#unsaved.remember(order, id, duel.position);
      throw why;
    }
  }
}
