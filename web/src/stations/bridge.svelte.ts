// What one screen of a running game shares: the game, what may be chosen, what is being aimed.

import { getContext, setContext } from "svelte";
import { Failed } from "../api";
import { link } from "../link.svelte";
import type { Duel, Said } from "../game/duel.svelte";
import { Choices, type Reasoned } from "../game/offer";
import type { Table } from "../game/table.svelte";
import { settings } from "../settings/settings.svelte";
import { play } from "../sound/sounds";
import type { AnyOrder, AnyPhrase, Crew, Post, System } from "../wire";
import { spell } from "../words/letters";
import { boatOf, type Telling } from "../words/said";
import { pressed, shake } from "./pressed";

/** What the captain or first mate is about to do, and the point chosen for it so far. */
export interface Aim {
  readonly what:
    "place" | "torpedo" | "mine" | "trigger" | "old-mine" | "silence" | "drone" | "repair";
  readonly point: string | null;
}

export interface Refusal {
  readonly rule: string;
  readonly number: number;
}

const REFUSED_FOR = 4000;
/** How long something said is in the air. */
const HEARD_FOR = 6000;

export class Bridge {
  readonly table: Table;
  readonly duel: Duel;
  aim = $state.raw<Aim | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  /** The order that is on its way, so that its key shows it at once. */
  sending = $state.raw<AnyOrder | null>(null);
  /** The symbol that the engineer is about to cross out. */
  symbol = $state.raw<string | null>(null);

  readonly choices: Choices = $derived.by(
    () => new Choices(this.live ? (this.duel.offer as Reasoned) : {}),
  );

  #refusals = 0;

  /** Up to which number what was said has died away. */
  #faded = $state(0);

  constructor(table: Table, duel: Duel) {
    this.table = table;
    this.duel = duel;
    $effect(() => {
      const number = duel.log.at(-1)?.number ?? 0;
      const timer = setTimeout(() => (this.#faded = number), HEARD_FOR);
      return () => clearTimeout(timer);
    });
  }

  /** Whether something said is still in the air. On paper nobody has it in writing afterwards. */
  justHeard(said: Said): boolean {
    return said.number > this.#faded && Date.now() - said.at < HEARD_FOR;
  }

  /** Whether orders can be given: what is seen may be old while the line is lost. */
  get live(): boolean {
    return link.state === "open";
  }

  get letters(): readonly string[] {
    return settings.letters;
  }

  get telling(): Telling {
    return { setup: this.duel.setup, facts: this.duel.facts, letters: this.letters };
  }

  get realTime(): boolean {
    return this.duel.setup.mode === "real-time";
  }

  get sea() {
    return this.duel.facts.sea;
  }

  spell(point: string): string {
    return spell(point, this.letters);
  }

  boat(crew: Crew): string {
    return boatOf(this.duel.setup, crew);
  }

  get ours(): string {
    return this.boat(this.duel.us);
  }

  get theirs(): string {
    return this.boat(this.duel.them);
  }

  /** One crew's half of a pair. */
  of<T>(pair: readonly [T, T], crew: Crew = this.duel.us): T {
    return pair[crew === "a" ? 0 : 1];
  }

  holds(post: Post): boolean {
    return this.duel.posts.includes(post);
  }

  /** Who holds a post in our crew. */
  holder(post: Post, crew: Crew = this.duel.us): string {
    const plan = this.of(this.duel.setup.crews, crew);
    return plan.seats.find((seat) => seat.posts.includes(post))?.name ?? "";
  }

  /** Whether a system's kind of symbol is crossed out, as far as we may see the sheet. */
  broken(system: System): boolean {
    const { engine } = this.duel.view;
    const kind = this.duel.facts.kinds[system];
    const symbols = this.duel.setup.sheet?.symbols ?? [];
    return symbols.some(
      (symbol) => symbol.kind === kind && (engine?.crossed ?? []).includes(symbol.name),
    );
  }

  async give(order: AnyOrder): Promise<boolean> {
    this.sending = order;
    const key = pressed();
    try {
      await this.table.order(order);
      this.refusal = null;
      if (order.order !== "slide" && order.order !== "line") play("click");
      return true;
    } catch (why) {
      this.refuse(why instanceof Failed ? why.key : "internal", key);
      return false;
    } finally {
      if (this.sending === order) this.sending = null;
    }
  }

  /** Say why not, and shake the key that asked for it. */
  refuse(rule: string, key: Element | null = pressed()): void {
    const number = ++this.#refusals;
    shake(key);
    this.refusal = { rule, number };
    play("knock");
    setTimeout(() => {
      if (this.refusal?.number === number) this.refusal = null;
    }, REFUSED_FOR);
  }

  say(phrase: AnyPhrase): void {
    void this.table
      .ask({ type: "say", table: this.table.code, phrase })
      .catch((why: Failed) => this.refuse(why.key));
  }

  point(point: string | null): void {
    if (this.aim) this.aim = { ...this.aim, point };
  }
}

const KEY = Symbol("bridge");

export const provideBridge = (bridge: Bridge): Bridge => setContext(KEY, bridge);
export const useBridge = (): Bridge => getContext<Bridge>(KEY);
