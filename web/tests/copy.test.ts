// A link is handed on from every browser: what no field shows, too.
import { afterEach, describe, expect, it, vi } from "vitest";
import { handOn } from "../src/copy";

const LINK = "http://192.168.1.5:8470/replay/x?step=3";
let copied: string | null = null;

function browser(copies: boolean): void {
  copied = null;
  vi.stubGlobal("navigator", {});
  vi.stubGlobal(
    "prompt",
    vi.fn(() => null),
  );
  document.execCommand = () => {
    const field = document.activeElement as HTMLInputElement;
    copied = field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
    return copies;
  };
}

afterEach(() => vi.unstubAllGlobals());

describe("a link that no field shows", () => {
  it("is copied over plain HTTP, and the focus stays where it was", async () => {
    browser(true);
    const button = document.body.appendChild(document.createElement("button"));
    button.focus();
    expect(await handOn(LINK, "by hand")).toBe("copied");
    expect(copied).toBe(LINK);
    expect(prompt).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(button);
    expect(document.querySelector("input")).toBeNull();
  });

  it("is shown to be copied by hand where nothing else works", async () => {
    browser(false);
    expect(await handOn(LINK, "by hand")).toBe("selected");
    expect(prompt).toHaveBeenCalledWith("by hand", LINK);
  });
});
