// What one screen of a running game shares: the game, what may be chosen, what is being aimed.

import { getContext, setContext } from "svelte";
import { on } from "svelte/events";
import { createSubscriber } from "svelte/reactivity";
import { Failed } from "../api";
import { link } from "../link.svelte";
import type { Duel, Said } from "../game/duel.svelte";
import { Fading } from "../game/fading.svelte";
import { Choices, type Reasoned } from "../game/offer";
import { absence, absentees, secondsLeft, type Absent } from "../game/presence";
import type { Table } from "../game/table.svelte";
import { settings } from "../settings/settings.svelte";
import { play } from "../sound/sounds";
import type { AnyOrder, AnyPhrase, Crew, Post, System } from "../wire";
import { m } from "../words";
import { spell } from "../words/letters";
import { boatOf, inWords, QUIET, type Telling, type Words } from "../words/said";
import { Porthole } from "./porthole.svelte";
import { pressed, shake } from "./pressed";
import { CrewTalk } from "./talk.svelte";

/** What the captain or first mate is about to do, and the point chosen for it so far. */
export interface Aim {
  readonly what:
    "place" | "torpedo" | "mine" | "trigger" | "old-mine" | "silence" | "drone" | "repair";
  readonly point: string | null;
}

/** Something said, in words. */
export interface Line {
  readonly said: Said;
  readonly words: Words;
}

export interface Refusal {
  readonly rule: string;
  readonly number: number;
}

const REFUSED_FOR = 4000;
/** On paper the enemy's moves are heard once and gone; nobody has them in writing. */
const MOVES: ReadonlySet<string> = new Set(["course-set", "silence"]);

const onShown = createSubscriber((update) => on(document, "visibilitychange", update));
/** Whether the page is looked at, and not behind another. */
const shown = {
  get current(): boolean {
    onShown();
    return !document.hidden;
  },
};

export class Bridge {
  readonly table: Table;
  readonly duel: Duel;
  aim = $state.raw<Aim | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  /** The order that is on its way, so that its key shows it at once. */
  sending = $state.raw<AnyOrder | null>(null);
  /** The symbol whose mark costs damage and waits for a second press. */
  symbol = $state.raw<string | null>(null);
  /** Whether the captain was asked if surfacing is meant. */
  surfacing = $state(false);

  readonly choices: Choices = $derived.by(
    () => new Choices(this.live ? (this.duel.offer as Reasoned) : {}),
  );

  #refusals = 0;

  readonly #fading = new Fading();
  readonly porthole: Porthole;
  readonly talk: CrewTalk;
  /** What is open over the room. */
  panel = $state<"menu" | "log" | "command" | null>(null);

  constructor(table: Table, duel: Duel) {
    this.table = table;
    this.duel = duel;
    this.porthole = new Porthole(duel);
    this.talk = new CrewTalk(table, duel);
    $effect(() => {
      this.#fading.hear(duel.log);
      this.#fading.run(this.readable);
    });
    $effect(() => () => this.#fading.run(false));
  }

  /** Whether play is stopped for everybody, in real time. */
  get stopped(): boolean {
    const { stop, phase } = this.duel.view.public;
    return this.realTime && !!stop && phase === "playing";
  }

  /** Whether anybody can read what is on the screen: nothing lies over it, and it is looked at. */
  get readable(): boolean {
    return !this.stopped && !this.porthole.open && shown.current;
  }

  /** Whether something said can still be read. On paper nobody has it in writing afterwards. */
  justHeard(said: Said): boolean {
    return this.#fading.fresh(said);
  }

  /** Whether something said may be read again later. */
  inWriting(said: Said): boolean {
    const { heard } = said;
    const paper = this.duel.setup.house.radio_help === "paper" && this.duel.seat !== null;
    const theirMove = MOVES.has(heard.event) && "crew" in heard && heard.crew === this.duel.them;
    return !(paper && theirMove) || this.justHeard(said);
  }

  /** The last lines of what was said aloud, the latest first. */
  lines(count: number): Line[] {
    const found: Line[] = [];
    for (const said of this.duel.log.toReversed()) {
      if (found.length >= count) break;
      if (QUIET.has(said.heard.event) || !this.inWriting(said)) continue;
      const words = inWords(said.heard, this.telling);
      if (words) found.push({ said, words });
    }
    return found;
  }

  /** Whether orders can be given: what is seen may be old while the line is lost. */
  get live(): boolean {
    return link.state === "open";
  }

  get letters(): readonly string[] {
    return settings.letters;
  }

  get telling(): Telling {
    const { setup, facts, seat, us } = this.duel;
    return { setup, facts, letters: this.letters, us: seat ? us : null };
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

  /** Who holds a post of ours, in a sentence; whether it is a bot. */
  heldBy(post: Post): string {
    const berths = this.table.state && this.of(this.table.state.crews).berths;
    const bot = berths?.find((berth) => berth.post === post)?.holder?.kind === "bot";
    const name = this.holder(post);
    return bot ? m.held_by_bot({ name }) : m.held_by({ name });
  }

  /** Who is not there to play their posts, our crew first. */
  get absent(): readonly Absent[] {
    const { state } = this.table;
    if (!state || this.duel.view.public.result) return [];
    const found = absentees(state, link.welcome?.you ?? "");
    return found.sort((a, b) => Number(b.crew === this.duel.us) - Number(a.crew === this.duel.us));
  }

  /** Who should hold a post of ours and is not there. */
  absentAt(post: Post): Absent | undefined {
    return this.absent.find(({ crew, posts }) => crew === this.duel.us && posts.includes(post));
  }

  /** What is the matter with somebody who is not there, and what comes of it at a time. */
  absence({ person, crew, bot }: Absent, now: number): readonly [string, string] {
    const { house } = this.table.state!.settings;
    const gone = this.table.away.get(person.who) ?? null;
    const name =
      crew === this.duel.us && this.duel.seat
        ? person.name
        : m.presence_of({ name: person.name, boat: this.boat(crew) });
    return absence(name, bot, house, gone === null ? null : secondsLeft(gone, house, now));
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
