// SPDX-License-Identifier: Apache-2.0
// The states of a machine as boxes: the present ones inverted, parts in the box of their state.
import { h, setClass } from "../../ui/dom";

export const ownName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export class States {
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
