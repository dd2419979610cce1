// The player on this device: name, recovery code, devices and programs.

import { devices, identify } from "../api";
import type { MyTokens } from "../wire";
import { failure } from "../words/errors";
import { kept } from "./kept";

export class Account {
  name = $state(kept("name") ?? "");
  mine = $state.raw<MyTokens | null>(null);
  /** What was done, or why it was not. */
  note = $state("");

  /** Nobody could be this player again if this browser forgot them. */
  get onlyHere(): boolean {
    const { mine } = this;
    return !!mine && !mine.recovery && mine.tokens.filter(({ scope }) => !scope).length < 2;
  }

  async load(): Promise<void> {
    try {
      await identify();
      this.mine = await devices();
      this.name = kept("name") ?? this.name;
    } catch (why) {
      this.note = failure(why);
    }
  }

  /** Do something, and say what became of it. */
  async attempt(what: () => Promise<void>, done: () => string = () => ""): Promise<void> {
    try {
      await what();
      this.note = done();
    } catch (why) {
      this.note = failure(why);
    }
  }
}
