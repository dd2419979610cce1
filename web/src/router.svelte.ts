// Where in the client somebody is: the address, and nothing else.

export type Place =
  | { readonly name: "home" }
  | { readonly name: "table"; readonly code: string; readonly key: string | null }
  | {
      readonly name: "replay";
      readonly game: string;
      readonly step: number | null;
      readonly side: string | null;
    }
  | { readonly name: "rules"; readonly rule: string | null; readonly book: string | null }
  | { readonly name: "academy" }
  | { readonly name: "settings" }
  | { readonly name: "games" }
  | { readonly name: "lost" };

/** A part of a path as it was meant; one that was never meant by anybody stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where a rule stands. Its dot becomes a slash: a server takes a name with a dot for a file's. */
export const ruleAddress = (rule: string | null, book?: string | null): string =>
  `/rules${rule ? `/${rule.replace(".", "/")}` : ""}${book ? `?book=${book}` : ""}`;

/** Where a table is; the link to an unlisted one carries its key where no server sees it. */
export const tableAddress = (code: string, key?: string | null): string =>
  `/t/${code}${key ? `#${key}` : ""}`;

/** What an address means. */
export function read(path: string, search = "", hash = ""): Place {
  const [first = "", second = "", third = ""] = path.split("/").filter(Boolean).map(decoded);
  const query = new URLSearchParams(search);
  switch (first) {
    case "":
      return { name: "home" };
    case "t":
      return second
        ? { name: "table", code: second.toUpperCase(), key: hash.slice(1) || null }
        : { name: "home" };
    case "replay": {
      const step = query.get("step");
      return second
        ? {
            name: "replay",
            game: second,
            step: step === null ? null : Number(step),
            side: query.get("side"),
          }
        : { name: "games" };
    }
    case "rules":
      return {
        name: "rules",
        rule: [second, third].filter(Boolean).join(".") || null,
        book: query.get("book"),
      };
    case "academy":
      return { name: "academy" };
    case "settings":
      return { name: "settings" };
    case "games":
      return { name: "games" };
    default:
      return { name: "lost" };
  }
}

class Router {
  place = $state.raw<Place>(read(location.pathname, location.search, location.hash));

  constructor() {
    addEventListener("popstate", () => this.#arrive());
  }

  go(address: string, replace = false): void {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#arrive();
  }

  #arrive(): void {
    const before = this.place.name;
    this.place = read(location.pathname, location.search, location.hash);
    if (this.place.name !== before) scrollTo(0, 0);
  }

  /** For links: go there without loading the page anew. */
  follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    const plain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (
      !link ||
      !plain ||
      link.target ||
      link.hasAttribute("download") ||
      link.origin !== location.origin ||
      link.pathname.startsWith("/api/")
    )
      return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  };
}

export const router = new Router();
