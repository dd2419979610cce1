"""What somebody at a page sees: the things that are lit, and where they are."""

from typing import Final

SEEN: Final = """
() => {
  const shown = (one) => one.getClientRects().length > 0;
  const stop = document.querySelector("[role=alertdialog]");
  const room = stop ?? document.querySelector("main") ?? document.body;
  const all = (css) => [...room.querySelectorAll(css)].filter(shown);
  if (document.querySelector("main.finale")) return { over: [document.body] };
  if (document.querySelector("[data-sending]")) return {};
  const aiming = all(".aim").length > 0;
  const points = all(".cell.pickable");
  const torpedo = all('.aim header use[href="#g-torpedo"]').length > 0;
  const worth = (one) => /percent/.test(one.ariaLabel);
  return {
    confirm: all(".aim .key.lit"),
    keep: torpedo && !points.some(worth) ? all(".aim .two .key:not(.big)") : [],
    aim: aiming ? points : [],
    sail: aiming ? [] : points,
    trace: all(".band.now"),
    cross: all(".ask .yes, .pretend"),
    charge: all("[data-does=charge]:not(.off), .act"),
    symbol: all(".symbol.free:not(.hurts), .marks .sym:not(.hurts)"),
    hurts: all(".symbol.free.hurts:not(.asked), .marks .sym.hurts"),
    system: aiming ? [] : all(".sys.ready, [data-does=use], .detection .key.lit"),
    helm: all(".helm .lit"),
    advise: all(".answer .key.lit").length ? [] : all("[data-does=advise]"),
    key: all(".key.lit").filter(
      (one) => !one.closest(".aim, .preview, .detection, .pad4") && !one.matches(".pretend"),
    ),
  };
}
"""
"""All that is lit on the page, by its kind; nothing while an order is on its way."""

CHART: Final = """
() => {
  const cells = new Map(
    [...document.querySelectorAll("main .cell")].map((one) => [one.dataset.point, one]),
  );
  const spot = ({ dataset: { point } }) => [point.charCodeAt(0) - 65, Number(point.slice(1))];
  const at = (x, y) => cells.get(`${String.fromCharCode(65 + x)}${y}`);
  const likely = (one) => Number(/(\\d+) percent/.exec(one?.ariaLabel ?? "")?.[1] ?? 0);
  const blast = (one) => {
    const [x, y] = spot(one);
    const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => at(x + dx, y + dy)));
    const ours = near.some((one) => /your boat/.test(one?.ariaLabel ?? ""));
    return likely(one) + near.reduce((sum, one) => sum + likely(one), 0) - (ours ? 90 : 0);
  };
  const hot = [...cells.values()].reduce((a, b) => (likely(b) > likely(a) ? b : a), at(0, 1));
  const far = (one) => {
    const [[x, y], [u, v]] = [spot(one), spot(hot)];
    return Math.abs(x - u) + Math.abs(y - v);
  };
  return { blast, far, known: likely(hot) > 0 };
}
"""
"""The chart as a screen reader tells it: what a blast is worth, how far the likeliest point is."""

LIKED: Final = f"""
(kind, lit) => {{
  const {{ blast, far, known }} = ({CHART})();
  const holds = (one, glyph) => one.querySelector(`use[href="#g-${{glyph}}"]`) !== null;
  const best = (all, value) => {{
    const most = Math.max(...all.map(value));
    return all.filter((one) => value(one) === most);
  }};
  if (kind === "charge") return lit.slice(0, 1);
  if (kind === "aim") return best(lit, blast);
  if (kind === "sail") return known ? best(lit, (one) => -far(one)) : lit;
  if (kind === "symbol") return best(lit, (one) => 2 * holds(one, "mend") - holds(one, "kind-red"));
  return lit;
}}
"""
"""The best of what is lit: the torpedo first, its circuit spared, towards the likeliest point."""

PLACE: Final = """
(one, dice) => {
  one.scrollIntoView({ block: "nearest", inline: "nearest" });
  const box = one.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  const covered = hit && one.contains(hit) ? null : (hit?.outerHTML ?? "nothing").slice(0, 200);
  return { x, y, covered };
}
"""
"""Where to press a thing, and what lies over it there."""

BAND: Final = """
(band) => {
  const long = band.getTotalLength();
  const at = Array.from({ length: 61 }, (_, i) => band.getPointAtLength((long * i) / 60));
  return at.map((one) => one.matrixTransform(band.getScreenCTM())).map(({ x, y }) => [x, y]);
}
"""
"""Where the middle of the hull's band lies on the screen."""

LOOK: Final = f"""
async ([bold, spare, helm, dice, patience]) => {{
  const [see, liked, place, band] = [{SEEN}, {LIKED}, {PLACE}, {BAND}];
  const end = performance.now() + patience;
  let lit = see();
  const dark = () => Object.values(lit).every((found) => found.length === 0);
  while (dark()) {{
    if (performance.now() >= end) return null;
    await new Promise((done) => setTimeout(done, 15));
    lit = see();
  }}
  const torpedo = (lit.system ?? []).filter((one) => one.dataset.system === "torpedo" && !spare);
  if (torpedo.length) lit.system = torpedo;
  const marks = ["over", "confirm", "keep", "aim", "trace", "cross", "charge", "symbol", "hurts"];
  const course = helm ? ["helm", "sail"] : ["sail", "helm"];
  const orders = [...course, "key", "advise", "system"];
  const use = (bold && !spare) || torpedo.length ? ["system"] : [];
  const kind = [...marks, ...use, ...orders].find((one) => lit[one]?.length);
  if (kind === "over") return {{ kind, x: 0, y: 0, covered: null, band: [] }};
  const best = liked(kind, lit[kind]);
  const one = best[Math.floor(dice * best.length)];
  if (kind === "trace") return {{ kind, x: 0, y: 0, covered: null, band: band(one) }};
  return {{ kind, band: [], ...place(one) }};
}}
"""
"""One lit thing and its place, as soon as there is one; null if patience ends before."""
