// SPDX-License-Identifier: Apache-2.0
// What a panel is: a row of table.ts.
import type { Store } from "../data/store";
import type { Layers } from "../ui/layers";

export interface Context { store: Store; layers: Layers; player: Player }

/** Moves the time of a recording. */
export interface Player { readonly isPlaying: boolean; readonly speed: number; play(on: boolean): void; setSpeed(speed: number): void }

export interface View {
  element: HTMLElement;
  /** Shows the store as it is; at most ten times a second. */
  update(): void;
}

export type Place = "top" | "left" | "main" | "under" | "right" | "bottom" | "line";

export interface Panel {
  name: string;
  place: Place | ((store: Store) => Place);
  /** Pixels that its column should have; the widest of a column counts. */
  width?: number;
  /** Whether there is something to show; a panel that fits no more leaves the page. */
  fits(store: Store): boolean;
  make(context: Context): View;
}
