// SPDX-License-Identifier: Apache-2.0
// What a person keeps of a run, in the run's folder: the last 60 s as a recording, all until now as a bench that repeats it.
import { act, stateOf } from "../../data/control";
import type { Store } from "../../data/store";
import { h } from "../../ui/dom";
import { toast } from "../../ui/toast";

interface Kept { file: string; from_s: number; to_s: number }

/** The answer stays where it is read, until the next one. */
export class Keep {
  readonly said = h("small", { role: "status", "aria-label": "What was kept" });
  readonly buttons = [
    h("button", { class: "mark", id: "save", "aria-label": "Save the last 60 s", title: "the last 60 s as a recording in the folder of the run", click: () => this.ask(() => this.save()) }, "⤓"),
    h("button", { class: "mark", id: "bench", "aria-label": "Make a bench of this", title: "the run until now as a bench that repeats it, in the folder of the run", click: () => this.ask(() => this.bench()) }, "⟲"),
  ];

  constructor(private store: Store) {}

  show(isShown: boolean) { for (const b of this.buttons) { b.hidden = !isShown || !this.store.services.has(`/run/${b.id}`); } }

  private ask(what: () => Promise<string>) { what().then((text) => { this.said.textContent = text; toast(text); }, (why: Error) => toast(why.message)); }

  private async save(): Promise<string> {
    const { file, from_s, to_s } = JSON.parse(await act(this.store, "/run/save")) as Kept;
    return `${(to_s - from_s).toFixed(1)} s are in ${file}`;
  }

  /** It ends where the run is paused, which then goes on as before. */
  private async bench(): Promise<string> {
    const runs = stateOf(this.store).state !== "paused";
    if (runs) { await act(this.store, "/run/pause"); }
    try {
      const { file, to_s } = JSON.parse(await act(this.store, "/run/bench")) as Kept;
      return `${to_s.toFixed(3)} s are repeated by ${file}`;
    } finally {
      if (runs) { await act(this.store, "/run/resume"); }
    }
  }
}
