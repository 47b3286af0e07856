// SPDX-License-Identifier: Apache-2.0
// The time that is kept: the distance as a line, what the robot was doing, events; dragging shows another time, and "Live" goes back.
import { activity, twinOf } from "../../data/facts";
import { eventsOf } from "../../data/events";
import type { Store } from "../../data/store";
import { haloText } from "../../ui/chart";
import { canvasOf, h, setText } from "../../ui/dom";
import { clock } from "../../ui/format";
import { theme } from "../../ui/theme";
import type { Panel } from "../panel";
import { Cursors } from "./cursors";
import { Keep } from "./keep";
import { writeNote } from "./note";
import "./cursors.css";

const TOP = 6, LINE = 20, STATE = 14;

interface Scale { x(t: number): number; from: number; to: number; w: number }

function drawAxis(c: CanvasRenderingContext2D, { x, from, to, w }: Scale) {
  const span = to - from, step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find((s) => (w / span) * s > 80) ?? 7200;
  c.fillStyle = theme.dim;
  c.textAlign = "center";
  for (let t = Math.ceil(from / step) * step; t <= to + 1e-6; t += step) {
    c.fillRect(Math.round(x(t)), TOP + LINE + STATE, 1, 4);
    c.fillText(clock(t, 0), Math.min(Math.max(x(t), 16), w - 16), TOP + LINE + STATE + 16);
  }
}

function drawLine(c: CanvasRenderingContext2D, store: Store, { x, from, to, w }: Scale) {
  c.fillStyle = theme.bg0;
  c.fillRect(0, TOP, w, LINE - 1);
  const twin = twinOf(store), series = twin && store.numbers(twin.distance.topic, twin.distance.path, twin.distance.factor);
  if (!series) { return; }
  c.strokeStyle = theme.dim;
  c.lineWidth = 1;
  c.beginPath();
  const step = Math.max(1, Math.floor(series.times.length / (w * 2)));
  let isOpen = false;
  for (let i = 0; i < series.times.length; i += step) {
    const v = series.values[i], t = series.times[i]!;
    if (v === null || v === undefined || t < from || t > to) { isOpen = false; continue; }
    const y = TOP + LINE - 3 - Math.max(0, Math.min(1, Math.log10(Math.max(v, 1)) / 2.3)) * (LINE - 5);
    if (isOpen) { c.lineTo(x(t), y); } else { c.moveTo(x(t), y); }
    isOpen = true;
  }
  c.stroke();
}

function drawStates(c: CanvasRenderingContext2D, store: Store, { x, w }: Scale) {
  const at = activity(store), topic = at && store.topics.get(at.topic), y = TOP + LINE;
  c.fillStyle = theme.bg2;
  c.fillRect(0, y, w, STATE);
  if (!topic || !at) { return; }
  const shades = new Map<string, [string, string]>(), choices: [string, string][] = [[theme.band, theme.text], [theme.wall, theme.text], [theme.text, theme.bg1], [theme.object, theme.text]];
  const n = topic.length;
  for (let i = 0; i < n;) {
    const state = String(topic.message(i)?.[at.path]);
    let to = i + 1;
    while (to < n && String(topic.message(to)?.[at.path]) === state) { to++; }
    if (!shades.has(state)) { shades.set(state, choices[shades.size % choices.length]!); }
    const left = x(topic.times[i]!), right = x(to < n ? topic.times[to]! : topic.times[n - 1]!), [fill, ink] = shades.get(state)!;
    c.fillStyle = fill;
    c.fillRect(left, y, Math.max(right - left - 1, 0.5), STATE);
    if (right - left > c.measureText(state).width + 10) {
      c.fillStyle = ink;
      c.textAlign = "left";
      c.fillText(state, left + 6, y + 11);
    }
    i = to;
  }
}

function drawEvents(c: CanvasRenderingContext2D, store: Store, { x, from, w }: Scale) {
  let free = 0;
  for (const event of eventsOf(store)) {
    if (event.time < from) { continue; }
    const at = x(event.time), colour = event.isFault ? theme.danger : theme.text;
    c.fillStyle = colour;
    c.fillRect(at - 0.5, TOP, 1, LINE);
    c.beginPath();
    c.moveTo(at, TOP - 4);
    c.lineTo(at - 4, TOP + 3);
    c.lineTo(at + 4, TOP + 3);
    c.fill();
    const n = c.measureText(event.text).width;
    if (at + 7 > free && at + n + 10 < w) {
      c.textAlign = "left";
      haloText(c, event.text, at + 7, TOP + 12, colour, theme.bg0);
      free = at + n + 16;
    }
  }
}

export const timeline: Panel = {
  name: "timeline",
  place: "line",
  fits: () => true,
  make({ store }) {
    const canvas = h("canvas", { "aria-hidden": "true" }), kept = h("span", {}), what = h("small", {}), back = h("button", { id: "live", click: () => store.show(store.isRecording ? store.end : undefined) });
    const slider = h("input", { type: "range", id: "time", "aria-label": "Time that is shown", step: "any", min: "0", max: "1", input: () => store.show(Number(slider.value)) });
    const track = h("div", { class: "track" }, canvas, slider, h("div", { class: "ring" }));
    const seek = (e: PointerEvent) => store.show(store.start + ((e.clientX - track.getBoundingClientRect().left) / track.clientWidth) * (store.end - store.start));
    slider.addEventListener("pointerdown", (e) => { e.preventDefault(); slider.focus(); slider.setPointerCapture(e.pointerId); seek(e); });
    slider.addEventListener("pointermove", (e) => { if (e.buttons) { seek(e); } });
    const cursors = new Cursors(store, track), row = cursors.row, note = h("button", { class: "mark", id: "note", "aria-label": "Write a note", title: "a note in the log and in the recording, now", click: () => writeNote(store, track) }, "✎");
    const keep = new Keep(store);
    row.append(note, ...keep.buttons);
    return {
      element: h("section", { class: "timeline", "aria-label": "Timeline" }, h("div", { class: "title" }, kept, what, keep.said), track, h("div", { class: "state" }, back, row)),
      update() {
        const c = canvasOf(canvas), from = store.start, to = Math.max(store.end, from + 1), w = canvas.clientWidth;
        setText(kept, store.isRecording ? `${(store.end - from).toFixed(0)} s recorded` : `${Math.min(60, Math.max(0, store.end - from)).toFixed(0)} s kept`);
        keep.show(store.link === "live" && store.role === "control");
        note.hidden = store.link !== "live" || store.role !== "control" || !store.services.has("/run/note");
        setText(what, cursors.words || [twinOf(store) ? "distance" : "", activity(store) ? "robot state" : ""].filter(Boolean).join(", ") || "events");
        const isNow = store.cursor === undefined, label = store.isRecording ? "Recorded" : isNow ? "Live" : "Back to live";
        if (back.dataset.text !== label + store.link) { back.dataset.text = label + store.link; back.replaceChildren(...(store.isRecording ? [] : [h("span", { class: `dot ${isNow && store.link === "live" ? "ok" : "dim"}` })]), label); }
        slider.min = String(from);
        slider.max = String(to);
        slider.value = String(store.time);
        slider.setAttribute("aria-valuetext", clock(store.time));
        if (!c) { return; }
        const scale: Scale = { x: (t) => ((t - from) / (to - from)) * (w - 1), from, to, w };
        c.font = "11px Inter, system-ui, sans-serif";
        drawLine(c, store, scale);
        drawStates(c, store, scale);
        drawEvents(c, store, scale);
        drawAxis(c, scale);
        cursors.update(scale.x);
        const now = Math.min(scale.x(store.time), w - 2);
        c.fillStyle = theme.text;
        c.fillRect(now - 1, TOP - 4, 2, LINE + STATE + 8);
        c.beginPath();
        c.arc(now, TOP + LINE, 5, 0, 7);
        c.fill();
      },
    };
  },
};
