// The crew channel's phrases in words.

import type { AnyPhrase } from "../wire";
import { m } from "./gen/messages.js";
import { spell } from "./letters";
import { headingName, kindName, systemName } from "./names";
import type { Telling } from "./said";

export function phraseWords(phrase: AnyPhrase, { setup, facts, letters }: Telling): string {
  switch (phrase.phrase) {
    case "please-charge":
      return m.phrase_please_charge({ system: systemName(phrase.system) });
    case "please-use":
      return m.phrase_please_use({ system: systemName(phrase.system) });
    case "please-spare":
      return m.phrase_please_spare({ kind: kindName(phrase.kind) });
    case "which-way":
      return m.phrase_which_way();
    case "where-are-they":
      return m.phrase_where();
    case "surfacing-soon":
      return m.phrase_surfacing_soon();
    case "ready":
      return m.said_ready({ system: systemName(phrase.system) });
    case "not-ready":
      return m.phrase_not_ready({ system: systemName(phrase.system), count: phrase.boxes });
    case "danger":
      return m.phrase_danger({ heading: headingName(phrase.heading, setup.book) });
    case "safe":
      return m.phrase_safe({ heading: headingName(phrase.heading, setup.book) });
    case "broken":
      return m.phrase_broken({ kind: kindName(phrase.kind) });
    case "mended":
      return m.phrase_mended({ kind: kindName(phrase.kind) });
    case "surface-soon":
      return m.phrase_surface_soon();
    case "probably":
      return m.phrase_probably({
        points: phrase.points.map((point) => spell(point, letters)).join(", "),
        percent: phrase.percent,
      });
    case "in-sector":
      return m.phrase_in_sector({
        sector: facts.sea.sectors[phrase.sector - 1] ?? phrase.sector,
        percent: phrase.percent,
      });
    case "no-idea":
      return m.phrase_no_idea({ count: phrase.points });
    case "they-know":
      return m.phrase_they_know({ count: phrase.points });
    case "heat-map":
      return "";
    case "yes":
      return m.phrase_yes();
    case "no":
      return m.phrase_no();
  }
}
