// One game as this seat knows it: what it was told, merged; never more.

import type {
  ClockFace,
  Crew,
  Facts,
  GameOpened,
  Heard,
  Heat,
  Offered,
  Pause,
  Post,
  Seat,
  Setup,
  Sheets,
  Told,
} from "../wire";
import { EMPTY_VIEW, merge, type View } from "./fold";

/** Something heard, numbered in the order of hearing. */
export interface Said {
  readonly number: number;
  readonly at: number;
  readonly heard: Heard;
}

const LONGEST_LOG = 400;

export class Duel {
  readonly game: string;
  readonly setup: Setup;
  readonly facts: Facts;
  readonly seat: Seat | null;
  readonly posts: readonly Post[];

  view = $state.raw<View>(EMPTY_VIEW);
  offer = $state.raw<Offered>({});
  position = $state.raw(0);
  log = $state.raw<readonly Said[]>([]);
  heat = $state.raw<Heat | null>(null);
  /** On how many points they could be, after each time it was worked out. */
  counts = $state.raw<readonly { position: number; them: number; us: number }[]>([]);
  clock = $state.raw<{ face: ClockFace; at: number } | null>(null);
  pause = $state.raw<{ what: Pause["what"]; until: number } | null>(null);
  boats = $state.raw<readonly [View, View] | null>(null);
  /** Whether anything was told yet. */
  told = $state.raw(false);

  #heard = 0;

  constructor(opened: GameOpened) {
    this.game = opened.game;
    this.setup = opened.setup;
    this.facts = opened.facts;
    this.seat = opened.seat ?? null;
    this.posts = opened.posts ?? [];
  }

  /** The crew that this screen is about; spectators look from crew a's side. */
  get us(): Crew {
    return this.seat?.crew ?? "a";
  }

  get them(): Crew {
    return this.us === "a" ? "b" : "a";
  }

  /** Merge what was told; what is heard now is given back. */
  tell(news: Told): readonly Said[] {
    this.view = merge(news.whole ? EMPTY_VIEW : this.view, news.view);
    if (news.offer ?? news.whole) this.offer = news.offer ?? {};
    this.position = news.position;
    if (news.clock) this.clock = { face: news.clock, at: Date.now() };
    if (news.boats) this.boats = this.#mergeBoats(news.boats, news.whole ?? false);
    if (!this.view.public.stop && !this.view.public.awaited) this.pause = null;
    // All that was ever said, asked for by who opens the page anew: for the log, nobody hears it now.
    const events = news.events ?? [];
    const history = (news.whole ?? false) && events.length >= news.position;
    const at = history ? 0 : Date.now();
    const said = events.map((heard) => ({ number: ++this.#heard, at, heard }));
    if (said.length) this.log = [...(history ? [] : this.log), ...said].slice(-LONGEST_LOG);
    this.told = true;
    return history ? [] : said;
  }

  warm(news: Heat): void {
    this.heat = news;
    const count = {
      position: news.position,
      them: Object.keys(news.them).length,
      us: Object.keys(news.us ?? {}).length,
    };
    this.counts = [...this.counts, count].slice(-LONGEST_LOG);
  }

  hold(news: Pause): void {
    this.pause = { what: news.what, until: Date.now() + news.left };
  }

  #mergeBoats(news: readonly [Sheets, Sheets], whole: boolean): readonly [View, View] {
    const [a, b] = whole || !this.boats ? [EMPTY_VIEW, EMPTY_VIEW] : this.boats;
    return [merge(a, news[0]), merge(b, news[1])];
  }
}
