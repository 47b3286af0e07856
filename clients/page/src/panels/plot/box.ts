// SPDX-License-Identifier: Apache-2.0
// One plot: curves of one unit over time, or one field over another; under it each curve with its value at the cursor, at A and B, and between them.
import { componentOf, type Value } from "../../data/facts";
import type { Store } from "../../data/store";
import { Chart, type Curve } from "../../ui/chart";
import { h, setText } from "../../ui/dom";
import { any } from "../../ui/format";
import { theme } from "../../ui/theme";
import { drawXY } from "./xy";

export interface Plotted extends Value { label: string; colour: () => string; dash?: number[] }

const SHADES = [() => theme.text, () => theme.dim, () => theme.ok, () => theme.avatar];

export function titleOf(value: Value): string { return `${value.topic.slice(1).replace(/\/values$/, "")} ${value.path.replace(/_/g, " ")}${value.unit ? `, ${value.unit}` : ""}`; }

export class Box {
  values: Plotted[] = [];
  title = "";
  private isXY = false;
  private key = "";
  private cells: { value: Plotted; now: HTMLElement; a: HTMLElement; b: HTMLElement; between: HTMLElement }[] = [];
  private name = h("b", {});
  private body = h("tbody", {});
  private head: HTMLElement;
  private canvas = h("canvas", { class: "xy", role: "img" });
  private chart: Chart;
  private over = h("button", { class: "small", click: () => { this.isXY = !this.isXY; this.store.changed(); } }, "x/y");
  readonly element: HTMLElement;

  constructor(private store: Store, private onRemove: (box: Box) => void) {
    this.chart = new Chart({ height: 96, onPick: (t) => store.show(t), onHover: (t) => { if (t !== store.hover) { store.hover = t; store.changed(); } }, cursors: () => store.marks });
    this.head = h("tr", {}, ...["", "cursor", "A", "B", "B − A"].map((t) => h("th", t ? { class: "num" } : {}, t)));
    this.element = h("div", { class: "box", role: "group" }, h("div", { class: "head" }, this.name, h("div", { class: "right" }, this.over,
      h("button", { class: "icon", "aria-label": "Remove this plot", title: "remove", click: () => this.onRemove(this) }, "×"))), this.chart.element, this.canvas, h("table", { class: "cursors" }, h("thead", {}, this.head), this.body));
  }

  begin(title: string, values: Plotted[]) {
    this.title = title;
    this.values = values;
  }

  /** Whether a field may be drawn here. */
  takes(value: Value): boolean { return this.isXY || this.values.length === 0 || this.values[0]!.unit === value.unit; }

  add(value: Value) {
    const rest = this.values.filter((c) => c.path !== value.path || c.topic !== value.topic), n = rest.length;
    this.values = [...(this.isXY ? rest.slice(-1) : rest), { ...value, label: value.path, colour: SHADES[n % SHADES.length]!, ...(n % 2 ? { dash: [5, 4] } : {}) }];
    if (n === 0) { this.title = titleOf(value); }
  }

  private rebuild() {
    const { store } = this;
    this.cells = this.values.map((value) => ({ value, now: h("td", { class: "num" }), a: h("td", { class: "num" }), b: h("td", { class: "num" }), between: h("td", { class: "num" }) }));
    this.body.replaceChildren(...this.cells.map(({ value, now, a, b, between }) => {
      const sign = h("span", { "aria-hidden": "true" }, value.dash ? "╌ " : "━ "), owner = componentOf(value.topic) ?? value.topic.split("/")[1] ?? "";
      sign.style.color = value.colour();
      return h("tr", {}, h("td", {}, h("button", { class: "plain", title: `${value.topic} ${value.path}: select ${owner}`, click: () => store.select(owner) }, sign, value.label)), now, a, b, between);
    }));
  }

  update(from: number, to: number) {
    const { store } = this, { A, B } = store.marks, key = this.values.map((v) => v.topic + v.path).join() + theme.text, at = store.hover ?? store.time;
    if (key !== this.key) { this.key = key; this.rebuild(); }
    setText(this.name, this.isXY && this.values.length > 1 ? `${this.values[1]!.label} over ${this.values[0]!.label}` : this.title || "Drop a field here");
    this.element.setAttribute("aria-label", `Plot of ${this.name.textContent}`);
    this.over.hidden = this.values.length < 2 && !this.isXY;
    this.over.setAttribute("aria-pressed", String(this.isXY));
    const curves: Curve[] = this.values.flatMap((v) => { const series = store.numbers(v.topic, v.path); return series ? [{ ...v, series, width: 1.5 }] : []; });
    const isOver = this.isXY && curves.length > 1;
    this.canvas.hidden = !isOver;
    this.chart.element.hidden = isOver;
    if (isOver) { drawXY(this.canvas, [curves[0]!, curves[1]!], from, to, at); this.canvas.setAttribute("aria-label", this.name.textContent!); } else if (curves.length) { this.chart.draw(curves, from, to, store.time); }
    this.element.classList.toggle("marked", A !== undefined || B !== undefined);
    for (const { value, now, a, b, between } of this.cells) {
      const series = store.numbers(value.topic, value.path), read = (t: number | undefined) => (t === undefined ? undefined : series?.at(t)), va = read(A), vb = read(B);
      setText(now, any(read(at), value.unit));
      setText(a, any(va, value.unit));
      setText(b, any(vb, value.unit));
      setText(between, va === undefined || vb === undefined ? "–" : any(vb - va, value.unit));
    }
  }
}
