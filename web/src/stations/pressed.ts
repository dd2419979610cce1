// Which key was pressed last, so that a refusal shows on the key that was refused.

const KEYS = "button, [role=button], a, .symbol";
const SHOWN_FOR = 1200;
let last: Element | null = null;

/** Listen for presses, by whatever means; ends what it returns. */
export function watchPresses(): () => void {
  const click = (event: Event): void => {
    last = (event.target as Element).closest(KEYS);
  };
  // A key that is no click, such as an arrow that steers, presses nothing on the screen.
  const forget = (): void => {
    last = null;
  };
  addEventListener("keydown", forget, true);
  addEventListener("click", click, true);
  return () => {
    removeEventListener("keydown", forget, true);
    removeEventListener("click", click, true);
    last = null;
  };
}

export const pressed = (): Element | null => last;

/** Shake it once, and ring it for a moment. */
export function shake(key: Element | null): void {
  if (!(key instanceof HTMLElement || key instanceof SVGElement)) return;
  const mark = String(performance.now());
  // Taken away first, so that a second refusal shakes again.
  delete key.dataset.refused;
  void key.getBoundingClientRect();
  key.dataset.refused = mark;
  setTimeout(() => {
    if (key.dataset.refused === mark) delete key.dataset.refused;
  }, SHOWN_FOR);
}
