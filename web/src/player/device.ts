// What this device is called in its player's list: the browser and the system, by their own names.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOPT\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const first = (agent: string, names: readonly (readonly [RegExp, string])[]): string =>
  names.find(([mark]) => mark.test(agent))?.[1] ?? "";

/** Such as `Firefox, Linux`; empty if nothing is recognised. */
export const deviceName = (agent: string): string =>
  [first(agent, BROWSERS), first(agent, SYSTEMS)].filter(Boolean).join(", ");
