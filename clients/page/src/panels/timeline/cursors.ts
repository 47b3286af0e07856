// SPDX-License-Identifier: Apache-2.0
// The cursors A and B on the timeline: set at the time that is shown by their buttons or keys, moved by dragging or by arrow keys.
import type { Store } from "../../data/store";
import { h } from "../../ui/dom";
import { clock } from "../../ui/format";

const NAMES = ["A", "B"] as const;

export class Cursors {
  private flags: { name: "A" | "B"; element: HTMLElement }[];
  private buttons = NAMES.map((name) => ({ name, element: h("button", { class: "mark", id: `mark-${name}`, "aria-label": `Cursor ${name} at the time that is shown`, title: `${name} at the time that is shown; pressed there again: away`, click: () => setMark(this.store, name) }, name) }));
  private band = h("div", { class: "between" });

  constructor(private store: Store, private track: HTMLElement) {
    this.flags = NAMES.map((name) => ({ name, element: this.flag(name) }));
    track.append(this.band, ...this.flags.map((f) => f.element));
  }

  get row(): HTMLElement { return h("div", { class: "marks" }, ...this.buttons.map((b) => b.element)); }

  /** "A → B 52.05 s"; "": one of them is not set. */
  get words(): string {
    const { A, B } = this.store.marks;
    return A === undefined || B === undefined ? "" : `A → B ${(B - A).toFixed(2).replace("-", "−")} s`;
  }

  private flag(name: "A" | "B"): HTMLElement {
    const { store } = this, timeAt = (e: PointerEvent) => store.start + ((e.clientX - this.track.getBoundingClientRect().left) / this.track.clientWidth) * (store.end - store.start);
    const move = (t: number) => { store.mark(name, t); if (store.other && name === "B") { store.show(t); } };
    const element = h("button", { class: "flag", role: "slider", "aria-label": `Cursor ${name}`,
      pointerdown: (e: PointerEvent) => element.setPointerCapture(e.pointerId), pointermove: (e: PointerEvent) => { if (e.buttons) { move(timeAt(e)); } },
      keydown: (e: KeyboardEvent) => {
        const step = { ArrowLeft: -0.1, ArrowRight: 0.1, PageDown: -1, PageUp: 1 }[e.key];
        if (e.key === "Delete") { store.mark(name, undefined); } else if (step) { move((store.marks[name] ?? store.time) + step); } else { return; }
        e.preventDefault();
        e.stopPropagation();
      } }, name);
    return element;
  }

  update(x: (time: number) => number) {
    const { store } = this, { A, B } = store.marks;
    for (const { name, element } of this.flags) {
      const time = store.marks[name];
      element.hidden = time === undefined || time < store.start - 1e-6;
      if (time === undefined) { continue; }
      element.style.left = `${x(time)}px`;
      for (const [key, value] of [["min", store.start], ["max", store.end], ["now", time]] as const) { element.setAttribute(`aria-value${key}`, value.toFixed(3)); }
      element.setAttribute("aria-valuetext", clock(time));
    }
    for (const { name, element } of this.buttons) { element.setAttribute("aria-pressed", String(store.marks[name] !== undefined)); }
    const both = A !== undefined && B !== undefined;
    this.band.hidden = !both;
    if (both) {
      const [from, to] = [x(A), x(B)].sort((a, b) => a - b) as [number, number];
      this.band.style.left = `${from}px`;
      this.band.style.width = `${to - from}px`;
    }
  }
}

/** Sets a cursor at the time that is shown; where it stands already it goes away. */
export function setMark(store: Store, name: "A" | "B") {
  const at = store.hover ?? store.time, own = store.marks[name];
  store.mark(name, own !== undefined && Math.abs(own - at) < 1e-6 ? undefined : at);
}
