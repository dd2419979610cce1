// Orders of which nobody knows whether they were saved. Given again, they keep their id and take effect once.

import type { AnyOrder } from "../wire";

interface Unsaved {
  readonly id: string;
  readonly position: number;
}

export class UnsavedOrders {
  #orders = new Map<string, Unsaved>();

  /** The id of the same order, if it failed at this very position; news since then has settled it. */
  idOf(order: AnyOrder, position: number): string | undefined {
    const found = this.#orders.get(JSON.stringify(order));
    return found?.position === position ? found.id : undefined;
  }

  remember(order: AnyOrder, id: string, position: number): void {
    this.#orders.set(JSON.stringify(order), { id, position });
  }

  forget(order: AnyOrder): void {
    this.#orders.delete(JSON.stringify(order));
  }
}
