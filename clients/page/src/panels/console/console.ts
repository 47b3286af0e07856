// SPDX-License-Identifier: Apache-2.0
// The operator's console of a state machine that reports itself (type doppel.StateReport): its states, the present ones inverted, parts in the box
// of their state; and what each request would do now, with the reason where it is refused. It asks for nothing.
import { topicsOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { h, panel, setClass, setText } from "../../ui/dom";
import type { Panel } from "../panel";

const REPORT = "doppel.StateReport";
const rowsOf = (text: unknown) => (typeof text === "string" && text ? text.split("|") : []);

/** The machine with requests first: it is the one that has an operator. */
export function reportOf(store: Store) {
  const all = topicsOf(store, REPORT);
  return all.find((t) => t.name.startsWith(`/${store.selected}/`)) ?? all.find((t) => t.message(t.length - 1)?.requests) ?? all[0];
}

const ownName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

class States {
  readonly element = h("div", { class: "machine" });
  private boxes = new Map<string, HTMLElement>();

  constructor(private paths: string[], private moves: Set<string>) { this.element.append(...this.level("")); }

  /** The states of a level, then the levels within them. */
  private level(parent: string): HTMLElement[] {
    const own = this.paths.filter((p) => parentOf(p) === parent), row = h("div", { class: "states" }), inside: HTMLElement[] = [];
    own.forEach((path, i) => {
      if (i > 0) { row.append(h("span", { class: "move", "aria-hidden": "true" }, this.moves.has(`${own[i - 1]}>${path}`) ? "→" : "")); }
      const hasParts = this.paths.some((p) => parentOf(p) === path), box = h("span", { class: "state" }, ownName(path));
      this.boxes.set(path, box);
      row.append(box);
      if (hasParts) {
        const frame = h("div", { class: "inside", role: "group", "aria-label": `in ${ownName(path)}` }, h("small", {}, `in ${ownName(path)}`), ...this.level(path));
        this.boxes.set(`${path}/`, frame);
        inside.push(frame);
      }
    });
    return [row, ...inside];
  }

  show(present: Set<string>) {
    for (const [path, box] of this.boxes) {
      const isPart = path.endsWith("/"), on = present.has(isPart ? path.slice(0, -1) : path);
      setClass(box, "within", on && (isPart || this.boxes.has(`${path}/`)));
      setClass(box, "present", on && !isPart && !this.boxes.has(`${path}/`));
      if (!isPart) { if (on) { box.setAttribute("aria-current", "step"); } else { box.removeAttribute("aria-current"); } }
    }
  }
}

function requestOf(row: string): HTMLElement {
  const [, name = row, sign = "", rest = ""] = /^([^>=!]*)([>=!])?(.*)$/.exec(row) ?? [], isAllowed = sign === ">";
  const words = isAllowed ? `→ ${ownName(rest)}` : sign === "=" ? "is so" : `no: ${rest}`;
  return h("div", { class: `request${isAllowed ? " allowed" : ""}${/^emergency/.test(name) ? " grave" : ""}`, title: words }, h("span", {}, name[0]!.toUpperCase() + name.slice(1)), h("small", {}, words));
}

export const console_: Panel = {
  name: "console",
  place: "right",
  width: 500,
  fits: (store) => reportOf(store) !== undefined,
  make({ store }) {
    const note = h("span", {}), body = h("div", {}), asked = h("div", { class: "requests" }), head = h("header", { class: "head" }, h("h2", {}, "Requests"), h("div", { class: "right" }));
    const element = panel("Operator's console", note, body, head, asked), allowed = head.lastElementChild!;
    let states: States | undefined, key = "", shown = "";
    return {
      element,
      update() {
        const topic = reportOf(store), report = topic?.at(store.time) ?? topic?.message(0);
        if (!topic || !report) { return; }
        setText(note, topic.name.split("/")[1]!);
        if (`${topic.name} ${report.states}` !== key) {
          key = `${topic.name} ${report.states}`;
          states = new States(rowsOf(report.states), new Set(rowsOf(report.moves)));
          body.replaceChildren(states.element);
        }
        states!.show(new Set(rowsOf(report.present)));
        const requests = rowsOf(report.requests);
        head.hidden = asked.hidden = requests.length === 0;
        if (requests.join("|") === shown) { return; }
        shown = requests.join("|");
        setText(allowed, `allowed now: ${requests.filter((r) => /^[^=!]*>/.test(r)).length} of ${requests.length}`);
        asked.replaceChildren(...requests.map(requestOf));
      },
    };
  },
};
