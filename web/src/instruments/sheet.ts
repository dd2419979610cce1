// The engineer's sheet as the drawing needs it: panels, central symbols, reactors, circuits.

import type { Mark } from "../game/offer";
import type { Heading, Kind, Sheet, SheetSymbol } from "../wire";
import { m } from "../words";
import { kindName, panelName } from "../words/names";
import { list } from "../words/said";

export const PANELS: readonly Heading[] = ["W", "N", "S", "E"];

const LETTERS: Record<Heading, () => string> = {
  N: m.panel_letter_n,
  S: m.panel_letter_s,
  E: m.panel_letter_e,
  W: m.panel_letter_w,
};

/** A panel's name as a compass has it. */
export const panelLetter = (panel: Heading): string => LETTERS[panel]();

export interface BoardProps {
  sheet: Sheet;
  crossed: ReadonlySet<string>;
  /** Symbols that may be crossed out now, as the server says. */
  free: ReadonlySet<string>;
  /** The panel that is lit. */
  panel: Heading | null;
  marks: Readonly<Record<string, Mark>>;
  /** The symbol of which it is asked whether its damage is meant. */
  asked: string | null;
  /** The symbol whose mark is on its way. */
  sending: string | null;
  /** Mark it; if that costs damage, ask first. */
  press: (symbol: string) => void;
  /** Take the question back. */
  keep: () => void;
  /** It is pointed at, or nothing is. */
  point: (symbol: string | null) => void;
}

export const central = (sheet: Sheet, panel: Heading): SheetSymbol[] =>
  sheet.symbols.filter((symbol) => symbol.panel === panel && symbol.circuit);

export const reactor = (sheet: Sheet, panel: Heading): SheetSymbol[] =>
  sheet.symbols.filter((symbol) => symbol.panel === panel && !symbol.circuit);

export const circuits = (sheet: Sheet): string[] => [
  ...new Set(sheet.symbols.flatMap(({ circuit }) => (circuit ? [circuit] : []))),
];

export const ofCircuit = (sheet: Sheet, circuit: string): SheetSymbol[] =>
  sheet.symbols.filter((symbol) => symbol.circuit === circuit);

export const ofKind = (sheet: Sheet, kind: Kind): SheetSymbol[] =>
  sheet.symbols.filter((symbol) => symbol.kind === kind);

/** What a mark would do, in two or three words. */
export function tag(kind: Kind, mark: Mark | undefined): string {
  switch (mark?.does) {
    case "damage":
      return m.mark_damage();
    case "mends":
      return m.mark_mends();
    case "breaks":
      return m.mark_breaks();
    case "radiation":
      return m.mark_radiation();
    case "nothing":
      return kind === "radiation" ? m.mark_radiation() : m.mark_nothing();
    default:
      return "";
  }
}

/** Circuits are called by the panel where they begin; they are numbered in the panels' order. */
const CIRCUITS: readonly string[] = ["west", "north", "south", "east"];

/** Where a symbol is and what kind it is of; no two on a sheet have the same place. */
export const placeOf = ({ panel, name, kind }: SheetSymbol): string =>
  m.symbol_place({
    panel: panelName(panel as Heading),
    place: name.slice(1),
    kind: kindName(kind as Kind).toLocaleLowerCase(),
  });

/** A symbol's whole name, for those who hear it. */
export function spoken(
  symbol: SheetSymbol,
  crossed: boolean,
  free: boolean,
  mark: Mark | undefined,
): string {
  const kind = symbol.kind as Kind;
  const where = symbol.circuit
    ? m.symbol_in_circuit_number({ number: CIRCUITS.indexOf(symbol.circuit) + 1 })
    : m.symbol_in_reactor();
  const state = crossed
    ? m.symbol_crossed()
    : free
      ? tag(kind, mark) || m.symbol_free()
      : m.symbol_not_now();
  return list([placeOf(symbol), where, state]);
}

/** A tag on at most two lines. */
export function lines(text: string): string[] {
  const words = text.split(" ");
  if (words.length < 2) return [text];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")];
}

/** How much a line must be narrowed to fit, in units of the drawing; undefined if it fits. */
export function squeezed(line: string, size: number, room: number): number | undefined {
  return line.length * size * 0.58 > room ? room : undefined;
}
