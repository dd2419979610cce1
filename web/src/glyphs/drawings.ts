// The symbol set: own drawings on a 48 grid, one colour each (currentColor), cut-outs in var(--cut).

const stroke = (width = 3.2): string =>
  `fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;
const cut = (width = 3): string =>
  `fill="none" stroke="var(--cut)" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;
const hollow = `fill="none" stroke="var(--void, currentColor)" stroke-width="2.4" stroke-linejoin="round"`;
const pencil = `fill="none" stroke="var(--mark)" stroke-width="5.2" stroke-linecap="round"`;
const around = (angles: number[], draw: (turn: string) => string): string =>
  angles.map((angle) => draw(`transform="rotate(${angle} 24 24)"`)).join("");

const horns = around(
  [0, 45, 90, 135, 180, 225, 270, 315],
  (t) => `<path ${t} d="M24 11V5.5" ${stroke(4.4)}/>`,
);
const spokes = around([0, 45, 90, 135], (t) => `<path ${t} d="M24 4v16M24 28v16" ${stroke(3)}/>`);
const blades = around(
  [0, 120, 240],
  (t) => `<path ${t} d="M24 21 18.3 11.1A15 15 0 0 1 29.7 11.1Z" fill="var(--cut)"/>`,
);
const pole = `<path d="M8 5v40" ${stroke(3)}/>`;
const flag = (d: string): string => `${pole}<path d="${d}" fill="currentColor"/>`;

export const DRAWINGS = {
  // systems
  mine: `${horns}<circle cx="24" cy="24" r="12" fill="currentColor"/><path d="M17.5 22a7 7 0 0 1 5-4.6" ${cut(2.6)}/>`,
  torpedo: `<path d="M13 17h20c6 0 10 3.6 11.5 7-1.5 3.4-5.5 7-11.5 7H13z" fill="currentColor"/><path d="M13.5 17.5 7 11v26l6.5-6.5z" fill="currentColor"/><path d="M3 18.5v11" ${stroke(3)}/><path d="M33 17v14" ${cut(2.4)}/>`,
  drone: `<path d="M4 12h13M31 12h13" ${stroke(3.4)}/><path d="M10.5 12l8 6M37.5 12l-8 6" ${stroke(3)}/><rect x="16.5" y="14" width="15" height="11" rx="4" fill="currentColor"/><circle cx="24" cy="19.5" r="2.7" fill="var(--cut)"/><path d="M18 30l-8 13h28l-8-13" ${stroke(2.6)} stroke-dasharray="4.5 4"/>`,
  sonar: `<circle cx="24" cy="24" r="4.6" fill="currentColor"/><path d="M15 15.5a12 12 0 0 0 0 17M33 15.5a12 12 0 0 1 0 17M8.5 9.5a20.5 20.5 0 0 0 0 29M39.5 9.5a20.5 20.5 0 0 1 0 29" ${stroke()}/>`,
  silence: `<path d="M3 24c2.5-17 6.5-17 9 0s6.5 17 9 0c1.5-8 4-8 5.3 0 .9 4 2.3 4 3.2 0H45" ${stroke(3.4)}/>`,
  scenario: `<path d="M24 3l5 16 16 5-16 5-5 16-5-16-16-5 16-5z" fill="currentColor"/><circle cx="24" cy="24" r="3" fill="var(--cut)"/>`,
  energy: `<path d="M28 3 9 27h13l-3 18 20-26H26z" fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>`,
  surface: `<path d="M4 14q5-5 10 0t10 0 10 0 10 0" ${stroke(3)}/><path d="M24 42V22M15.5 30 24 21.5 32.5 30" ${stroke(3.6)}/>`,
  dive: `<path d="M4 14q5-5 10 0t10 0 10 0 10 0" ${stroke(3)}/><path d="M24 21v21M15.5 33.5 24 42l8.5-8.5" ${stroke(3.6)}/>`,
  // breakdown kinds: burst, circle, square, hexagon; each with its own mark inside
  "kind-red": `<path d="M24 2 29.2 11.4 39.6 8.4 36.6 18.8 46 24 36.6 29.2 39.6 39.6 29.2 36.6 24 46 18.8 36.6 8.4 39.6 11.4 29.2 2 24 11.4 18.8 8.4 8.4 18.8 11.4z" fill="currentColor" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/><path d="M15.5 24c0-2.6 1.8-4 4.2-4h6.3c3.4 0 5.7 1.8 6.8 4-1.1 2.2-3.4 4-6.8 4h-6.3c-2.4 0-4.2-1.4-4.2-4z" fill="var(--cut)"/>`,
  "kind-green": `<circle cx="24" cy="24" r="20.5" fill="currentColor"/><circle cx="24" cy="24" r="3.8" fill="var(--cut)"/><path d="M16.5 17a10.5 10.5 0 0 0 0 14M31.5 17a10.5 10.5 0 0 1 0 14" ${cut(3.2)}/>`,
  "kind-yellow": `<rect x="5" y="5" width="38" height="38" rx="4" fill="currentColor"/><path d="M10.5 24c2-12 5-12 7 0s5 12 7 0c1.2-6 3-6 4 0H37.5" ${cut(3.2)}/>`,
  "kind-radiation": `<path d="M14 4.5h20c1.2 0 2.3.6 2.9 1.7l9.6 16.2c.6 1 .6 2.2 0 3.2L36.9 41.8c-.6 1.1-1.7 1.7-2.9 1.7H14c-1.2 0-2.3-.6-2.9-1.7L1.5 25.6c-.6-1-.6-2.2 0-3.2L11.1 6.2c.6-1.1 1.7-1.7 2.9-1.7z" fill="currentColor"/><circle cx="24" cy="24" r="3.7" fill="var(--cut)"/>${blades}`,
  // the same, empty: what a crossed-out symbol leaves behind
  "void-red": `<path d="M24 3.4 29 12 38.6 9.4 36 19 44.6 24 36 29 38.6 38.6 29 36 24 44.6 19 36 9.4 38.6 12 29 3.4 24 12 19 9.4 9.4 19 12z" ${hollow}/>`,
  "void-green": `<circle cx="24" cy="24" r="19.2" ${hollow}/>`,
  "void-yellow": `<rect x="6.2" y="6.2" width="35.6" height="35.6" rx="3" ${hollow}/>`,
  "void-radiation": `<path d="M14.6 6h18.8c.9 0 1.7.5 2.1 1.2l9.2 15.6c.4.7.4 1.7 0 2.4l-9.2 15.6c-.4.7-1.2 1.2-2.1 1.2H14.6c-.9 0-1.7-.5-2.1-1.2L3.3 25.2c-.4-.7-.4-1.7 0-2.4L12.5 7.2c.4-.7 1.2-1.2 2.1-1.2z" ${hollow}/>`,
  // the grease-pencil cross, three hands
  "cross-0": `<path d="M6 7.5c10 8 23 22 35.5 34M41.5 6.5C31 15 17 30 7 42" ${pencil}/>`,
  "cross-1": `<path d="M7.5 5.5C16 17 30 30 42 40.5M40 5c-8 12-21 25-34 37" ${pencil}/>`,
  "cross-2": `<path d="M5 9c12 7 26 19 37.5 33M42.5 8.5C30 16 16 29 8.5 43" ${pencil}/>`,
  // posts
  captain: `<circle cx="24" cy="24" r="12.5" ${stroke()}/><circle cx="24" cy="24" r="3.6" fill="currentColor"/>${spokes}`,
  "first-mate": `<path d="M9 37A19 19 0 1 1 39 37" ${stroke(3.4)}/><path d="M24 26 34 15" ${stroke(3.4)}/><circle cx="24" cy="26" r="4" fill="currentColor"/><path d="M17 39h14" ${stroke(3.4)}/>`,
  engineer: `<path d="M31 7.5a10 10 0 0 0-12.8 12.7L6.5 32a4.7 4.7 0 0 0 0 6.6l2.9 2.9a4.7 4.7 0 0 0 6.6 0l11.8-11.7A10 10 0 0 0 40.5 17l-6.8 6-6-2.3-2.2-6z" ${stroke()}/>`,
  "radio-operator": `<path d="M8 30v-5a16 16 0 0 1 32 0v5" ${stroke(3.4)}/><rect x="5" y="27" width="9.5" height="14" rx="3.5" fill="currentColor"/><rect x="33.5" y="27" width="9.5" height="14" rx="3.5" fill="currentColor"/>`,
  // people and things
  person: `<circle cx="24" cy="16" r="8" ${stroke()}/><path d="M8 42c1.5-9 8-13.5 16-13.5S38.5 33 40 42" ${stroke()}/>`,
  bot: `<rect x="9" y="16" width="30" height="23" rx="6" ${stroke()}/><path d="M24 16V8" ${stroke()}/><circle cx="24" cy="6.5" r="3" fill="currentColor"/><circle cx="18" cy="27" r="2.8" fill="currentColor"/><circle cx="30" cy="27" r="2.8" fill="currentColor"/>`,
  crew: `<circle cx="17" cy="17" r="7" ${stroke()}/><path d="M4 40c1-8 6.5-12 13-12s12 4 13 12" ${stroke()}/><path d="M31 10.5a7 7 0 0 1 0 13M35 28.5c5 1.5 8 5.5 9 11.5" ${stroke()}/>`,
  plus: `<path d="M24 10v28M10 24h28" ${stroke(4)}/>`,
  minus: `<path d="M10 24h28" ${stroke(4)}/>`,
  check: `<path d="M9 25.5 20 36 40 13" ${stroke(5)}/>`,
  close: `<path d="M12 12l24 24M36 12 12 36" ${stroke(4)}/>`,
  arrow: `<path d="M24 40V9M11 21.5 24 8.5l13 13" ${stroke(5)}/>`,
  chevron: `<path d="M17 10l14 14-14 14" ${stroke(4)}/>`,
  sound: `<path d="M7 19v10h8l10 8V11l-10 8z" fill="currentColor"/><path d="M32 17a10 10 0 0 1 0 14M37 11.5a18 18 0 0 1 0 25" ${stroke()}/>`,
  muted: `<path d="M7 19v10h8l10 8V11l-10 8z" fill="currentColor"/><path d="M32 18l11 12M43 18 32 30" ${stroke(3.4)}/>`,
  speech: `<path d="M6 9h36v24H23l-9 8v-8H6z" ${stroke()}/><path d="M14 18h20M14 25h13" ${stroke(2.8)}/>`,
  menu: `<path d="M8 14h32M8 24h32M8 34h32" ${stroke(3.6)}/>`,
  log: `<path d="M12 6h20l6 6v30H12z" ${stroke()}/><path d="M19 20h12M19 27h12M19 34h7" ${stroke(2.8)}/>`,
  book: `<path d="M24 12c-4-4-10-5-18-5v31c8 0 14 1 18 4 4-3 10-4 18-4V7c-8 0-14 1-18 5zM24 12v30" ${stroke()}/>`,
  eye: `<path d="M3 24c6-10 13-15 21-15s15 5 21 15c-6 10-13 15-21 15S9 34 3 24z" ${stroke()}/><circle cx="24" cy="24" r="6.5" fill="currentColor"/>`,
  school: `<path d="M24 9 45 19 24 29 3 19z" ${stroke()}/><path d="M12 24v11c7 5 17 5 24 0V24" ${stroke()}/>`,
  copy: `<rect x="16" y="16" width="24" height="26" rx="4" ${stroke()}/><path d="M32 10V8a2 2 0 0 0-2-2H10a2 2 0 0 0-2 2v22a2 2 0 0 0 2 2h1" ${stroke()}/>`,
  lock: `<rect x="10" y="21" width="28" height="21" rx="4" ${stroke()}/><path d="M16 21v-5a8 8 0 0 1 16 0v5" ${stroke()}/>`,
  warn: `<path d="M24 5 45 42H3z" ${stroke(3.4)}/><path d="M24 18v11" ${stroke(4)}/><circle cx="24" cy="35.5" r="2.4" fill="currentColor"/>`,
  question: `<path d="M16 17c0-6 4-9 8.5-9 5 0 8.5 3.5 8.5 8 0 7-9 7-9 14" ${stroke(4.4)}/><circle cx="24" cy="39" r="2.8" fill="currentColor"/>`,
  play: `<path d="M15 8l24 16-24 16z" fill="currentColor"/>`,
  pause: `<path d="M16 9v30M32 9v30" ${stroke(7)}/>`,
  first: `<path d="M34 8 14 24l20 16zM11 9v30" fill="currentColor" stroke="currentColor" stroke-width="4"/>`,
  last: `<path d="M14 8l20 16-20 16zM37 9v30" fill="currentColor" stroke="currentColor" stroke-width="4"/>`,
  pen: `<path d="M8 40l3-11L33 7l8 8-22 22z" ${stroke()}/><path d="M28 12l8 8" ${stroke(3)}/>`,
  eraser: `<path d="M27 8 42 23 26 39H15L6 30z" ${stroke()}/><path d="M17 19 32 33M20 39h22" ${stroke(3)}/>`,
  slide: `<path d="M24 4v40M4 24h40M24 4l-5 5M24 4l5 5M24 44l-5-5M24 44l5-5M4 24l5-5M4 24l5 5M44 24l-5-5M44 24l-5 5" ${stroke(3)}/>`,
  undo: `<path d="M10 20h20a10 10 0 0 1 0 20H18M10 20l9-9M10 20l9 9" ${stroke(3.6)}/>`,
  crack: `<path d="M27 3 17 17l9 6-8 9 7 4-5 9" ${stroke(4)}/>`,
  mend: `<path d="M8 24a16 16 0 0 1 27-11.5L40 17M40 7v10H30M40 24a16 16 0 0 1-27 11.5L8 31M8 41V31h10" ${stroke(3.6)}/>`,
  settings: `<path d="M6 14h14M32 14h10M6 34h10M28 34h14" ${stroke(3.4)}/><circle cx="26" cy="14" r="5.5" ${stroke(3.4)}/><circle cx="22" cy="34" r="5.5" ${stroke(3.4)}/>`,
  home: `<path d="M6 24 24 8l18 16M12 20v20h24V20" ${stroke()}/>`,
  volcano: `<path d="M4 42 17 18h14l13 24z" fill="currentColor"/><path d="M20 12c0-4 4-4 4-8M29 12c0-3 3-3 3-6" ${stroke(3)}/>`,
  // pennants: the shape tells the crew too
  "flag-yellow": flag("M9.5 7 44 18 9.5 29z"),
  "flag-blue": flag("M9.5 7H44L35 18l9 11H9.5z"),
  "flag-red": flag("M9.5 7H42v22H9.5z"),
  "flag-green": flag("M9.5 7H30a11 11 0 0 1 0 22H9.5z"),
  // boats
  "boat-top": `<path d="M24 2c5 6 7.5 13 7.5 21 0 9-2.5 16-5.5 20.5h-4C19 39 16.5 32 16.5 23c0-8 2.5-15 7.5-21z" fill="currentColor"/><rect x="20.8" y="17" width="6.4" height="12" rx="3.2" fill="var(--cut)"/><path d="M17 41h14" ${stroke(3)}/>`,
} as const;

export type GlyphName = keyof typeof DRAWINGS;

/** The side view of a boat, wider than the grid. */
export const BOAT = `<path d="M6 36C20 29 40 24 70 24h74c28 0 48 4 50 12-2 8-22 12-50 12H70C40 48 20 43 6 36z" fill="currentColor"/><path d="M100 24l4-15c.6-2.4 2-3 4-3h22c4 0 6 2 7 5l4 13z" fill="currentColor"/><path d="M116 6V0M116 1h5" ${stroke(2.4)}/><path d="M20 36 8 22h12l16 8zM20 36 8 50h12l16-8z" fill="currentColor"/><path d="M4 28v16" ${stroke(3)}/>`;

const symbol = (name: string, body: string, box: string): string =>
  `<symbol id="g-${name}" viewBox="${box}">${body}</symbol>`;

/** All symbols as one sprite, to be placed once in the page. */
export const sprite = (): string =>
  Object.entries(DRAWINGS)
    .map(([name, body]) => symbol(name, body, "0 0 48 48"))
    .join("") + symbol("boat", BOAT, "0 0 200 52");
