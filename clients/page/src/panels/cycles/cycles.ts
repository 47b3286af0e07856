// SPDX-License-Identifier: Apache-2.0
// How long the cycles of the executors take, against their periods: bars to p50, p99 and max on a logarithmic axis. Without executors on the wire
// it shows how regularly the messages of each rate come.
import { componentOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { canvasOf, h, panel, setText } from "../../ui/dom";
import { duration } from "../../ui/format";
import { theme } from "../../ui/theme";
import type { Panel } from "../panel";

interface Bar { name: string; p50: number; p99: number; max: number; period?: number }

function fromExecutors(store: Store): Bar[] {
  return [...store.topics.values()].filter((t) => t.name.startsWith("/executors/") && t.length > 0).map((t) => {
    const m = t.at(store.time) as Record<string, number> | undefined;
    return { name: t.name.slice("/executors/".length), p50: m?.p50_ms ?? 0, p99: m?.p99_ms ?? 0, max: m?.max_ms ?? 0, period: m?.period_ms };
  });
}

/** Intervals of the values of components, grouped by their rate. */
function fromMessages(store: Store): Bar[] {
  const groups = new Map<string, { names: number; gaps: number[] }>();
  for (const topic of store.topics.values()) {
    const name = componentOf(topic.name), to = topic.after(store.time), from = Math.max(1, topic.after(store.time - 20));
    if (name === undefined || name.includes(".") || to - from < 5) { continue; }
    const gaps: number[] = [];
    for (let i = from; i < to; i++) { gaps.push((topic.times[i]! - topic.times[i - 1]!) * 1000); }
    const middle = gaps.slice().sort((a, b) => a - b)[gaps.length >> 1]!, key = duration(Number(middle.toPrecision(2)));
    const group = groups.get(key) ?? { names: 0, gaps: [] };
    group.names++;
    group.gaps.push(...gaps);
    groups.set(key, group);
  }
  return [...groups].map(([key, { names, gaps }]) => {
    gaps.sort((a, b) => a - b);
    return { name: `every ${key}, ${names} component${names === 1 ? "" : "s"}`, p50: gaps[gaps.length >> 1]!, p99: gaps[Math.floor(gaps.length * 0.99)]!, max: gaps[gaps.length - 1]! };
  }).sort((a, b) => b.p50 - a.p50);
}

function draw(canvas: HTMLCanvasElement, bars: Bar[]) {
  const c = canvasOf(canvas);
  if (!c) { return; }
  const w = canvas.clientWidth, height = canvas.clientHeight - 18, shown = bars.slice(0, 3);
  const logs = shown.flatMap((b) => [b.p50, b.max, b.period ?? b.max]).filter((v) => v > 0).map(Math.log10);
  const low = Math.min(Math.floor(Math.min(...logs, 0)), 0) || -3, high = Math.max(Math.ceil(Math.max(...logs, 1) + 0.01), low + 3);
  const x = (ms: number) => Math.max(0, ((Math.log10(Math.max(ms, 1e-6)) - low) / (high - low)) * (w - 1));
  c.font = "11px Inter, system-ui, sans-serif";
  for (let e = low; e <= high; e++) {
    const text = duration(10 ** e).replace(".0", "");
    c.fillStyle = theme.line;
    c.fillRect(Math.round(x(10 ** e)), 0, 1, height);
    c.fillStyle = theme.dim;
    c.textAlign = e === low ? "left" : e === high ? "right" : "center";
    if ((high - e) % Math.max(1, Math.ceil((high - low) * 64 / w)) === 0) { c.fillText(text, x(10 ** e), height + 13); }
  }
  const room = Math.min(50, height / Math.max(1, shown.length));
  shown.forEach((bar, i) => {
    const y = i * room + 24;
    c.font = "12px Inter, system-ui, sans-serif";
    c.textAlign = "left";
    c.fillStyle = theme.text;
    c.fillText(bar.name, 0, y - 9);
    const left = c.measureText(bar.name).width;
    c.font = "11px Inter, system-ui, sans-serif";
    c.textAlign = "right";
    c.fillStyle = theme.dim;
    const max = `max ${duration(bar.max)}`;
    if (left + c.measureText(max).width + 8 < w) { c.fillText(max, w, y - 9); }
    c.fillStyle = theme.band;
    c.fillRect(0, y - 4, x(bar.p99), 8);
    c.fillStyle = theme.dim;
    c.fillRect(0, y - 4, x(bar.p50), 8);
    c.fillRect(x(bar.p99), y - 0.5, x(bar.max) - x(bar.p99), 1);
    c.fillStyle = theme.text;
    c.fillRect(x(bar.max) - 1, y - 4, 2, 8);
    if (bar.period) { c.fillStyle = theme.danger; c.fillRect(x(bar.period) - 1, y - 7, 2, 14); }
  });
}

export const cycles: Panel = {
  name: "cycles",
  place: "bottom",
  fits: () => true,
  make({ store }) {
    const canvas = h("canvas", { class: "cycle", role: "img", "aria-label": "Cycle times" }), note = h("span", {});
    const element = panel("Cycle time", note, canvas), title = element.querySelector("h2")!;
    return {
      element,
      update() {
        const timed = fromExecutors(store), bars = timed.length ? timed : fromMessages(store);
        setText(title, timed.length ? "Cycle time" : "Period of values");
        if (note.dataset.kind !== String(timed.length > 0)) {
          note.dataset.kind = String(timed.length > 0);
          note.replaceChildren("to p50, to p99, max", ...(timed.length ? ["; ", h("span", { class: "danger" }, "period")] : []));
        }
        canvas.setAttribute("aria-label", bars.map((b) => `${b.name}: p50 ${duration(b.p50)}, p99 ${duration(b.p99)}, max ${duration(b.max)}`).join("; ") || "no cycles yet");
        draw(canvas, bars);
      },
    };
  },
};
