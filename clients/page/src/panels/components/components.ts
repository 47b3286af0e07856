// SPDX-License-Identifier: Apache-2.0
// The components of a run: each with the value that says most of it, its line over the last 20 s, and its rate.
import { componentOf, tellingOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { pick, type Topic } from "../../data/topic";
import { h, panel, setClass, setText, setValue } from "../../ui/dom";
import { any } from "../../ui/format";
import { drawSpark } from "../../ui/spark";
import type { Panel } from "../panel";

interface Row { name: string; topic?: Topic; element: HTMLElement; now: HTMLElement; rate: HTMLElement; line: HTMLCanvasElement }

/** Names in the order of run.json, or as they appear; what belongs to a component stands under it. */
export function namesOf(store: Store): string[] {
  const names = new Set(store.run.components.map((c) => c.name)), listed = store.topics.get("/run/components")?.at(store.end);
  for (const c of Array.isArray(listed) ? (listed as { name: string }[]) : []) { names.add(c.name); }
  for (const name of store.topics.keys()) {
    const own = componentOf(name);
    if (own && (own.startsWith("world/") || !own.includes("/"))) { names.add(own); }
  }
  const all = [...names], top = all.filter((n) => !n.includes("."));
  return [...top.flatMap((n) => [n, ...all.filter((c) => c.startsWith(`${n}.`))]), ...all.filter((n) => n.includes(".") && !top.includes(n.split(".")[0]!))];
}

export function shortRate(rate: number): string { return rate <= 0 ? "" : rate >= 950 ? `${(rate / 1000).toFixed(rate < 9950 ? 1 : 0).replace(/\.0$/, "")} kHz` : `${rate < 0.95 ? rate.toFixed(1) : rate.toFixed(0)} Hz`; }

export const components: Panel = {
  name: "components",
  place: "left",
  fits: () => true,
  make({ store }) {
    const list = h("div", { class: "rows", role: "listbox", "aria-label": "Components" }), group = h("div", { class: "group" });
    let rows: Row[] = [], key = "";
    const rebuild = (names: string[]) => {
      rows = names.map((name) => {
        const now = h("span", { class: "now" }), rate = h("span", { class: "rate" }), line = h("canvas", { "aria-hidden": "true" });
        const label = name.split(/[./]/).pop()!, isChild = names.includes(name.slice(0, Math.max(0, name.indexOf("."))));
        const element = h("button", { class: isChild ? "row child" : "row", role: "option", title: name, "aria-label": name, click: () => store.select(store.selected === name ? "" : name) },
          h("span", {}, label), line, now, rate);
        return { name, element, now, rate, line };
      });
      list.replaceChildren(group, ...rows.map((r) => r.element));
    };
    const element = panel("Components", h("span", {}, "now \u2003\u2002 rate"), list);
    const tabs = (["scene", "graph"] as const).map((view) => ({ view, element: h("button", { role: "tab", id: `view-${view}`, click: () => { store.view = view; store.changed(); } }, view === "graph" ? "Graph" : "Components") }));
    element.querySelector("h2")!.replaceWith(h("div", { class: "tabs", role: "tablist", "aria-label": "Components or their graph" }, ...tabs.map((t) => t.element)));
    return {
      element,
      update() {
        tabs.forEach((t) => t.element.setAttribute("aria-selected", String(t.view === store.view)));
        const names = namesOf(store);
        if (names.join() !== key) { key = names.join(); rebuild(names); }
        setText(group, names.length ? `application ${store.run.application}` : "waiting for the first message");
        for (const row of rows) {
          row.topic ??= store.topics.get(`/${row.name}/values`) ?? store.topics.get(`/${row.name}/device/values`);
          const telling = row.topic && tellingOf(row.topic);
          setClass(row.element, "chosen", store.selected === row.name);
          row.element.setAttribute("aria-selected", String(store.selected === row.name));
          if (telling) {
            const value = pick(row.topic!.at(store.time), telling.path);
            setValue(row.now, (telling.path.includes("sigma") ? "±" : "") + any(value, telling.unit), typeof value === "string" ? "" : telling.unit);
            if (typeof value === "number") { drawSpark(row.line, store.numbers(telling.topic, telling.path), store.time, 20); }
          }
          setText(row.rate, row.name.endsWith(".hardware") ? "robot" : row.name.endsWith(".simulation") ? "avatar" : shortRate(row.topic?.rate(store.time) ?? 0));
        }
      },
    };
  },
};
