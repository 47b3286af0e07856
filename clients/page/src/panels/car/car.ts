// SPDX-License-Identifier: Apache-2.0
// The car of a lift: how far it stands from the floor, its way and speed, and the flags of the world that have changed.
import { liftOf, storey } from "../../data/lift";
import { Chart } from "../../ui/chart";
import { h, panel, setText, setValue } from "../../ui/dom";
import { any, number } from "../../ui/format";
import { drawSpark } from "../../ui/spark";
import { theme } from "../../ui/theme";
import type { Panel } from "../panel";

const SECONDS = 60, MOST = 10;

export const car: Panel = {
  name: "car",
  place: "right",
  width: 372,
  fits: (store) => liftOf(store)?.car !== undefined,
  make({ store }) {
    const value = h("div", { class: "value" }), from = h("small", {}), position = h("div", {}), state = h("span", {}), speedNote = h("div", { class: "right" });
    const way = new Chart({ height: 132, onPick: (t) => store.show(t) }), speed = new Chart({ height: 84, onPick: (t) => store.show(t) }), flags = h("div", {});
    const heading = (title: string, ...right: Node[]) => h("header", { class: "head" }, h("h2", {}, title), ...right);
    let key = "", rows: { path: string; line: HTMLCanvasElement; value: HTMLElement }[] = [];
    const element = panel("Car", state, h("div", { class: "big-number" }, h("div", { class: "first" }, value, from), h("div", { class: "second" }, position, h("small", {}, "position"))), way.element,
      heading("Speed", speedNote), speed.element, heading("Inputs and outputs"), flags);
    return {
      element,
      update() {
        const lift = liftOf(store), path = lift?.car;
        if (!lift || !path) { return; }
        const name = lift.topic.name, series = store.numbers(name, path)!, rate = store.numbers(name, path.replace(/position$/, "velocity")), at = series.at(store.time), height = storey(store, lift);
        const start = Math.max(store.start, store.time - SECONDS), end = Math.max(store.time, store.start + 1), floor = at !== undefined && height ? Math.round(at / height) : undefined;
        const isAtFloor = floor !== undefined && Math.abs(at! - floor * height!) < 0.1;
        setValue(value, isAtFloor ? number((at! - floor * height!) * 1000, 1) : number(rate?.at(store.time), 2), isAtFloor ? "mm" : "m/s");
        setText(from, isAtFloor ? `from floor ${floor}` : "on its way");
        setValue(position, number(at, 3), "m");
        way.draw([{ label: "position", series, width: 2, colour: () => theme.avatar }], start, end, store.time);
        if (rate) { speed.draw([{ label: "speed", series: rate, width: 1.5, colour: () => theme.text }], start, end, store.time); setText(speedNote, `largest ${number(Math.max(...rate.span().map(Math.abs)), 2)} m/s`); }
        const values = [...lift.topic.facts.keys()].filter((p) => /\/value$/.test(p)), changed = [...lift.topic.facts.keys()].filter((p) => /\/(on|open)$/.test(p) && !/call/.test(p) && (([low, high]) => high > low)(store.numbers(name, p)!.span()));
        const wanted = [...changed.slice(0, MOST - values.length), ...values];
        if (wanted.join() !== key) {
          key = wanted.join();
          rows = wanted.map((p) => ({ path: p, line: h("canvas", { "aria-hidden": "true" }), value: h("span", { class: "num" }) }));
          flags.replaceChildren(...rows.map((r) => h("div", { class: "axis", title: lift.topic.facts.get(r.path)?.summary ?? "" }, h("span", {}, r.path.replace(/\/(on|value)$/, "").replace(/\/open$/, "").replace(/_/g, " ")), r.line, r.value)));
        }
        const now = lift.topic.at(store.time) as Record<string, unknown> | undefined;
        for (const row of rows) {
          const v = now?.[row.path];
          setText(row.value, typeof v === "boolean" ? (v ? (row.path.endsWith("open") ? "open" : "on") : row.path.endsWith("open") ? "closed" : "off") : any(v));
          drawSpark(row.line, store.numbers(name, row.path), store.time, SECONDS);
        }
      },
    };
  },
};
