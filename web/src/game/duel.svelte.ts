// One game as this seat knows it: what it was told, merged; never more.

import type {
  Announcement,
  ClockFace,
  Crew,
  DutyPortrait,
  EnginePortrait,
  Facts,
  GameOpened,
  GaugesPortrait,
  Heard,
  Heat,
  HelmPortrait,
  Item,
  Offered,
  Pause,
  Post,
  PublicPortrait,
  RadioNews,
  Seat,
  Setup,
  Sheets,
  Told,
  Trace,
  Drawing,
  Film,
} from "../wire";

/** The radio operator's table, whole. */
export interface Radio {
  readonly films: readonly Film[];
  readonly tape: readonly Announcement[];
  readonly locked: boolean;
}

/** The sheets that a seat sees. */
export interface View {
  readonly public: PublicPortrait;
  readonly duty: DutyPortrait | null;
  readonly helm: HelmPortrait | null;
  readonly gauges: GaugesPortrait | null;
  readonly engine: EnginePortrait | null;
  readonly radio: Radio | null;
  readonly trace: Trace | null;
  readonly enemyHull: Drawing | null;
}

/** Something heard, numbered in the order of hearing. */
export interface Said {
  readonly number: number;
  readonly at: number;
  readonly heard: Heard;
}

const LONGEST_LOG = 400;

export const BLANK: PublicPortrait = {
  phase: "placing",
  first: null,
  dived: [false, false],
  surfaced: [false, false],
  turn: null,
  stop: null,
  awaited: null,
  damage: [0, 0],
  in_service: [[], []],
  old_mines: [],
  volcano_marks: [0, 0],
  volcano_events: 0,
  smoke: 0,
  lava: [],
  result: null,
};

const EMPTY: View = {
  public: BLANK,
  duty: null,
  helm: null,
  gauges: null,
  engine: null,
  radio: null,
  trace: null,
  enemyHull: null,
};

function mergeRadio(old: Radio | null, news: RadioNews): Radio {
  const before = old ?? { films: [], tape: [], locked: false };
  const films = news.films ?? withItems(before.films, news.items ?? []);
  const tape =
    news.tape_from === undefined && !news.tape
      ? before.tape
      : [...before.tape.slice(0, news.tape_from ?? before.tape.length), ...(news.tape ?? [])];
  return { films, tape, locked: news.locked ?? before.locked };
}

function withItems(films: readonly Film[], items: readonly Item[]): readonly Film[] {
  const last = films.at(-1);
  if (!items.length || !last) return films;
  return [...films.slice(0, -1), { ...last, items: [...last.items, ...items] }];
}

/** The sheets after news of them; what is absent is as it was. */
export function merge(view: View, news: Sheets): View {
  return {
    public: news.public ?? view.public,
    duty: news.duty ?? view.duty,
    helm: news.helm ?? view.helm,
    gauges: news.gauges ?? view.gauges,
    engine: news.engine ?? view.engine,
    radio: news.radio ? mergeRadio(view.radio, news.radio) : view.radio,
    trace: news.trace === undefined ? view.trace : news.trace,
    enemyHull: news.enemy_hull === undefined ? view.enemyHull : news.enemy_hull,
  };
}

export const EMPTY_VIEW = EMPTY;

export class Duel {
  readonly game: string;
  readonly setup: Setup;
  readonly facts: Facts;
  readonly seat: Seat | null;
  readonly posts: readonly Post[];

  view = $state.raw<View>(EMPTY);
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
    this.view = merge(news.whole ? EMPTY : this.view, news.view);
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
    const [a, b] = whole || !this.boats ? [EMPTY, EMPTY] : this.boats;
    return [merge(a, news[0]), merge(b, news[1])];
  }
}
