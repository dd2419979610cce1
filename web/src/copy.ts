// Handing a text on: by the share sheet, the clipboard, the old way of copying, or by hand.

/** What became of it; cancelled: the person closed the share sheet. */
export type HandedOn = "shared" | "copied" | "selected" | "cancelled";

function select(field: HTMLElement): void {
  if (field instanceof HTMLInputElement) {
    field.focus();
    // iOS selects nothing by select() in a field that can't be edited.
    field.setSelectionRange(0, field.value.length);
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(field);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Copy what a field shows. Over plain HTTP there is no clipboard, so we fall back to the old command. */
export async function copyFrom(field: HTMLElement, text: string): Promise<HandedOn> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    select(field);
    // It is deprecated, and the only way there is without a secure origin.
    return document.execCommand?.("copy") ? "copied" : "selected";
  }
}

/** On a phone the share sheet, where there is one; else copy. */
export async function shareOrCopy(field: HTMLElement, url: string): Promise<HandedOn> {
  if (!("share" in navigator) || !matchMedia("(pointer: coarse)").matches)
    return copyFrom(field, url);
  try {
    await navigator.share({ url });
    return "shared";
  } catch (why) {
    return (why as DOMException).name === "AbortError" ? "cancelled" : copyFrom(field, url);
  }
}

/** Hand on a text that no field shows; if nothing else works, a window shows it, to be copied by hand. */
export async function handOn(url: string, byHand: string): Promise<HandedOn> {
  const before = document.activeElement;
  const field = document.createElement("input");
  field.value = url;
  field.readOnly = true;
  field.setAttribute("aria-hidden", "true");
  field.style.cssText = "position:fixed;top:0;opacity:0;pointer-events:none";
  document.body.append(field);
  const became = await shareOrCopy(field, url);
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (became === "selected") prompt(byHand, url);
  return became;
}
