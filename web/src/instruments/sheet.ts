// The engineer's sheet as the drawing needs it: panels, central symbols, reactors, circuits.

import type { Mark } from "../game/offer";
import type { Heading, Kind, Sheet, SheetSymbol } from "../wire";
import { m } from "../words";
import { kindName } from "../words/names";

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
  selected: string | null;
  select: (symbol: string) => void;
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

/** A symbol's whole name, for those who hear it. */
export function spoken(
  symbol: SheetSymbol,
  crossed: boolean,
  free: boolean,
  mark: Mark | undefined,
): string {
  const kind = symbol.kind as Kind;
  const where = symbol.circuit ? m.symbol_in_circuit() : m.symbol_in_reactor();
  const state = crossed
    ? m.symbol_crossed()
    : free
      ? tag(kind, mark) || m.symbol_free()
      : m.symbol_not_now();
  return m.symbol_label({ kind: kindName(kind), where, state });
}

/** A tag on at most two lines. */
export function lines(text: string): string[] {
  const words = text.split(" ");
  if (words.length < 2) return [text];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")];
}
