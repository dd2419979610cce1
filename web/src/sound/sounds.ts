// Sounds made on the spot with Web Audio: no files. A sound never tells more than the words.

import { settings } from "../settings/settings.svelte";
import type { Heading } from "../wire";

type Shape = OscillatorType;

interface Note {
  /** Hertz, or from and to. */
  pitch: number | readonly [number, number];
  at?: number;
  length: number;
  loud?: number;
  shape?: Shape;
}

export type SoundName =
  | "click"
  | "knock"
  | "turn"
  | "hurry"
  | "bell"
  | "ping"
  | "ticks"
  | "torpedo"
  | "blast-near"
  | "blast-far"
  | "chain"
  | "swallow"
  | "mend"
  | "groan"
  | "dive"
  | "horn"
  | "ready"
  | "talk"
  | "course-N"
  | "course-S"
  | "course-E"
  | "course-W";

const HIGH = 660;
const LOW = 440;
const call = (first: number, second: number): Note[] => [
  { pitch: first, length: 0.16, loud: 0.5 },
  { pitch: second, at: 0.2, length: 0.2, loud: 0.5 },
];

const NOTES: Record<Exclude<SoundName, "blast-near" | "blast-far">, readonly Note[]> = {
  click: [{ pitch: 1400, length: 0.025, loud: 0.18, shape: "square" }],
  knock: [
    { pitch: [160, 70], length: 0.14, loud: 0.8 },
    { pitch: [150, 60], at: 0.15, length: 0.12, loud: 0.5 },
  ],
  turn: [
    { pitch: 220, length: 0.07, loud: 0.4, shape: "triangle" },
    { pitch: 330, at: 0.07, length: 0.22, loud: 0.35, shape: "triangle" },
  ],
  hurry: [0, 0.3, 0.6].map((at) => ({
    pitch: 880,
    at,
    length: 0.08,
    loud: 0.4,
    shape: "triangle" as const,
  })),
  bell: [
    { pitch: 988, length: 1.2, loud: 0.6 },
    { pitch: 1976, length: 0.9, loud: 0.22 },
    { pitch: 2637, length: 0.5, loud: 0.12 },
  ],
  ping: [{ pitch: [1250, 1180], length: 1.4, loud: 0.5 }],
  ticks: [0, 0.16, 0.32].map((at) => ({
    pitch: 2100,
    at,
    length: 0.03,
    loud: 0.35,
    shape: "square" as const,
  })),
  torpedo: [{ pitch: [180, 720], length: 0.8, loud: 0.28, shape: "sawtooth" }],
  chain: [0, 0.07, 0.15, 0.24].map((at, i) => ({
    pitch: 900 - i * 150,
    at,
    length: 0.05,
    loud: 0.25,
    shape: "square" as const,
  })),
  swallow: [{ pitch: [420, 90], length: 0.4, loud: 0.35 }],
  mend: [0, 0.06, 0.12, 0.18].map((at) => ({
    pitch: 520,
    at,
    length: 0.03,
    loud: 0.3,
    shape: "square" as const,
  })),
  groan: [{ pitch: [95, 52], length: 1.1, loud: 0.6, shape: "sawtooth" }],
  dive: [
    { pitch: 294, length: 0.28, loud: 0.4, shape: "sawtooth" },
    { pitch: 294, at: 0.4, length: 0.28, loud: 0.4, shape: "sawtooth" },
  ],
  horn: [
    { pitch: 110, length: 1.1, loud: 0.5, shape: "sawtooth" },
    { pitch: 165, length: 1.1, loud: 0.3, shape: "sawtooth" },
  ],
  ready: [
    { pitch: 587, length: 0.1, loud: 0.35, shape: "triangle" },
    { pitch: 784, at: 0.1, length: 0.2, loud: 0.35, shape: "triangle" },
  ],
  talk: [
    { pitch: 392, length: 0.06, loud: 0.16, shape: "triangle" },
    { pitch: 494, at: 0.07, length: 0.1, loud: 0.14, shape: "triangle" },
  ],
  "course-N": call(HIGH, HIGH),
  "course-S": call(LOW, LOW),
  "course-E": call(LOW, HIGH),
  "course-W": call(HIGH, LOW),
};

let room: { context: AudioContext; out: GainNode } | null = null;

/** The audio room; browsers let it sound only after a touch or a key. */
function enter(): { context: AudioContext; out: GainNode } | null {
  if (typeof AudioContext === "undefined") return null;
  if (!room) {
    const context = new AudioContext();
    const out = context.createGain();
    out.connect(context.destination);
    room = { context, out };
  }
  if (room.context.state === "suspended") void room.context.resume();
  return room;
}

function sound(
  { pitch, at = 0, length, loud = 0.5, shape = "sine" }: Note,
  context: AudioContext,
  out: AudioNode,
): void {
  const begin = context.currentTime + at;
  const voice = context.createOscillator();
  const swell = context.createGain();
  voice.type = shape;
  const [from, to] = typeof pitch === "number" ? [pitch, pitch] : pitch;
  voice.frequency.setValueAtTime(from, begin);
  voice.frequency.exponentialRampToValueAtTime(to, begin + length);
  swell.gain.setValueAtTime(0, begin);
  swell.gain.linearRampToValueAtTime(loud, begin + Math.min(0.012, length / 4));
  swell.gain.exponentialRampToValueAtTime(0.001, begin + length);
  voice.connect(swell).connect(out);
  voice.start(begin);
  voice.stop(begin + length + 0.05);
}

/** A thud: noise through a falling filter. */
function thud(context: AudioContext, out: AudioNode, near: boolean): void {
  const length = near ? 1.3 : 0.9;
  const noise = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++)
    data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = context.createBufferSource();
  source.buffer = noise;
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(near ? 900 : 320, context.currentTime);
  filter.frequency.exponentialRampToValueAtTime(50, context.currentTime + length);
  const swell = context.createGain();
  swell.gain.value = near ? 1 : 0.5;
  source.connect(filter).connect(swell).connect(out);
  source.start();
}

export function play(name: SoundName): void {
  const { muted, volume } = settings.liked;
  if (muted || volume <= 0) return;
  const place = enter();
  if (!place) return;
  place.out.gain.value = volume * 0.5;
  if (name === "blast-near" || name === "blast-far")
    thud(place.context, place.out, name === "blast-near");
  else for (const note of NOTES[name]) sound(note, place.context, place.out);
}

/** The two-tone call by which a course can be followed by ear. */
export const courseSound = (heading: Heading): SoundName => `course-${heading}`;
