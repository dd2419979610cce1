// Keeps the screen on while a game runs.
//
// Over HTTPS the browser has a wake lock for this. Over plain HTTP, as in most living rooms, it has
// none, but no browser lets a screen go dark under a video. What counts as one differs: Chromium wants
// it to cover a fifth of the page unless it has sound; Safari wants it not to loop, and to have sound
// that is not muted, which needs a touch before it may play. So ours is as large as the page, behind
// everything, all but transparent, silent, and goes back by itself before it ends.
import video from "./awake.mp4";

/** After so many seconds of the video's ten it starts again. */
const BACK_AFTER = 5;
const GESTURES = ["pointerup", "keydown"] as const;

/** Keep the screen on until the function is called that is given back. */
export function keepAwake(): () => void {
  return "wakeLock" in navigator ? byWakeLock(navigator.wakeLock) : byVideo();
}

/** A lock is lost whenever the page is hidden; Safari grants the first one during a gesture only. */
function byWakeLock(locks: WakeLock): () => void {
  let lock: WakeLockSentinel | null = null;
  let asking = false;
  let ended = false;

  async function ask(): Promise<void> {
    if (asking || ended || document.hidden || (lock && !lock.released)) return;
    asking = true;
    lock = await locks.request("screen").catch(() => null);
    asking = false;
    // The game may have ended meanwhile.
    if (ended) void lock?.release();
  }

  const stop = whenever(ask);
  return () => {
    ended = true;
    stop();
    void lock?.release();
  };
}

function byVideo(): () => void {
  const element = document.createElement("video");
  element.src = video;
  element.playsInline = true;
  element.disableRemotePlayback = true;
  element.muted = navigator.vendor !== "Apple Computer, Inc.";
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.style.cssText =
    "position:fixed;inset:0;width:100%;height:100%;object-fit:fill;opacity:0.01;z-index:-1;pointer-events:none";
  element.addEventListener("timeupdate", () => {
    if (element.currentTime > BACK_AFTER) element.currentTime = 0;
  });
  document.body.append(element);

  const stop = whenever(() => {
    if (element.paused && !document.hidden) void element.play().catch(() => undefined);
  });
  return () => {
    stop();
    element.pause();
    element.remove();
  };
}

/** Do something now, when the page is shown again, and with every gesture. */
function whenever(what: () => unknown): () => void {
  what();
  document.addEventListener("visibilitychange", what);
  for (const gesture of GESTURES) document.addEventListener(gesture, what, true);
  return () => {
    document.removeEventListener("visibilitychange", what);
    for (const gesture of GESTURES) document.removeEventListener(gesture, what, true);
  };
}
