// The sheets that a seat sees, folded from what the server tells of them. `fathom.client` folds the same.

import type {
  Announcement,
  Drawing,
  DutyPortrait,
  EnginePortrait,
  Film,
  GaugesPortrait,
  HelmPortrait,
  PublicPortrait,
  RadioNews,
  Sheets,
  Trace,
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

/** Before anything is told. */
export const EMPTY_VIEW: View = {
  public: {
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
  },
  duty: null,
  helm: null,
  gauges: null,
  engine: null,
  radio: null,
  trace: null,
  enemyHull: null,
};

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

function mergeRadio(old: Radio | null, news: RadioNews): Radio {
  const before = old ?? { films: [], tape: [], locked: false };
  const films = news.films ?? before.films;
  const tape = news.tape
    ? [...before.tape.slice(0, news.tape_from ?? 0), ...news.tape]
    : before.tape;
  return { films: withTopChanged(films, news), tape, locked: news.locked ?? before.locked };
}

/** The sheets, the one in use slid, drawn on or rubbed. */
function withTopChanged(films: readonly Film[], news: RadioNews): readonly Film[] {
  const top = films.at(-1);
  const { x, y, rubbed, items } = news;
  if (!top || [x, y, rubbed, items].every((one) => one === undefined)) return films;
  const kept = top.items.filter((_, i) => i + 1 !== rubbed);
  const changed = { x: x ?? top.x, y: y ?? top.y, items: [...kept, ...(items ?? [])] };
  return [...films.slice(0, -1), changed];
}
