// Made from src/fathom/server/wire.py by `python -m fathom.server.typescript`. Do not edit.
/* eslint-disable */

/** A point of the chart by its name, such as `H8`. */
export type Point = string;
/** A pair: crew `a` first, then crew `b`. */
export type ByCrew<T> = readonly [T, T];


export const PROTOCOL = 1;

export type ErrorKey = "bad-message" | "bad-protocol" | "bad-token" | "token-ended" | "not-in-scope" | "bad-origin" | "bad-name" | "bad-recovery" | "bad-chart" | "too-long" | "too-many-messages" | "too-many-connections" | "too-many-tables" | "too-many-tokens" | "too-much-chat" | "unknown-table" | "unknown-game" | "unknown-token" | "unknown-scenario" | "unknown-path" | "bad-method" | "not-at-this-table" | "not-your-seat" | "not-the-host" | "post-taken" | "post-empty" | "seats-empty" | "not-ready" | "game-is-on" | "no-game" | "game-too-long" | "game-not-over" | "watching-not-allowed" | "removed" | "table-locked" | "muted" | "banned" | "unknown-player" | "unknown-entry" | "not-open" | "busy" | "not-saved" | "going-down" | "internal";

export type Channel = "crew" | "table";

export type Phase = "gathering" | "playing" | "over";

export type BotPace = "at-once" | "brisk" | "human";

export type Watching = "nobody" | "public" | "everything";

export type AnyRequest =
  | Hello
  | Ping
  | FollowLobby
  | OpenTable
  | CloseTable
  | Sit
  | Stand
  | Swap
  | PlaceBot
  | ClearPost
  | ChangeSettings
  | NameBoat
  | GetReady
  | Start
  | Rematch
  | LetBotPlay
  | HandOver
  | RemovePerson
  | LockTable
  | MutePerson
  | Report
  | GiveOrder
  | Advise
  | SayWords
  | SayPhrase;

export type AnyNews =
  | Welcome
  | Pong
  | Done
  | Refused
  | Problem
  | Goodbye
  | Lobby
  | TableNews
  | TableClosed
  | ChatLine
  | LinesRemoved
  | Announced
  | GameOpened
  | Told
  | Pause
  | Heat;

export type AnyOrder =
  | AnswerSonar
  | AnswerTruly
  | Charge
  | SetCourse
  | CrossOut
  | DeclareLost
  | Dive
  | DrawFirst
  | LaunchDrone
  | EndTurn
  | JudgeTrace
  | LayMine
  | Place
  | ReportReady
  | Resign
  | ResumePlay
  | RunSilent
  | UseSonar
  | Surface
  | FireTorpedo
  | TraceSection
  | DrawLine
  | PutMark
  | WriteNote
  | Rub
  | WipeSheet
  | SlideSheet
  | NewSheet
  | TriggerMine
  | RepairSystem
  | DetonateOldMine
  | NameVolcano;

export type SheetOrder =
  | DrawLine
  | PutMark
  | WriteNote
  | Rub
  | WipeSheet
  | SlideSheet
  | NewSheet;

export type AnyEvent =
  | SystemFailed
  | Damaged
  | GameEnded
  | Exploded
  | MineDestroyed
  | OldMineDestroyed
  | SonarAnswered
  | GaugeCharged
  | SystemReady
  | CourseSet
  | SymbolCrossed
  | CircuitMended
  | Dived
  | PlayBegan
  | FirstDrawn
  | DroneLaunched
  | TurnEnded
  | MineLaid
  | Placed
  | ReadyReported
  | PlayResumed
  | RanSilent
  | SonarUsed
  | Surfaced
  | TorpedoFired
  | SectionTraced
  | TraceJudged
  | LineDrawn
  | MarkPut
  | NoteWritten
  | Rubbed
  | SheetWiped
  | SheetSlid
  | SheetTaken
  | MineTriggered
  | SystemRepaired
  | OldMineDetonated
  | VolcanoStirred
  | VolcanoNamed;

export type Announcement =
  | SystemFailed
  | Damaged
  | GameEnded
  | Exploded
  | OldMineDestroyed
  | SonarAnswered
  | CourseSet
  | Dived
  | PlayBegan
  | FirstDrawn
  | DroneLaunched
  | TurnEnded
  | PlayResumed
  | SonarUsed
  | Surfaced
  | TorpedoFired
  | MineTriggered
  | SystemRepaired
  | OldMineDetonated
  | VolcanoStirred
  | VolcanoNamed
  | MineLaidHeard
  | SilenceHeard;

export type Heard =
  | MarkAcknowledged
  | SystemFailed
  | Damaged
  | GameEnded
  | Exploded
  | MineDestroyed
  | OldMineDestroyed
  | SonarAnswered
  | GaugeCharged
  | SystemReady
  | CourseSet
  | SymbolCrossed
  | CircuitMended
  | Dived
  | PlayBegan
  | FirstDrawn
  | DroneLaunched
  | TurnEnded
  | MineLaid
  | MineLaidHeard
  | Placed
  | ReadyReported
  | PlayResumed
  | RanSilent
  | SilenceHeard
  | SonarUsed
  | Surfaced
  | TorpedoFired
  | SectionTraced
  | TraceJudged
  | LineDrawn
  | MarkPut
  | NoteWritten
  | Rubbed
  | SheetWiped
  | SheetSlid
  | SheetTaken
  | MineTriggered
  | SystemRepaired
  | OldMineDetonated
  | VolcanoStirred
  | VolcanoNamed;

export type AnyPhrase =
  | PleaseCharge
  | PleaseUse
  | PleaseSpare
  | WhichWay
  | WhereAreThey
  | SurfacingSoon
  | Ready
  | NotReady
  | Danger
  | Safe
  | Broken
  | Mended
  | SurfaceSoon
  | Probably
  | InSector
  | NoIdea
  | TheyKnow
  | HeatMap
  | Yes
  | No;

export type Holder =
  | Person
  | BotHand;

/** The first message of every connection; answered by `Welcome`. */
export interface Hello {
  readonly type: "hello";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly protocol: number;
  readonly token: string;
}

/** Send one every 2.5 seconds; who is silent for 9 seconds counts as gone. */
export interface Ping {
  readonly type: "ping";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly number?: number;
}

/** Ask for the lobby, now and whenever it changes, or no longer. */
export interface FollowLobby {
  readonly type: "follow-lobby";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly on?: boolean;
}

/**
 * Be at a table: get its state, its chat and its game, now and whenever they change.
 *
 * Also how one resumes: with the game and position last heard, what was missed is told.
 */
export interface OpenTable {
  readonly type: "open";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  /**
   * For an unlisted table where you hold no post: from its link, or from `table`. Without it
   * the code opens the table while it gathers, and then no more.
   */
  readonly key?: string | null;
  readonly game?: string | null;
  /** The position last heard in that game; 0 asks for all events, None for none of the past. */
  readonly position?: number | null;
  /** The number of the last chat line that the client has. */
  readonly chat?: number;
}

/** Hear no more of a table on this connection. Posts are kept. */
export interface CloseTable {
  readonly type: "close";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
}

/** Take posts that are free or a bot's; before the start only. Posts in the other crew go. */
export interface Sit {
  readonly type: "sit";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly crew: Crew;
  /** None named: all that are free. */
  readonly posts?: readonly Post[];
}

/** One of the two crews. Its colour is the rulebook's; records call them a and b. */
export type Crew = "a" | "b";

/** A job in a crew (crew.posts). `bit` is its place in a set of posts. */
export type Post = "captain" | "first-mate" | "engineer" | "radio-operator";

/** Give posts up; before the start and after the end. */
export interface Stand {
  readonly type: "stand";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  /** None named: all. */
  readonly posts?: readonly Post[];
}

/**
 * Ask to change places with whoever holds a post; a bot agrees at once, a person by `swap`.
 *
 * It counts for all posts of both.
 */
export interface Swap {
  readonly type: "swap";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly crew: Crew;
  readonly post: Post;
}

/** Put one bot on free posts (the host). */
export interface PlaceBot {
  readonly type: "place-bot";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly crew: Crew;
  /** None named: all that are free. */
  readonly posts?: readonly Post[];
  /** None: as the table's settings say. */
  readonly rank?: Rank | null;
}

/** How well a bot plays. `level` counts from 0. */
export type Rank = "cadet" | "ensign" | "lieutenant" | "commander" | "commodore" | "admiral";

/** Take a post from a bot or a person; before the start only (the host). */
export interface ClearPost {
  readonly type: "clear-post";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly crew: Crew;
  readonly post: Post;
}

/** Agree on something else; before the start only (the host). */
export interface ChangeSettings {
  readonly type: "settings";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly settings: Settings;
}

/** All that a table agrees before a game. Everything has a sensible default. */
export interface Settings {
  readonly rulebook: string;
  readonly mode: Mode;
  /** None: the one that the rulebook advises first. */
  readonly scenario: string | null;
  /** A chart of one's own, written as a chart file is, instead of a scenario. */
  readonly chart_text: string | null;
  /** None: the rulebook's usual way of winning. */
  readonly goal: string | null;
  /** The engineer's sheet; None: the usual one. */
  readonly sheet: string | null;
  /** Fields of the rulebook that this table plays otherwise; `Library.rulings` lists them. */
  readonly rulings: { readonly [key: string]: unknown };
  /** Radio help, stations, pauses, answers' time, what happens when someone leaves. */
  readonly house: House;
  /** Who begins, turn by turn; None: drawn. */
  readonly first: Crew | null;
  readonly clocks: Clocks;
  /** Whether spectators see nothing, what is public, or everything after a delay. */
  readonly watching: Watching;
  /**
   * Seconds after which spectators see everything, where they may; the server raises it to two
   * minutes or more. They also wait until each crew has made ten moves since.
   */
  readonly watch_delay: number;
  /**
   * Whether the lobby shows the table; otherwise it is joined by its link, or by its code while
   * it gathers.
   */
  readonly listed: boolean;
  /** Of bots that fill empty posts or take posts over. Bots of this rank follow its changes. */
  readonly rank: Rank;
  readonly pace: BotPace;
}

/** How the game is paced. */
export type Mode = "turn-by-turn" | "real-time";

/** What a table agrees beside its rulebook. */
export interface House {
  /** How much the program helps the radio operator (secret.radio). */
  readonly radio_help: "computer" | "paper" | "tape";
  /** Whether a crew may look at each other's sheets (secret.crew). */
  readonly stations: "closed" | "open";
  /** Whether a turn ends by itself when no system could be activated (turn.order). */
  readonly quick_ends: boolean;
  /** Who judges a traced hull (surface.trace). */
  readonly trace_judge: "enemy-engineer" | "program";
  /** Whether a bad stroke spoils all four sections or only its own (surface.trace). */
  readonly trace_redo: "all" | "bad";
  /** Whether crew.mode and crew.sizes are lifted. */
  readonly lift_crew_rules: boolean;
  /** How long a stop lasts when nothing more is awaited (system.stop). */
  readonly pause_seconds: number;
  /** After which time the program answers a sonar (sonar.answer). */
  readonly answer_seconds: number | null;
  /** What happens to a post whose player has gone (end.abandon). */
  readonly leaving: "bot" | "lose" | "wait";
  /** How long a post may be empty before that happens. */
  readonly leaving_seconds: number;
}

/** How much time a crew has; turn by turn only. */
export interface Clocks {
  /** For one turn with its marks, and for an answer in the other crew's turn (end.time). */
  readonly turn_seconds: number | null;
  /** For all of a crew's turns together. */
  readonly game_seconds: number | null;
}

/** Name a submarine, and say whether its first mate is shy (its crew, or the host). */
export interface NameBoat {
  readonly type: "name-boat";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly crew: Crew;
  readonly boat: string;
  readonly shy_mate?: boolean;
}

/** Say that one is ready to dive, or not yet. */
export interface GetReady {
  readonly type: "get-ready";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly ready?: boolean;
}

/** Begin the game: every post is held and every person ready (the host). */
export interface Start {
  readonly type: "start";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  /** Whether bots take the free posts. */
  readonly fill?: boolean;
}

/**
 * After the end: gather again, with sides swapped, everybody on their old posts.
 *
 * With `at_once` the next game begins instead, on the same sides and against the same bots:
 * for a host who is the only person at the table. Free posts are filled with bots. If others
 * hold posts, the answer is `not-ready`.
 */
export interface Rematch {
  readonly type: "rematch";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly at_once?: boolean;
  /** With `at_once`: the rank of all bots from now on; None: as before. */
  readonly rank?: Rank | null;
}

/** Let a bot play one's posts, or take them back. Who comes back gets them back anyway. */
export interface LetBotPlay {
  readonly type: "let-bot-play";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly on?: boolean;
}

/** Make somebody who holds a post the host (the host). */
export interface HandOver {
  readonly type: "hand-over";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly who: string;
}

/** Remove somebody from the table for good; in a game a bot takes their posts (the host). */
export interface RemovePerson {
  readonly type: "remove";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly who: string;
}

/** Let nobody new sit down, or let them again (the host). */
export interface LockTable {
  readonly type: "lock";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly on?: boolean;
}

/**
 * Take somebody's lines of chat no longer, or take them again (the host).
 *
 * Quick phrases are still taken.
 */
export interface MutePerson {
  readonly type: "mute";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly who: string;
  readonly on?: boolean;
}

/** Tell the server's operator of lines of chat that break the rules of behaviour. */
export interface Report {
  readonly type: "report";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  /** Their numbers, as the reporter was told them. */
  readonly lines: readonly number[];
  readonly why: "insult" | "name" | "other" | "spam" | "threat";
  readonly text?: string;
}

/** Give an order. Until it is answered, send it again after a reconnect, with the same id. */
export interface GiveOrder {
  readonly type: "order";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id: string;
  readonly game: string;
  readonly order: AnyOrder;
}

/** Two facts of different kinds, one true and one false (sonar.answer). */
export interface AnswerSonar {
  readonly order: "answer";
  readonly row: number | null;
  readonly column: string | null;
  readonly sector: number | null;
}

/** Which of row and column to tell; the program fills in the truth (sonar.answer-true). */
export interface AnswerTruly {
  readonly order: "answer-truly";
  readonly line: "column" | "row";
}

/** Fill one box, or say that there is nothing to fill (charge.one). */
export interface Charge {
  readonly order: "charge";
  readonly system: System | null;
}

/** What the first mate charges. `index` is its gauge, `bit` its place in a set. */
export type System = "mine" | "torpedo" | "drone" | "sonar" | "silence" | "scenario";

/** Sail one point (move.course). */
export interface SetCourse {
  readonly order: "course";
  readonly heading: Heading;
}

/** A course's direction. `step` is what it adds to a point. */
export type Heading = "N" | "S" | "E" | "W";

/** Cross out one symbol, or only pretend to after a silence of 0 points (breakdown.cross). */
export interface CrossOut {
  readonly order: "cross-out";
  readonly symbol: string | null;
}

/** A crew has gone (end.abandon), or its time is up (end.time). */
export interface DeclareLost {
  readonly order: "lost";
  readonly crew: Crew;
  readonly why: "end.abandon" | "end.time";
}

/** Dive: to begin the game, and after a surfacing in real time. */
export interface Dive {
  readonly order: "dive";
}

/** Which crew begins, as the lot fell (start.first). */
export interface DrawFirst {
  readonly order: "first";
  readonly crew: Crew;
}

/** Ask whether the enemy is in a sector (drone.ask). */
export interface LaunchDrone {
  readonly order: "drone";
  readonly sector: number;
}

/** End the turn (turn.order). */
export interface EndTurn {
  readonly order: "end-turn";
}

/** Judge the enemy's traced hull: the sections that are bad (surface.trace). */
export interface JudgeTrace {
  readonly order: "judge";
  readonly bad: readonly number[];
}

/** Lay a mine on a neighbouring point (mine.lay). */
export interface LayMine {
  readonly order: "mine";
  readonly at: Point;
}

/** Mark the point where the submarine starts (start.place). */
export interface Place {
  readonly order: "place";
  readonly at: Point;
}

/** Report that the submarine is ready to dive (surface.dive). */
export interface ReportReady {
  readonly order: "ready";
}

/** Give the game up (end.resign). */
export interface Resign {
  readonly order: "resign";
}

/** End a stop: the captain's signal, or the referee after the pause (system.stop). */
export interface ResumePlay {
  readonly order: "resume";
}

/** Move in a straight line, unheard (silence.move); for 0 points the heading is absent. */
export interface RunSilent {
  readonly order: "silence";
  readonly distance: number;
  readonly heading: Heading | null;
}

/** Ask the enemy captain for two facts (sonar.answer). */
export interface UseSonar {
  readonly order: "sonar";
}

/** Surface (surface.announce). */
export interface Surface {
  readonly order: "surface";
}

/** Fire a torpedo (torpedo.range, torpedo.sector). */
export interface FireTorpedo {
  readonly order: "torpedo";
  readonly target: Point;
}

/** Trace one section in one closed stroke and sign it (surface.trace). */
export interface TraceSection {
  readonly order: "trace";
  readonly section: number;
  readonly stroke: readonly (readonly [number, number])[];
  readonly initials: string;
}

/** Draw on the transparent sheet: a line in tenths of a point, from the sheet's middle. */
export interface DrawLine {
  readonly order: "line";
  readonly line: readonly (readonly [number, number])[];
}

/** Put a mark on the transparent sheet. */
export interface PutMark {
  readonly order: "mark";
  readonly x: number;
  readonly y: number;
  readonly shape: "cross" | "dot" | "mine" | "question" | "ring";
}

/** Write a few words on the transparent sheet. */
export interface WriteNote {
  readonly order: "note";
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Erase one thing from the transparent sheet, by its number; the last one undoes. */
export interface Rub {
  readonly order: "rub";
  readonly number: number;
}

/** Erase everything and begin again (radio.erase). */
export interface WipeSheet {
  readonly order: "wipe";
}

/** Move the sheet over the chart, in whole points from the chart's middle. */
export interface SlideSheet {
  readonly order: "slide";
  readonly x: number;
  readonly y: number;
}

/** Pin the sheet where it lies and take a new one, as after a silence. */
export interface NewSheet {
  readonly order: "new-sheet";
}

/** Set off one of the crew's own mines (mine.trigger). */
export interface TriggerMine {
  readonly order: "trigger";
  readonly at: Point;
}

/** Put a damaged system into service (scenario.damaged). */
export interface RepairSystem {
  readonly order: "repair";
  readonly system: System;
}

/** Set off an old mine (scenario.old-mines). */
export interface DetonateOldMine {
  readonly order: "old-mine";
  readonly at: Point;
}

/** Say which volcano smokes or flows (scenario.volcanoes). */
export interface NameVolcano {
  readonly order: "volcano";
  readonly volcano: number;
}

/**
 * Ask which answer to a sonar tells the enemy least; for whoever must give it.
 *
 * `Done` with `advice` comes when it has been worked out; other messages don't wait for it.
 */
export interface Advise {
  readonly type: "advise";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id: string;
  readonly game: string;
}

/** Write a line to one's crew or to everyone at the table. */
export interface SayWords {
  readonly type: "chat";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly channel: Channel;
  readonly text: string;
}

/** Say a quick phrase to one's crew; bots understand it. */
export interface SayPhrase {
  readonly type: "say";
  /** If given, the message is answered by `Done`, `Refused` or `Problem` with it. */
  readonly id?: string | null;
  readonly table: string;
  readonly phrase: AnyPhrase;
}

/** The captain wants a system charged next. */
export interface PleaseCharge {
  readonly phrase: "please-charge";
  readonly system: System;
}

/** The captain wants the first mate to use drone or sonar. */
export interface PleaseUse {
  readonly phrase: "please-use";
  readonly system: System;
  readonly sector: number | null;
}

/** The captain wants symbols of a colour left alone. */
export interface PleaseSpare {
  readonly phrase: "please-spare";
  readonly kind: Kind;
}

/** What a symbol on the engineer's sheet stands for (breakdown.kinds). */
export type Kind = "red" | "green" | "yellow" | "radiation";

/** The captain asks the engineer which courses are bad. */
export interface WhichWay {
  readonly phrase: "which-way";
}

/** The captain asks the radio operator. */
export interface WhereAreThey {
  readonly phrase: "where-are-they";
}

/** The captain means to surface. */
export interface SurfacingSoon {
  readonly phrase: "surfacing-soon";
}

/** A gauge is full. */
export interface Ready {
  readonly phrase: "ready";
  readonly system: System;
}

/** A gauge still needs so many boxes. */
export interface NotReady {
  readonly phrase: "not-ready";
  readonly system: System;
  readonly boxes: number;
}

/** A course this way would cost damage, or the system that is wanted. */
export interface Danger {
  readonly phrase: "danger";
  readonly heading: Heading;
}

/** A course this way does no harm, or even mends a circuit. */
export interface Safe {
  readonly phrase: "safe";
  readonly heading: Heading;
}

/** Systems of this colour don't work. */
export interface Broken {
  readonly phrase: "broken";
  readonly kind: Kind;
}

/** Systems of this colour work again. */
export interface Mended {
  readonly phrase: "mended";
  readonly kind: Kind;
}

/** The engineer runs out of harmless symbols. */
export interface SurfaceSoon {
  readonly phrase: "surface-soon";
}

/** Where they most likely are, and how likely that is, in percent. */
export interface Probably {
  readonly phrase: "probably";
  readonly points: readonly Point[];
  readonly percent: number;
}

/** They are in a sector, most likely. */
export interface InSector {
  readonly phrase: "in-sector";
  readonly sector: number;
  readonly percent: number;
}

/** They can be on so many points. */
export interface NoIdea {
  readonly phrase: "no-idea";
  readonly points: number;
}

/** For all that they heard, we can be on so few points only. */
export interface TheyKnow {
  readonly phrase: "they-know";
  readonly points: number;
}

/** How likely they are on each point, in thousandths; points left out are impossible. */
export interface HeatMap {
  readonly phrase: "heat-map";
  readonly likely: { readonly [key: string]: number };
}

/** Agreed. */
export interface Yes {
  readonly phrase: "yes";
}

/** Not agreed. */
export interface No {
  readonly phrase: "no";
}

/** The answer to `Hello`. */
export interface Welcome {
  readonly type: "welcome";
  readonly protocol: number;
  /** The server's version. */
  readonly fathom: string;
  readonly you: string;
  readonly name: string;
  /** Where you hold a post in a game that is gathering or under way: resume there. */
  readonly tables?: readonly string[];
  readonly ping_seconds?: number;
  readonly silent_seconds?: number;
  /** The server's time of day. */
  readonly now: number;
}

/** The answer to `Ping`. */
export interface Pong {
  readonly type: "pong";
  readonly number?: number;
  readonly now: number;
}

/** What was asked has been done. For an order: it is saved, and `position` tells it. */
export interface Done {
  readonly type: "done";
  readonly id: string;
  readonly game?: string | null;
  /** The seat's position after the order; `Told` with it came before, or its view did. */
  readonly position?: number | null;
  /** Whether the order had taken effect already, when it was sent before. */
  readonly again?: boolean;
  /** For `advise`: the order that should be given. Only who asked is told. */
  readonly advice?: AnyOrder | null;
}

/** An order, or a game's beginning, that breaks a rule; nothing has changed. */
export interface Refused {
  readonly type: "refused";
  readonly id: string;
  readonly game?: string | null;
  /** The rule's name; `GET /api/rules` tells it. */
  readonly rule: string;
  readonly arguments?: { readonly [key: string]: string | number };
}

/** Something that could not be done; nothing has changed. */
export interface Problem {
  readonly type: "problem";
  readonly id?: string | null;
  readonly error: ErrorKey;
  readonly arguments?: { readonly [key: string]: string | number };
  /** Whether the connection is closed after this. */
  readonly fatal?: boolean;
}

/** The server closes the connection in good order; reconnect after so many seconds. */
export interface Goodbye {
  readonly type: "goodbye";
  readonly why: "going-down" | "silent" | "too-slow";
  readonly retry_seconds?: number;
}

/** Open tables and running games, newest first. */
export interface Lobby {
  readonly type: "lobby";
  /** Gathering, with room for one more. */
  readonly tables: readonly TableCard[];
  /** Under way, to watch. */
  readonly games: readonly TableCard[];
}

/** A table in the lobby. */
export interface TableCard {
  readonly code: string;
  readonly phase: Phase;
  readonly host: string;
  readonly rulebook: string;
  readonly mode: Mode;
  readonly scenario: string;
  /** Posts that nobody holds. */
  readonly free: number;
  readonly persons: number;
  readonly bots: number;
  readonly watching: Watching;
  readonly since: number;
}

/** The table, whole, when it is opened and after every change. */
export interface TableNews {
  readonly type: "table";
  readonly table: TableState;
  /** Spectators on this server. */
  readonly watchers?: number;
}

/** A table as everyone at it sees it; it holds no secret. */
export interface TableState {
  readonly code: string;
  /** Counts up with every change. */
  readonly version: number;
  readonly phase: Phase;
  readonly host: string;
  readonly settings: Settings;
  /** Of an unlisted table: whoever has it may come in, so give it to friends only. */
  readonly key?: string | null;
  readonly crews: ByCrew<CrewState>;
  readonly swaps?: readonly SwapAsked[];
  /** Why the game can't start now; None: it can. */
  readonly obstacle?: Obstacle | null;
  /** While gathering. */
  readonly options?: Options | null;
  /** The game under way, or the last one. */
  readonly game?: string | null;
  /** Finished games of this table, oldest first. */
  readonly games?: readonly string[];
  /** How the last game ended, when it is over. */
  readonly result?: Result | null;
  /** Whether nobody new may sit down. */
  readonly locked?: boolean;
  /** Whose lines of chat are not taken. */
  readonly muted?: readonly string[];
}

/** One crew at a table. */
export interface CrewState {
  readonly boat: string;
  readonly colour: string;
  readonly berths: readonly Berth[];
  readonly shy_mate?: boolean;
}

/** A post at a table and who holds it. */
export interface Berth {
  readonly post: Post;
  readonly holder?: Holder | null;
  /** Its seat's number in the crew, once the game has begun. */
  readonly seat?: number | null;
}

/** A person who holds a post. */
export interface Person {
  readonly kind: "person";
  readonly who: string;
  readonly name: string;
  readonly ready?: boolean;
  /** Whether they are connected now. */
  readonly here?: boolean;
  /** The rank of the bot that plays for them, while one does. */
  readonly stand_in?: Rank | null;
}

/** A bot that holds a post; the same number is the same bot. */
export interface BotHand {
  readonly kind: "bot";
  readonly number: number;
  readonly rank: Rank;
}

/** Somebody wants to change places with somebody. */
export interface SwapAsked {
  readonly by: string;
  readonly with_whom: string;
}

/** Why something can't be: a rule of the game or an error's key, with arguments. */
export interface Obstacle {
  /** A rule's name has a dot (`crew.mode`), an error's key has none. */
  readonly key: string;
  readonly arguments: { readonly [key: string]: string | number };
}

/** What the table could agree on, everything else staying as it is. */
export interface Options {
  readonly modes: readonly Option[];
  readonly scenarios: readonly Option[];
  readonly goals: readonly Option[];
  readonly sheets: readonly Option[];
  readonly clocks: Option;
  readonly shy_mate: Option;
}

/** One thing that could be chosen, and why not, if it can't now. */
export interface Option {
  readonly name: string;
  readonly obstacle?: Obstacle | null;
}

/** How the game ended; no winner means a draw. */
export interface Result {
  readonly winner: Crew | null;
  readonly why: "end.abandon" | "end.draw" | "end.goal" | "end.resign" | "end.sunk" | "end.time";
}

/** The table is not open any more on this connection. */
export interface TableClosed {
  readonly type: "table-closed";
  readonly table: string;
  /** `removed`: you, by the host, for good. `closed`: the table, by the operator. */
  readonly why: "asked" | "closed" | "gone" | "removed" | "watching-not-allowed";
}

/** A line of chat, or a phrase. A crew's lines reach that crew alone. */
export interface ChatLine {
  readonly type: "chat";
  readonly table: string;
  /** Counts the lines that you may see, from 1 and without gaps. `open` resumes after it. */
  readonly number: number;
  readonly channel: Channel;
  /** The speaker's crew, if they hold a post. */
  readonly crew?: Crew | null;
  /** The speaker's seat, in a game. */
  readonly seat?: number | null;
  readonly name: string;
  /** None: a bot. */
  readonly who?: string | null;
  readonly text?: string;
  readonly phrase?: AnyPhrase | null;
  readonly at: number;
  /** Whether the operator has removed what was said. */
  readonly removed?: boolean;
}

/** Lines of chat that the operator has removed: show them no more. */
export interface LinesRemoved {
  readonly type: "lines-removed";
  readonly table: string;
  /** Their numbers, as you were told them. */
  readonly lines: readonly number[];
}

/**
 * What the operator tells everyone; it takes the place of what was told before.
 *
 * Without `until` there is nothing to tell any more.
 */
export interface Announced {
  readonly type: "announcement";
  /** When the server restarts. Games go on after it by themselves. */
  readonly restart?: number | null;
  /** The operator's own words, in whatever language. */
  readonly text?: string;
  /** When it is no longer shown. */
  readonly until?: number | null;
}

/** What never changes in a game; comes before its first `Told`. */
export interface GameOpened {
  readonly type: "game";
  readonly game: string;
  readonly table: string;
  /** None: you watch. */
  readonly seat?: Seat | null;
  readonly posts?: readonly Post[];
  readonly setup: Setup;
  readonly facts: Facts;
}

/** One player's place in a crew; which posts it holds is said at set-up. */
export interface Seat {
  readonly crew: Crew;
  readonly number: number;
}

/** All that is agreed: what the engine reads and what a record's header keeps. */
export interface Setup {
  readonly version: number;
  readonly mode: Mode;
  readonly book: Rulebook;
  readonly goal: Goal;
  readonly chart: Chart;
  readonly sheet: Sheet | null;
  readonly hull: Hull;
  readonly crews: ByCrew<CrewPlan>;
  readonly first: Crew | null;
  readonly house: House;
}

/** What one rulebook says, rulings included. */
export interface Rulebook {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** Fewest and most players. */
  readonly players: readonly [number, number];
  /** The posts in a crew (crew.posts). */
  readonly posts: readonly Post[];
  /** The colours of the two crews. */
  readonly colours: readonly [string, string];
  /** The ways of winning, the usual one first. */
  readonly goals: readonly Goal[];
  readonly turn_by_turn: Pace;
  readonly real_time: Pace;
  /** The systems, apart from a scenario's own. */
  readonly systems: readonly System[];
  /** Who activates drone and sonar (system.who). */
  readonly detection_by: readonly Post[];
  /** What north, south, east and west are called. */
  readonly course_names: readonly [string, string, string, string];
  /** The scenario advised for a first game (start.choices). */
  readonly first_scenario: string;
  /** Whether orders wait for marks of first mate and engineer (move.acknowledge). */
  readonly acknowledge: boolean;
  readonly energy: Energy | null;
  /** Whether a crew may choose a first mate who only charges (crew.shy-mate). */
  readonly shy_mate: boolean;
  /** One activation between two courses, or an activation in place of a course (system.once). */
  readonly activations: "between-courses" | "whole-turn";
  /** Whether a system may be used after diving, before a course (surface.then-system). */
  readonly system_after_dive: boolean;
  /** Whether activations and surfacing wait for those marks too, or courses only. */
  readonly acknowledge_systems: boolean;
  /** Whether a captain without a legal course must surface (move.blackout). */
  readonly blackout: boolean;
  /** Whether the last course's activation may still come before that surfacing. */
  readonly blackout_systems: boolean;
  /** Whether a mine blocks its own crew's way (move.own-mine). */
  readonly own_mine_blocks: boolean;
  /** What becomes of an order to a broken system (breakdown.misuse). */
  readonly broken_system: "radiation-mark" | "refused";
  /** Whether a mark that closes a circuit does no damage (repair.first). */
  readonly repair_first: boolean;
  /** From when a mine can be triggered (mine.armed). */
  readonly mine_armed: "at-once" | "next-turn";
  /** Whether a trigger is refused while a red symbol is crossed out (mine.circuits). */
  readonly trigger_needs_circuits: boolean;
  /** Whether a surfaced crew may trigger its mines (mine.trigger). */
  readonly trigger_while_surfaced: boolean;
  /** Whether mines next to an explosion explode in waves (blast.chain). */
  readonly blast_chain: boolean;
  /** Damage on the point of an explosion (blast.direct). */
  readonly blast_direct: number;
  /** Damage on the eight points around it (blast.near). */
  readonly blast_near: number;
  /** Whether a blast next to a submarine counts in Sudden Death (end.sudden-death). */
  readonly sudden_death_indirect: boolean;
  /** Whether the firer's own submarine suffers (blast.self). */
  readonly blast_self: boolean;
  /** Whether a torpedo goes so many steps, or anywhere in the firer's sector. */
  readonly torpedo_reach: "sector" | "steps";
  /** How many steps along rows and columns (torpedo.range). */
  readonly torpedo_range: number;
  /** Whether a torpedo flies over islands (torpedo.range). */
  readonly torpedo_over_islands: boolean;
  /** Whether a torpedo may be fired on one's own point. */
  readonly torpedo_own_point: boolean;
  /** Two facts, one of them false, or one true fact (sonar.answer). */
  readonly sonar_answer: "one-false" | "one-true";
  /** The fewest points of a silence (silence.move). */
  readonly silence_least: number;
  /** The most points of a silence. */
  readonly silence_most: number;
  /** Whether a silence charges a gauge, as a course does. */
  readonly silence_charges: boolean;
  /** Whether a silence of 0 points does too. */
  readonly silence_zero_charges: boolean;
  /** Whether the engineer crosses out for a silence of 0 points; the panel is their choice. */
  readonly silence_zero_marks: boolean;
  /** Whether a system may be activated again after a silence (system.once). */
  readonly silence_is_course: boolean;
  /** What a surfacing tells the enemy (surface.announce). */
  readonly surfacing_tells: "point" | "sector";
  /** Turns that the enemy takes after a surfacing (surface.turns). */
  readonly surfacing_turns: number;
  /** Whether, turn by turn, a surfaced crew's radio operator may not write. */
  readonly radio_locked_surfaced: boolean;
  /** Both sunk in one step: a draw, or else the crew that acted loses (end.draw). */
  readonly draw: boolean;
  /** Whether an old mine's point can't be entered (scenario.old-mines). */
  readonly old_mine_blocks: boolean;
  /** Whether an island counts as next to a submarine diagonally (scenario.damaged). */
  readonly repair_diagonal: boolean;
  /** Who ends a stop when nothing is awaited (system.stop). */
  readonly resume: "by-itself" | "captain";
}

/** A way of winning that may be chosen at set-up. */
export interface Goal {
  readonly name: string;
  /** Damage that sinks (end.sunk). */
  readonly hull: number;
  /** Whether this is Sudden Death (end.sudden-death). */
  readonly sudden: boolean;
}

/** What holds in one mode only. */
export interface Pace {
  /** Fewest and most players for whom this mode is allowed (crew.mode). */
  readonly players: readonly [number, number];
  /** Points along one side of the chart. */
  readonly chart_side: number;
  readonly gauges: Boxes;
  /** Engineer's sheets that may be chosen, the usual one first; empty without an engineer. */
  readonly sheets: readonly string[];
  /** The enemy takes three turns; the turn passes; the hull is traced; the captain's signal. */
  readonly surfacing: "pass" | "signal" | "three-turns" | "trace";
}

/** How many boxes each gauge has (charge.sizes); the scenario's is the chart's. */
export interface Boxes {
  readonly mine: number;
  readonly torpedo: number;
  readonly drone: number;
  readonly sonar: number;
  readonly silence: number;
}

/** One gauge for all systems, and what each costs (energy.gauge). */
export interface Energy {
  readonly boxes: number;
  readonly sonar: number;
  readonly silence: number;
  readonly torpedo: number;
}

/** One chart. `rows` is its picture; what a mark means is said by `special`. */
export interface Chart {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly string[];
  /** Its special rule: the name of a scenario's terrain. */
  readonly special: string;
  /** Boxes of the scenario gauge (scenario.gauge). */
  readonly gauge: number;
  /** Where the submarines start, if the captains don't choose (scenario.corners). */
  readonly starts: ByCrew<Point> | null;
  /** Points that win the game for the submarine that reaches one first (end.goal). */
  readonly finish: readonly Point[];
  /** The sectors' labels, if they are not simply numbered. */
  readonly sectors: readonly string[];
  readonly origin: string;
  readonly note: string;
}

/** All symbols of an engineer's sheet, panel by panel (breakdown.sheet). */
export interface Sheet {
  readonly name: string;
  readonly title: string;
  readonly symbols: readonly SheetSymbol[];
}

/** One symbol, called by its panel and place: `W1` to `W3` central, then the reactor. */
export interface SheetSymbol {
  readonly name: string;
  readonly panel: Heading;
  readonly kind: Kind;
  /** The circuit that joins it to three others, called by its panel (repair.circuit). */
  readonly circuit: string | null;
}

/** The hull in four sections; each is a closed band around a centre line (surface.trace). */
export interface Hull {
  readonly width: number;
  readonly height: number;
  /** How wide the white band is. */
  readonly band: number;
  /** How near its beginning a stroke must end. */
  readonly closing: number;
  /** How many points a stroke may have. */
  readonly longest: number;
  /** Each section's centre line, closed. */
  readonly sections: readonly (readonly (readonly [number, number])[])[];
}

/** One crew: its submarine's name and its players (crew.names). */
export interface CrewPlan {
  readonly boat: string;
  readonly seats: readonly SeatPlan[];
  readonly shy_mate: boolean;
}

/** One player of a crew and the posts they hold. */
export interface SeatPlan {
  readonly name: string;
  readonly posts: readonly Post[];
}

/** What a client needs of the set-up and would otherwise have to work out. */
export interface Facts {
  readonly colours: ByCrew<string>;
  /** Boxes by system; empty where there is an energy gauge. */
  readonly gauges: { readonly [key: string]: number };
  /** Boxes of the energy gauge, where there is one. */
  readonly energy?: number;
  /** Energy that each system costs. */
  readonly costs?: { readonly [key: string]: number };
  /** The systems of this game, the scenario's included. */
  readonly systems: readonly System[];
  /** For each system, the kind of symbol that breaks it. */
  readonly kinds: { readonly [key: string]: string };
  /** Damage that sinks a submarine. */
  readonly sinks_at: number;
  /** Damage on the point of an explosion, and next to it. */
  readonly blast: readonly [number, number];
  /** Weapons that wake the volcanoes. */
  readonly volcano_gauge?: number;
  readonly sea: Sea;
  readonly posts: readonly Post[];
}

/** The chart's points by what they are, so that nobody need know its marks. */
export interface Sea {
  readonly across: number;
  readonly down: number;
  /** The sectors' labels, row by row; a sector is five by five points. */
  readonly sectors: readonly string[];
  /** Islands, volcanoes included. */
  readonly land: readonly Point[];
  /** Where surfacing costs damage. */
  readonly ice?: readonly Point[];
  /** Where surfacing through the ice is free. */
  readonly holes?: readonly Point[];
  /** At the beginning; `public.old_mines` tells what is left. */
  readonly old_mines?: readonly Point[];
  /** The first is volcano 1. */
  readonly volcanoes?: readonly Point[];
  /** For each volcano, what becomes land when its lava flows. */
  readonly lava?: readonly (readonly Point[])[];
  /** For each damaged system, its island. */
  readonly repairs?: { readonly [key: string]: readonly Point[] };
  readonly finish?: readonly Point[];
}

/**
 * What a seat (or the public) heard, and what it sees and may do after it.
 *
 * `position` counts what this seat has heard. A message about which a seat may know nothing is
 * never sent, so positions, numbers and sizes of messages tell nothing either.
 */
export interface Told {
  readonly type: "told";
  readonly game: string;
  readonly position: number;
  /** Whether `view` and `offer` are complete: forget what was there before. */
  readonly whole?: boolean;
  /** What was heard, in order; with `whole`, what was missed since the position asked for. */
  readonly events?: readonly Heard[];
  /** So many of the oldest of these are left out: the seat has heard more than 2 MB since. */
  readonly skipped?: number;
  readonly view: Sheets;
  /** Absent: the same as before. */
  readonly offer?: Offered;
  /** As it stands now, where the table plays with clocks. */
  readonly clock?: ClockFace | null;
  /** Both crews' sheets, for spectators who see everything after the table's delay. */
  readonly boats?: ByCrew<Sheets>;
}

/** Within a crew of closed stations: first mate or engineer said "Aye!". */
export interface MarkAcknowledged {
  readonly event: "acknowledged";
  readonly crew: Crew;
  readonly post: Post;
}

/** A broken system was ordered and did not work (breakdown.misuse). */
export interface SystemFailed {
  readonly event: "system-failed";
  readonly crew: Crew;
  readonly system: System;
}

/** A submarine took damage other than by an explosion (damage.announced). */
export interface Damaged {
  readonly event: "damaged";
  readonly crew: Crew;
  readonly amount: number;
  readonly cause: "breakdown" | "ice";
}

/** The game is over; no winner means a draw. */
export interface GameEnded {
  readonly event: "game-ended";
  readonly winner: Crew | null;
  readonly why: "end.abandon" | "end.draw" | "end.goal" | "end.resign" | "end.sunk" | "end.time";
}

/** Something exploded, and what it did to each crew. */
export interface Exploded {
  readonly event: "exploded";
  readonly at: Point;
  readonly source: "mine" | "old-mine" | "torpedo" | "volcano";
  /** Whose mine or torpedo it was. */
  readonly owner: Crew | null;
  readonly hits: ByCrew<"direct" | "indirect" | "miss">;
  readonly damage: ByCrew<number>;
}

/** A mine of `crew` was destroyed without exploding (blast.mine-destroyed). */
export interface MineDestroyed {
  readonly event: "mine-destroyed";
  readonly crew: Crew;
  readonly at: Point;
}

/** An old mine was destroyed without exploding. */
export interface OldMineDestroyed {
  readonly event: "old-mine-destroyed";
  readonly at: Point;
}

/** The captain of `crew` answered. */
export interface SonarAnswered {
  readonly event: "sonar-answered";
  readonly crew: Crew;
  readonly row: number | null;
  readonly column: string | null;
  readonly sector: number | null;
}

/** A box was filled, or there was nothing to fill. */
export interface GaugeCharged {
  readonly event: "gauge-charged";
  readonly crew: Crew;
  readonly system: System | null;
}

/** A gauge is full, and the first mate calls it out. */
export interface SystemReady {
  readonly event: "system-ready";
  readonly crew: Crew;
  readonly system: System;
}

/** A submarine sailed one point. */
export interface CourseSet {
  readonly event: "course-set";
  readonly crew: Crew;
  readonly heading: Heading;
}

/** A symbol was crossed out, or the engineer only pretended. */
export interface SymbolCrossed {
  readonly event: "symbol-crossed";
  readonly crew: Crew;
  readonly symbol: string | null;
}

/** All four symbols of a circuit were crossed out and are erased. */
export interface CircuitMended {
  readonly event: "circuit-mended";
  readonly crew: Crew;
  readonly circuit: string;
}

/** A submarine dived. */
export interface Dived {
  readonly event: "dived";
  readonly crew: Crew;
}

/** Both have dived; turn by turn, `first` begins. */
export interface PlayBegan {
  readonly event: "play-began";
  readonly first: Crew | null;
}

/** The lot fell on the crew that begins. */
export interface FirstDrawn {
  readonly event: "first-drawn";
  readonly crew: Crew;
}

/** A drone asked about a sector and was answered. */
export interface DroneLaunched {
  readonly event: "drone-launched";
  readonly crew: Crew;
  readonly sector: number;
  readonly answer: "no" | "toxic-smoke" | "yes";
}

/** A turn ended; `next` takes so many. */
export interface TurnEnded {
  readonly event: "turn-ended";
  readonly crew: Crew;
  readonly next: Crew;
  readonly turns: number;
}

/** A mine was laid. */
export interface MineLaid {
  readonly event: "mine-laid";
  readonly crew: Crew;
  readonly at: Point;
}

/** A mine was laid; nobody outside knows where. */
export interface MineLaidHeard {
  readonly event: "mine-laid-somewhere";
  readonly crew: Crew;
}

/** A captain marked the start. */
export interface Placed {
  readonly event: "placed";
  readonly crew: Crew;
  readonly at: Point;
}

/** The engineer reported ready to dive. */
export interface ReadyReported {
  readonly event: "ready-reported";
  readonly crew: Crew;
}

/** A stop is over. */
export interface PlayResumed {
  readonly event: "play-resumed";
}

/** A submarine moved without saying where. */
export interface RanSilent {
  readonly event: "ran-silent";
  readonly crew: Crew;
  readonly distance: number;
  readonly heading: Heading | null;
}

/** A submarine ran silent; nobody outside knows where to. */
export interface SilenceHeard {
  readonly event: "silence";
  readonly crew: Crew;
}

/** A crew asks the enemy captain. */
export interface SonarUsed {
  readonly event: "sonar-used";
  readonly crew: Crew;
}

/** A submarine surfaced, and told its sector or its exact point. */
export interface Surfaced {
  readonly event: "surfaced";
  readonly crew: Crew;
  readonly sector: number | null;
  readonly at: Point | null;
}

/** A torpedo was fired on a point. */
export interface TorpedoFired {
  readonly event: "torpedo-fired";
  readonly crew: Crew;
  readonly target: Point;
}

/** A section of the hull was traced and signed. */
export interface SectionTraced {
  readonly event: "section-traced";
  readonly crew: Crew;
  readonly seat: number;
  readonly section: number;
  readonly stroke: readonly (readonly [number, number])[];
  readonly initials: string;
}

/** The traced hull was checked; without a bad section it is good. */
export interface TraceJudged {
  readonly event: "trace-judged";
  readonly crew: Crew;
  readonly bad: readonly number[];
}

/** A line was drawn on the transparent sheet. */
export interface LineDrawn {
  readonly event: "line-drawn";
  readonly crew: Crew;
  readonly line: readonly (readonly [number, number])[];
}

/** A mark was put on the transparent sheet. */
export interface MarkPut {
  readonly event: "mark-put";
  readonly crew: Crew;
  readonly x: number;
  readonly y: number;
  readonly shape: "cross" | "dot" | "mine" | "question" | "ring";
}

/** A note was written on the transparent sheet. */
export interface NoteWritten {
  readonly event: "note-written";
  readonly crew: Crew;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** One thing was erased from the transparent sheet. */
export interface Rubbed {
  readonly event: "rubbed";
  readonly crew: Crew;
  readonly number: number;
}

/** The transparent sheets were erased. */
export interface SheetWiped {
  readonly event: "sheet-wiped";
  readonly crew: Crew;
}

/** The sheet was moved over the chart. */
export interface SheetSlid {
  readonly event: "sheet-slid";
  readonly crew: Crew;
  readonly x: number;
  readonly y: number;
}

/** A new sheet was taken. */
export interface SheetTaken {
  readonly event: "sheet-taken";
  readonly crew: Crew;
}

/** A captain set off one of their mines. */
export interface MineTriggered {
  readonly event: "mine-triggered";
  readonly crew: Crew;
  readonly at: Point;
}

/** A damaged system is in service from now on. */
export interface SystemRepaired {
  readonly event: "system-repaired";
  readonly crew: Crew;
  readonly system: System;
}

/** A captain set off an old mine. */
export interface OldMineDetonated {
  readonly event: "old-mine-detonated";
  readonly crew: Crew;
  readonly at: Point;
}

/** A crew's third weapon brought about a volcano event: 1, 2 or 3. */
export interface VolcanoStirred {
  readonly event: "volcano-stirred";
  readonly crew: Crew;
  readonly number: number;
}

/** A captain named the volcano that smokes or flows, from 1. */
export interface VolcanoNamed {
  readonly event: "volcano-named";
  readonly crew: Crew;
  readonly volcano: number;
  readonly effect: "lava" | "smoke";
}

/** The sheets that a seat sees, or those of them that changed: what is absent is as it was. */
export interface Sheets {
  readonly public?: PublicPortrait;
  readonly duty?: DutyPortrait;
  readonly helm?: HelmPortrait;
  readonly gauges?: GaugesPortrait;
  readonly engine?: EnginePortrait;
  readonly radio?: RadioNews;
  /** The hull that the crew is tracing; null when there is none any more. */
  readonly trace?: Trace | null;
  /** The enemy's traced hull, for the engineer. */
  readonly enemy_hull?: Drawing | null;
}

/** What everyone sees. */
export interface PublicPortrait {
  readonly phase: string;
  readonly first: Crew | null;
  readonly dived: ByCrew<boolean>;
  readonly surfaced: ByCrew<boolean>;
  readonly turn: Turn | null;
  readonly stop: Stop | null;
  readonly awaited: Awaited | null;
  readonly damage: ByCrew<number>;
  readonly in_service: ByCrew<readonly System[]>;
  readonly old_mines: readonly Point[];
  readonly volcano_marks: ByCrew<number>;
  readonly volcano_events: number;
  readonly smoke: number;
  readonly lava: readonly Point[];
  readonly result: Result | null;
}

/** Whose turn it is, turn by turn. */
export interface Turn {
  readonly crew: Crew;
  /** Turns that the crew takes after this one, before the other's. */
  readonly left: number;
  /** Whether this turn's course has been set. */
  readonly sailed: boolean;
  /** Whether the crew has said anything in this turn, so that the enemy may trigger a mine. */
  readonly announced: boolean;
}

/** All pens are up (system.stop). */
export interface Stop {
  readonly by: Crew;
  /** Whether the stop lasts until first mate and engineer have made their marks. */
  readonly marks: boolean;
}

/** What play waits for, and from whose captain. */
export interface Awaited {
  readonly what: string;
  readonly crew: Crew;
}

/** What the crew waits for. */
export interface DutyPortrait {
  readonly charge: "box" | "empty" | "none";
  readonly cross: "E" | "N" | "S" | "W" | "any" | "empty" | "none" | "radiation";
  readonly barred: string;
  readonly ready: readonly System[];
}

/** The captain's chart. */
export interface HelmPortrait {
  readonly at: Point | null;
  readonly route: readonly Point[];
  readonly silent: readonly Point[];
  readonly mines: readonly Point[];
  readonly unarmed: readonly Point[];
}

/** Filled boxes by system, or the energy. */
export interface GaugesPortrait {
  readonly boxes: { readonly [key: string]: number };
  readonly energy: number;
}

/** The symbols crossed out. */
export interface EnginePortrait {
  readonly crossed: readonly string[];
}

/** What is new on the radio operator's table. */
export interface RadioNews {
  /** All transparent sheets, the one in use last; absent: the same, but for what follows. */
  readonly films?: readonly Film[];
  /** Where the sheet in use lies now. */
  readonly x?: number;
  readonly y?: number;
  /** The number of the thing that was erased from the sheet in use, from 1. */
  readonly rubbed?: number;
  /** Added to the sheet in use. */
  readonly items?: readonly Item[];
  /** Keep so many announcements of the tape and add `tape` to them. */
  readonly tape_from?: number;
  readonly tape?: readonly Announcement[];
  readonly locked?: boolean;
}

/** A transparent sheet: where it lies over the chart and what is drawn on it. */
export interface Film {
  readonly x: number;
  readonly y: number;
  readonly items: readonly Item[];
}

/** One thing on a transparent sheet: a line, a mark or a note. */
export interface Item {
  readonly line?: readonly (readonly [number, number])[];
  readonly x?: number;
  readonly y?: number;
  readonly shape?: string;
  readonly text?: string;
}

/** The hull of a surfaced submarine, on its way round the crew (surface.trace). */
export interface Trace {
  /** The number of the seat whose turn it is to trace. */
  readonly holder: number;
  readonly sections: readonly (TracedSection | null)[];
  readonly good: boolean;
  readonly ready: boolean;
}

/** One traced section of the hull, signed. */
export interface TracedSection {
  readonly stroke: readonly (readonly [number, number])[];
  readonly initials: string;
  readonly seat: number;
}

/** A surfaced enemy's traced hull, as far as it is shown. */
export interface Drawing {
  readonly sections: readonly (TracedSection | null)[];
  readonly good: boolean;
}

/** What a seat may do now. Orders not listed here would be refused. */
export interface Offered {
  /** All of them, but for drawings and notes, which are endless. */
  readonly orders?: readonly AnyOrder[];
  /** The sections of the hull that it may trace (order `trace`). */
  readonly sections?: readonly number[];
  /** Whether it may judge the enemy's traced hull (order `judge`). */
  readonly judging?: boolean;
  /** Whether it may write on the transparent sheet (orders `line` to `new-sheet`). */
  readonly writing?: boolean;
  /**
   * Why not: rules' names for what could be pressed and may not be now: `course N`,
   * `surface`, `dive`, `end-turn`, `trigger`, a system (`torpedo`), `charge torpedo`.
   */
  readonly hindered?: { readonly [key: string]: string };
  /** For each symbol that may be crossed out now, what that would do. */
  readonly marks?: { readonly [key: string]: Mark };
}

/** What crossing out one symbol would do. */
export interface Mark {
  readonly does: "breaks" | "damage" | "mends" | "nothing" | "radiation";
  /** Of damage: the panel would be full, or all radiation crossed out. */
  readonly cause?: "" | "panel" | "radiation";
  /** The circuit that it would mend. */
  readonly circuit?: string;
  /** The colour whose systems work now and would be broken. */
  readonly kind?: Kind | null;
}

/** Time left, as far as the table plays with clocks; a client counts down by itself. */
export interface ClockFace {
  readonly running?: Crew | null;
  /** What the running crew has left for its turn, or for the answer that it must give. */
  readonly turn?: number | null;
  readonly game?: ByCrew<number> | null;
}

/** Something public happens by itself after so long: a stop ends, or the program answers. */
export interface Pause {
  readonly type: "pause";
  readonly game: string;
  readonly what: "resume" | "sonar-answer";
  readonly left: number;
}

/** Where they can be, and where we can be for all that they heard, in thousandths. */
export interface Heat {
  readonly type: "heat";
  readonly game: string;
  /** After which of the seat's positions it was worked out. */
  readonly position: number;
  /** The table's help, or a bot at the radio that tells its crew. */
  readonly by: "computer" | "radio-operator";
  readonly them: { readonly [key: string]: number };
  readonly us?: { readonly [key: string]: number };
}

/** `POST /api/identity`: a name is all that is needed. */
export interface NewPlayer {
  readonly name: string;
  /** What this device is called in the player's list, such as `Firefox, Linux`. */
  readonly device?: string;
  /** Whether a recovery code is made and told now; without, the first one is made later. */
  readonly recovery?: boolean;
}

/** `PATCH /api/identity`. */
export interface NewName {
  readonly name: string;
}

/** `POST /api/identity/recover`: carry an identity to this device. */
export interface Recovery {
  readonly recovery: string;
  readonly device?: string;
  /** Whether all tokens that the player had until now are ended: a device is lost. */
  readonly end_others?: boolean;
}

/** `POST /api/identity/recovery`: a new recovery code, for the old one. */
export interface NewRecovery {
  /** The present code; empty if there is none yet. */
  readonly old?: string;
}

/** `POST /api/identity/tokens`: a token for a bot or another program. */
export interface NewProgram {
  /** What it is called in the list. */
  readonly device: string;
  readonly scope: Scope;
}

/** What a program's token may be used for, and nothing else. */
export interface Scope {
  /**
   * Play the player's posts at this table: see it, talk, take posts, give orders. It may not
   * do what is the host's.
   */
  readonly play?: string | null;
  /** Read the list of the player's games. */
  readonly games?: boolean;
}

/** `POST /api/tables`. */
export interface NewTable {
  readonly settings?: Settings;
  /** Play against the computer at once: you hold a whole crew, a bot the other. */
  readonly solo?: boolean;
}

/** Who somebody is. Token and recovery code are told once and stored hashed. */
export interface Identity {
  readonly you: string;
  readonly name: string;
  readonly token?: string;
  readonly recovery?: string;
  /** The id of the token that was given, or that asks. */
  readonly device?: string | null;
}

/** `GET /api/identity/tokens`: those first that were used last. */
export interface MyTokens {
  readonly tokens: readonly TokenCard[];
  /** Whether the player has a recovery code. */
  readonly recovery: boolean;
}

/** One of a player's devices or programs. */
export interface TokenCard {
  readonly id: string;
  /** What it is called; empty if nobody said. */
  readonly device?: string;
  /** For a program; None: a person's device, which may do everything. */
  readonly scope?: Scope | null;
  /** 0: before the server noted that. */
  readonly created?: number;
  /** To the minute. */
  readonly used: number;
  /** Whether it is the one that asks. */
  readonly this?: boolean;
}

/** A program's token, which is told this once. */
export interface ProgramMade {
  readonly id: string;
  readonly token: string;
  readonly device: string;
  readonly scope: Scope;
}

/** The table's code, and its link for friends; an unlisted table's link ends with its key. */
export interface TableMade {
  readonly table: string;
  readonly link: string;
}

/** What every request that fails is answered with. */
export interface ApiError {
  /** An error's key, or a rule's name. */
  readonly error: string;
  readonly arguments?: { readonly [key: string]: string | number };
}

/** `GET /api/lobby`. */
export interface LobbyNow {
  readonly tables: readonly TableCard[];
  readonly games: readonly TableCard[];
}

/** `GET /api/games`: newest first. */
export interface MyGames {
  readonly games: readonly GameCard[];
}

/** A game in the list of mine. */
export interface GameCard {
  readonly game: string;
  readonly table: string;
  readonly rulebook: string;
  readonly mode: Mode;
  readonly scenario: string;
  readonly boats: ByCrew<string>;
  readonly colours: ByCrew<string>;
  /** Mine. */
  readonly crew: Crew | null;
  readonly began: number;
  /** None: it goes on. */
  readonly result?: Result | null;
}

/** `GET /api/games/{game}`: a finished game, whole. */
export interface GameRecord {
  readonly game: string;
  readonly table: string;
  readonly setup: Setup;
  readonly facts: Facts;
  /** Names by seat. */
  readonly players: ByCrew<readonly string[]>;
  readonly began: number;
  readonly result: Result | null;
  /** At the beginning. */
  readonly public: PublicPortrait;
  /** At the beginning. */
  readonly boats: ByCrew<Sheets>;
  readonly steps: readonly RecordStep[];
}

/** One order of a finished game, with all that it brought about and what it changed. */
export interface RecordStep {
  readonly number: number;
  /** None: the referee, for time and chance. */
  readonly by?: Seat | null;
  readonly at: number;
  readonly events: readonly AnyEvent[];
  readonly public?: PublicPortrait;
  /** What changed on both crews' sheets. */
  readonly boats: ByCrew<Sheets>;
}

/** `GET /api/games/{game}/belief`: for each crew, what it could work out, step by step. */
export interface RecordBelief {
  readonly game: string;
  readonly crews: ByCrew<readonly Knowledge[]>;
}

/** What one crew could know of the other's place after a step. */
export interface Knowledge {
  readonly step: number;
  /** On how many points the enemy could be. */
  readonly points: number;
  /** How likely on each, in thousandths. */
  readonly likely: { readonly [key: string]: number };
}

/** `GET /api/library`: everything to choose from; it changes with the version only. */
export interface Library {
  readonly fathom: string;
  readonly protocol: number;
  readonly rulebooks: readonly Rulebook[];
  readonly scenarios: readonly Scenario[];
  /** For each rulebook its own scenarios, in the order advised; others may be played too. */
  readonly played: { readonly [key: string]: readonly string[] };
  readonly charts: readonly ChartData[];
  readonly sheets: readonly Sheet[];
  readonly hull: Hull;
  readonly rulings: readonly RulingField[];
  readonly ranks: readonly Rank[];
  readonly paces: readonly BotPace[];
  /** The usual ones. */
  readonly settings: Settings;
}

/** One scenario; its special rules come with its charts. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly edition: string;
  /** Its place in the order in which the rulebook advises to play them. */
  readonly advised: number;
  readonly about: string;
  /** The chart of 10 by 10 points. */
  readonly small: string;
  /** The chart of 15 by 15 points; the family game has none. */
  readonly large: string | null;
}

/** A chart and its points. */
export interface ChartData {
  readonly chart: Chart;
  readonly sea: Sea;
}

/** A ruling that a table may set otherwise, and its value in each rulebook. */
export interface RulingField {
  readonly name: string;
  readonly meaning: string;
  readonly values: { readonly [key: string]: unknown };
  /** Where it is one of several words. */
  readonly choices: readonly string[];
  readonly least: number | null;
  readonly most: number | null;
}

/** `GET /api/rules?language=uk`: every rule by its name; English where words are missing. */
export interface Rules {
  readonly language: string;
  readonly sections: readonly Section[];
  readonly rules: readonly Rule[];
}

/** A chapter of the rules. */
export interface Section {
  readonly name: string;
  readonly number: number;
  readonly title: string;
}

/** One rule. A name in backticks, in any of its texts, is another rule. */
export interface Rule {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly text: string;
  /** What the rulebooks leave open or contradict, and what is played. */
  readonly ruling: string | null;
  /** The rulebooks that have this rule; none are named if all have it. */
  readonly only: readonly string[];
  /** What each rulebook says on a point where they differ. */
  readonly books: { readonly [key: string]: string } | null;
}

/** `GET /health`. */
export interface Health {
  readonly status: "draining" | "failing" | "going-down" | "log-away" | "ok";
  readonly fathom: string;
  readonly games: number;
  readonly connections: number;
  /** Tasks of the server's own that can't go on. */
  readonly failing: readonly string[];
}

