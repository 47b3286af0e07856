// SPDX-License-Identifier: Apache-2.0
// Of the selected component: its life cycle, its properties, and its values, which may be dragged into the plot.
import { componentOf, find, TELLING, twinOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { h, panel, setText, setValue } from "../../ui/dom";
import { any } from "../../ui/format";
import { FIELD } from "../plot/plot";
import type { Panel } from "../panel";
import { Life } from "./life";
import { propertyRow, saveProperties } from "./properties";

const shownOf = (store: Store) => store.selected.split(".")[0] || componentOf(twinOf(store)?.distance.topic ?? "") || componentOf(find(store, ...TELLING)?.topic ?? "") || store.run.components[0]?.name || componentOf([...store.topics.values()].find((t) => t.facts.size > 0 && t.length > 0 && componentOf(t.name) !== undefined)?.name ?? "") || "";

function valueRow(store: Store, topic: string, path: string, unit: string, summary: string): { rows: HTMLElement[]; update(): void } {
  const value = h("td", { class: "num" }), field = JSON.stringify({ topic, path, unit });
  const button = h("button", { class: "icon", "aria-label": `Plot ${path}`, title: "plot it", click: () => document.dispatchEvent(new CustomEvent("plot-field", { detail: field })) }, "∿");
  const row = h("tr", { class: "field", draggable: "true", title: summary, dragstart: (e: DragEvent) => e.dataTransfer!.setData(FIELD, field) }, h("td", {}, path), value, h("td", { class: "num" }, button));
  return { rows: [row], update: () => { const v = store.value(topic, path); setValue(value, any(v, unit), typeof v === "number" ? unit : ""); } };
}

export const details: Panel = {
  name: "details",
  place: "right",
  fits: () => true,
  make({ store }) {
    let chosen: "properties" | "values" | undefined, key = "", rows: { rows: HTMLElement[]; update(): void }[] = [];
    const body = h("tbody", {}), table = h("table", {}, body), note = h("span", {}), empty = h("div", { class: "empty" });
    const tabs = (["properties", "values"] as const).map((name) => ({ name, element: h("button", { role: "tab", click: () => { chosen = name; key = ""; store.changed(); } }, name) }));
    const life = new Life(store), save = h("button", { class: "small", title: "as options of doppel run, as doppel param save does", click: () => saveProperties(store) }, "Save as binding");
    const element = panel("Component", h("span", {}, save, note), life.element, h("div", { class: "scroll" }, table, empty));
    const title = element.querySelector("h2")!;
    title.after(h("div", { class: "tabs", role: "tablist", "aria-label": "Of the component" }, ...tabs.map((t) => t.element)));
    return {
      element,
      update() {
        const name = shownOf(store), own = [...store.properties.values()].filter((p) => p.component === name);
        const topic = store.topics.get(`/${store.selected || name}/values`) ?? store.topics.get(`/${name}/device/values`);
        const tab = chosen ?? (own.length || !topic ? "properties" : "values");
        const wanted = `${name} ${tab} ${own.map((p) => p.name + p.live).join()} ${store.isRecording} ${tab === "values" ? topic?.name : ""}`;
        setText(title, name.replace(/^world\//, "") || "Component");
        tabs.forEach((t) => t.element.setAttribute("aria-selected", String(t.name === tab)));
        if (wanted !== key) {
          key = wanted;
          rows = tab === "properties" ? own.map((p) => propertyRow(store, p)) : topic ? [...topic.facts].map(([path, f]) => valueRow(store, topic.name, path, f.unit, f.summary)) : [];
          body.replaceChildren(...rows.flatMap((r) => r.rows));
          setText(note, `${rows.length} ${tab}`);
          setText(empty, body.childElementCount ? "" : tab === "values" ? "It has no values." : "It has no properties.");
        }
        save.hidden = tab === "values" || store.link !== "live";
        life.show(name);
        rows.forEach((r) => r.update());
      },
    };
  },
};
