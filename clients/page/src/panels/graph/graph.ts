// SPDX-License-Identifier: Apache-2.0
// The components and their connections, with live rates: data solid, services dashed; red: the executor of the component missed a deadline in the
// last 5 s.
import type { Store } from "../../data/store";
import { h, setClass, setText } from "../../ui/dom";
import { namesOf, shortRate } from "../components/components";
import type { Panel } from "../panel";
import "./graph.css";
import { layout, type Edge } from "./layout";

const WIDTH = 156, HEIGHT = 50, SVG = "http://www.w3.org/2000/svg";

function edgesOf(store: Store, names: string[]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from, port, to } of store.run.connections) {
    const key = `${from}→${to}`, edge = edges.get(key) ?? { from, to, ports: [] };
    if (!names.includes(from) || !names.includes(to) || from === to) { continue; }
    if (!edge.ports.includes(port)) { edge.ports.push(port); }
    edges.set(key, edge);
  }
  return [...edges.values()];
}

/** "missed 3": of the executor of a component, in the last 5 s. */
function missedBy(store: Store, name: string): number {
  const listed = store.topics.get("/run/components")?.at(store.time) as unknown, own = Array.isArray(listed) ? (listed as { name: string; executor?: string }[]).find((c) => c.name === name) : undefined;
  const topic = own?.executor === undefined ? undefined : store.topics.get(`/executors/${own.executor}`), late = (t: number) => { const m = topic?.at(t); return Number(m?.missed ?? 0) + Number(m?.overruns ?? 0); };
  return late(store.time) - late(store.time - 5);
}

function wordsOf(store: Store, edge: Edge): string {
  return edge.ports.slice(0, 3).map((port) => { const rate = shortRate(store.topics.get(`/${edge.from}/${port}`)?.rate(store.time) ?? 0); return rate ? `${port} ${rate}` : port; }).join("\n") + (edge.ports.length > 3 ? `\nand ${edge.ports.length - 3} more` : "");
}

export const graph: Panel = {
  name: "graph",
  place: "main",
  fits: (store) => store.view === "graph",
  make({ store }) {
    const lines = document.createElementNS(SVG, "svg"), field = h("div", { class: "field-of-boxes" }), note = h("div", { class: "notice" }), legend = h("p", { class: "small dim" }, "data solid · services dashed · red: a deadline was missed in the last 5 s");
    const element = h("section", { class: "graph", "aria-label": "Graph of the components" }, legend, field, note);
    lines.setAttribute("aria-hidden", "true");
    let key = "", boxes: { name: string; element: HTMLElement; note: HTMLElement }[] = [], words: { edge: Edge; element: HTMLElement; line: SVGElement }[] = [];
    const rebuild = (names: string[], edges: Edge[]) => {
      const isData = (edge: Edge) => edge.ports.some((p) => store.topics.has(`/${edge.from}/${p}`));
      const places = layout(names, edges.filter(isData)), w = element.clientWidth - 32, all = [...places.values()], columns = Math.max(...all.map((p) => p.column)) + 1;
      const rows = Math.max(...all.map((p) => Math.abs(p.row))) * 2 + 1, height = Math.max(element.clientHeight - 56, rows * 76);
      const wide = Math.max(w, columns * (WIDTH + 90)), x = (p: { column: number }) => ((p.column + 0.5) / columns) * wide, y = (p: { row: number; column: number }) => height / 2 + (p.row + (p.column % 2 ? 0.22 : 0)) * (height / (rows + 0.4));
      lines.setAttribute("viewBox", `0 0 ${wide} ${height}`);
      field.style.width = lines.style.width = `${wide}px`;
      field.style.height = lines.style.height = `${height}px`;
      lines.replaceChildren();
      words = edges.map((edge) => {
        const a = places.get(edge.from)!, b = places.get(edge.to)!, isBack = b.column <= a.column, x1 = x(a) + (isBack && a.column !== b.column ? -WIDTH : WIDTH) / 2, x2 = x(b) + (isBack && a.column !== b.column ? WIDTH : isBack ? WIDTH : -WIDTH) / 2, y1 = y(a) + (isBack ? 10 : -6), y2 = y(b) + (isBack ? 10 : -6);
        const bend = a.column === b.column ? 70 : (x2 - x1) / 2, line = document.createElementNS(SVG, "path");
        line.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 + (a.column === b.column ? bend : -bend)} ${y2} ${x2} ${y2}`);
        line.setAttribute("class", isData(edge) ? "data" : "service");
        const tip = document.createElementNS(SVG, "circle");
        for (const [name, value] of [["cx", x2], ["cy", y2], ["r", 3.5]] as const) { tip.setAttribute(name, String(value)); }
        lines.append(line, tip);
        const element = h("span", { class: "edge" });
        element.style.left = `${(x1 + x2) / 2 + (a.column === b.column ? 52 : 0)}px`;
        element.style.top = `${(y1 + y2) / 2}px`;
        return { edge, element, line };
      });
      boxes = names.map((name) => {
        const note = h("small", {}), p = places.get(name)!, element = h("button", { class: "node", "aria-label": name, click: () => store.select(store.selected === name ? "" : name) }, h("b", {}, name), note);
        element.style.left = `${x(p) - WIDTH / 2}px`;
        element.style.top = `${y(p) - HEIGHT / 2}px`;
        return { name, element, note };
      });
      field.replaceChildren(lines, ...words.map((v) => v.element), ...boxes.map((b) => b.element));
    };
    return {
      element,
      update() {
        const names = namesOf(store).filter((n) => !n.includes(".")), edges = edgesOf(store, names), wanted = `${names.join()} ${edges.length} ${store.topics.size} ${element.clientWidth} ${element.clientHeight}`;
        setText(note, names.length ? "" : "no components: a served world has none");
        if (wanted !== key && names.length) { key = wanted; rebuild(names, edges); }
        for (const { edge, element, line } of words) {
          const isNear = store.selected === edge.from || store.selected === edge.to;
          setText(element, wordsOf(store, edge));
          element.hidden = !isNear && line.classList.contains("service");
          line.classList.toggle("chosen", isNear);
        }
        for (const { name, element, note } of boxes) {
          const missed = missedBy(store, name), topic = store.topics.get(`/${name}/values`), rate = shortRate(topic?.rate(store.time) ?? 0), lost = ["losses", "dropped", "skipped"].map((f) => topic?.at(store.time)?.[f]).find((v) => typeof v === "number");
          setText(note, [missed > 0 ? `■ missed ${missed}` : "", rate, typeof lost === "number" ? `${lost} lost` : "", store.run.components.find((c) => c.name === name)?.class ?? ""].filter(Boolean).join(" · "));
          setClass(element, "late", missed > 0);
          setClass(element, "chosen", store.selected === name);
          element.setAttribute("aria-pressed", String(store.selected === name));
        }
      },
    };
  },
};
