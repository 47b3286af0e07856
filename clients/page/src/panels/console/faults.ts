// SPDX-License-Identifier: Apache-2.0
// The faults of a state machine: when it came into its state of fault and left it, with the words of its log.
import type { Store } from "../../data/store";
import type { Topic } from "../../data/topic";
import { h, setText } from "../../ui/dom";
import { clock } from "../../ui/format";
import { ownName } from "./states";

interface Fault { at: number; name: string; cause: string; braked: string; cleared?: number }

const isFault = (path: string) => /^(fault|error|failed)$/.test(ownName(path));
const SHOWN = 4;

function faultsOf(store: Store, topic: Topic): Fault[] {
  const faults: Fault[] = [], component = topic.name.split("/")[1];
  for (let i = 0; i < topic.length && topic.times[i]! <= store.time; i++) {
    const on = String(topic.message(i)!.present).split("|").some(isFault), open = faults.at(-1), at = topic.times[i]!;
    if (on && (!open || open.cleared !== undefined)) {
      const line = store.lines.filter((l) => l.from === component && l.level === "error" && /^fault /.test(l.text) && Math.abs(l.time - at) < 0.1).pop();
      const [, name = "fault", cause = "", braked = ""] = /^fault ([^:]*): ([^;]*);? ?(.*)$/.exec(line?.text ?? "") ?? [];
      faults.push({ at, name, cause, braked });
    } else if (!on && open) { open.cleared ??= at; }
  }
  return faults;
}

export class Faults {
  private body = h("tbody", {});
  private count = h("div", { class: "right" });
  private table = h("table", { class: "faults" }, h("thead", {}, h("tr", {}, ...["at", "fault", "cause", "cleared"].map((t) => h("th", {}, t)))), this.body);
  readonly element = h("div", {}, h("header", { class: "head" }, h("h2", {}, "Faults"), this.count), this.table);
  private key = "";

  constructor(private store: Store) {}

  show(topic: Topic, states: string[]) {
    this.element.hidden = !states.some(isFault);
    const key = `${topic.name} ${topic.count} ${topic.after(this.store.time)} ${this.store.lines.length}`;
    if (this.element.hidden || key === this.key) { return; }
    this.key = key;
    const faults = faultsOf(this.store, topic), active = faults.filter((f) => f.cleared === undefined).length;
    setText(this.count, `${active} active, ${faults.length - active} cleared`);
    this.table.hidden = faults.length === 0;
    this.body.replaceChildren(...faults.slice(-SHOWN).reverse().map((f) => h("tr", { title: f.braked }, h("td", {}, clock(f.at)), h("td", { class: "danger" }, `■ ${f.name}`), h("td", {}, f.cause),
      h("td", {}, f.cleared === undefined ? "active" : clock(f.cleared)))));
  }
}
