// The outline of a set of points: squares with round corners, as one path.

import { MARGIN, UNIT, named, spot, type Point } from "./points";

type Corner = [number, number];

interface Turn {
  at: Corner;
  way: Corner;
}

const SIDES: readonly { beyond: Corner; from: Corner; to: Corner }[] = [
  { beyond: [0, -1], from: [0, 0], to: [1, 0] },
  { beyond: [1, 0], from: [1, 0], to: [1, 1] },
  { beyond: [0, 1], from: [1, 1], to: [0, 1] },
  { beyond: [-1, 0], from: [0, 1], to: [0, 0] },
];

const key = (corner: Corner): string => corner.join();

/** All edges between a point inside and a point outside, walked with the inside on the right. */
function edges(points: ReadonlySet<Point>): Map<string, Corner[]> {
  const found = new Map<string, Corner[]>();
  for (const point of points) {
    const [x, y] = spot(point);
    for (const { beyond, from, to } of SIDES) {
      if (points.has(named(x + beyond[0], y + beyond[1]))) continue;
      const start = key([x + from[0], y + from[1]]);
      found.set(start, [...(found.get(start) ?? []), [x + to[0], y + to[1]]]);
    }
  }
  return found;
}

/** One closed walk along the edges, corner by corner; where two meet it keeps right. */
function walk(left: Map<string, Corner[]>): Turn[] {
  const start = left.keys().next().value!;
  const turns: Turn[] = [];
  let at = start.split(",").map(Number) as Corner;
  let way: Corner | null = null;
  do {
    const ways: Corner[] = left.get(key(at)) ?? [];
    const next: Corner = pickWay(ways, at, way);
    const rest = ways.filter((other) => other !== next);
    if (rest.length) left.set(key(at), rest);
    else left.delete(key(at));
    const onward: Corner = [next[0] - at[0], next[1] - at[1]];
    if (!way || onward[0] !== way[0] || onward[1] !== way[1]) turns.push({ at, way: onward });
    [way, at] = [onward, next];
  } while (key(at) !== start);
  const first = turns[0];
  if (turns.length > 1 && first && first.way[0] === way[0] && first.way[1] === way[1])
    turns.shift();
  return turns;
}

function pickWay(ways: Corner[], at: Corner, way: Corner | null): Corner {
  const right = way && ways.find((to) => way[0] * (to[1] - at[1]) - way[1] * (to[0] - at[0]) > 0);
  return (ways.length > 1 && right) || ways[0]!;
}

/** The corners moved inward, by how the walk turns there. */
function inset(turns: Turn[], by: number): Corner[] {
  return turns.map((turn, i) => {
    const before = turns[(i + turns.length - 1) % turns.length]!.way;
    return [
      MARGIN + UNIT * turn.at[0] + by * (-before[1] - turn.way[1]),
      MARGIN + UNIT * turn.at[1] + by * (before[0] + turn.way[0]),
    ];
  });
}

const px = ([x, y]: Corner): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

function rounded(corners: Corner[], radius: number): string {
  return corners
    .map((corner, i) => {
      const before = corners[(i + corners.length - 1) % corners.length]!;
      const after = corners[(i + 1) % corners.length]!;
      const [from, to] = [towards(corner, before, radius), towards(corner, after, radius)];
      return `${i ? "L" : "M"}${px(from)}Q${px(corner)} ${px(to)}`;
    })
    .join("");
}

function towards(corner: Corner, other: Corner, radius: number): Corner {
  const length = Math.hypot(other[0] - corner[0], other[1] - corner[1]);
  const step = Math.min(radius, length / 2) / length;
  return [corner[0] + (other[0] - corner[0]) * step, corner[1] + (other[1] - corner[1]) * step];
}

/** The path around these points; touching corners stay apart. */
export function outline(points: Iterable<Point>, by = 3, radius = 9): string {
  const left = edges(new Set(points));
  let path = "";
  while (left.size) path += `${rounded(inset(walk(left), by), radius)}Z`;
  return path;
}
