// SPDX-License-Identifier: Apache-2.0
// The life cycle of a component: its state, and start, stop and reset; what came of it stands below.
import { act, mayMove, whyNot } from "../../data/control";
import type { Store } from "../../data/store";
import { h, setText } from "../../ui/dom";

const stateName = (store: Store, component: string) => {
  const all = store.topics.get("/run/components")?.at(store.time);
  return Array.isArray(all) ? (all as { name: string; state: string }[]).find((c) => c.name === component)?.state : undefined;
};

export class Life {
  private state = h("span", { class: "dim" });
  private said = h("p", { class: "why", role: "status", "aria-label": "What came of it" });
  private component = "";
  private buttons = (["start", "stop", "reset"] as const).map((what) => ({ what, element: h("button", { click: () => void this.operate(what) }, what) }));
  readonly element = h("div", { class: "life" }, h("div", { class: "buttons", role: "group", "aria-label": "Life cycle" }, this.state, ...this.buttons.map((b) => b.element)), this.said);

  constructor(private store: Store) {}

  show(component: string) {
    const { store } = this, state = stateName(store, component), why = whyNot(store);
    if (component !== this.component) { setText(this.said, ""); }
    this.component = component;
    this.element.hidden = state === undefined;
    setText(this.state, state ?? "");
    for (const { what, element } of this.buttons) {
      element.hidden = !store.services.has(`/component/${what}`);
      element.setAttribute("aria-disabled", String(why !== ""));
      element.setAttribute("aria-label", `${what} ${component}`);
      element.title = why;
    }
  }

  private async operate(what: string) {
    const { store, component } = this, say = (text: string) => { if (component === this.component) { setText(this.said, text); } };
    try {
      if (!whyNot(store) && what !== "stop" && !(await mayMove(store, `${what} ${component}?`, what))) { say(`${what}: not asked for`); return; }
      await act(store, `/component/${what}`, { component });
      say(`${what}: done`);
    } catch (why) { say((why as Error).message); }
  }
}
