// The time of day, for as long as a component counts seconds by it.

export function everySecond(needed: () => boolean): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!needed()) return;
    now = Date.now();
    const timer = setInterval(() => (now = Date.now()), 500);
    return () => clearInterval(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
