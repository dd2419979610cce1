// What the crew says among itself: the lines, who said them from which post, and which are new.

import type { Table } from "../game/table.svelte";
import type { Duel } from "../game/duel.svelte";
import { link } from "../link.svelte";
import { play } from "../sound/sounds";
import type { AnyPhrase, ChatLine, Post } from "../wire";
import { m } from "../words";
import { shortPostName } from "../words/names";
import { phraseWords } from "../words/phrases";
import type { Telling } from "../words/said";

/** From which post a phrase is said, where one player holds several. */
const POSTS: Partial<Record<AnyPhrase["phrase"], Post>> = {
  ready: "first-mate",
  "not-ready": "first-mate",
  danger: "engineer",
  safe: "engineer",
  broken: "engineer",
  mended: "engineer",
  "surface-soon": "engineer",
  probably: "radio-operator",
  "in-sector": "radio-operator",
  "no-idea": "radio-operator",
  "they-know": "radio-operator",
};

export class CrewTalk {
  readonly #table: Table;
  readonly #duel: Duel;
  /** Up to which number the lines were seen. */
  #seen = $state(0);
  #heard = 0;

  readonly lines: readonly ChatLine[] = $derived.by(() =>
    this.#table.chat.filter(
      ({ channel, phrase }) => channel === "crew" && phrase?.phrase !== "heat-map",
    ),
  );

  constructor(table: Table, duel: Duel) {
    this.#table = table;
    this.#duel = duel;
    this.#seen = this.#heard = table.chat.at(-1)?.number ?? 0;
    $effect(() => this.#listen());
  }

  /** Whether there is anybody to talk to. */
  get possible(): boolean {
    const { seat, setup } = this.#duel;
    return seat !== null && setup.crews[seat.crew === "a" ? 0 : 1].seats.length > 1;
  }

  get unseen(): number {
    return this.lines.filter((line) => line.number > this.#seen && !this.mine(line)).length;
  }

  /** All lines were seen, or those up to a number. */
  see(upTo: number = this.lines.at(-1)?.number ?? 0): void {
    this.#seen = Math.max(this.#seen, upTo);
  }

  /** The newest line that somebody else said. */
  get latest(): ChatLine | undefined {
    return this.lines.findLast((line) => !this.mine(line));
  }

  mine(line: ChatLine): boolean {
    return !!line.who && line.who === link.welcome?.you;
  }

  /** Whether the operator can be told of it: what somebody else wrote. */
  reportable(line: ChatLine): boolean {
    return !!line.who && !!line.text && !line.removed && !this.mine(line);
  }

  /** Who said it: a person by name and post, a bot by its post. */
  speaker(line: ChatLine): string {
    const post = this.#post(line);
    if (!post) return line.name;
    return line.who
      ? m.name_and_post({ name: line.name, post: shortPostName(post) })
      : shortPostName(post);
  }

  /** What was said: written, or one of the phrases. */
  words({ text, phrase, removed }: ChatLine, telling: Telling): string {
    if (removed) return m.line_removed();
    return text || (phrase ? phraseWords(phrase, telling) : "");
  }

  #post({ crew, seat, phrase }: ChatLine): Post | undefined {
    if (!crew || seat === null || seat === undefined) return undefined;
    const posts = this.#duel.setup.crews[crew === "a" ? 0 : 1].seats[seat]?.posts ?? [];
    const said = phrase ? POSTS[phrase.phrase] : undefined;
    return said && posts.includes(said) ? said : posts[0];
  }

  /** A soft sound for what others say. */
  #listen(): void {
    const fresh = this.lines.filter(({ number }) => number > this.#heard);
    this.#heard = this.lines.at(-1)?.number ?? this.#heard;
    if (fresh.some((line) => !this.mine(line))) play("talk");
  }
}
