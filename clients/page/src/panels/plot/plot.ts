// SPDX-License-Identifier: Apache-2.0
// A plot of the last 20 s: the speeds of robot and avatar to begin with; a field that is dropped on it is drawn instead, with others of its unit.
import { find, TELLING, tellingOf, type Value } from "../../data/facts";
import { liftOf } from "../../data/lift";
import type { Store } from "../../data/store";
import { Chart, type Curve } from "../../ui/chart";
import { h, panel, setText } from "../../ui/dom";
import { theme } from "../../ui/theme";
import { reportOf } from "../console/console";
import type { Panel } from "../panel";

const SECONDS = 20;
export const FIELD = "application/x-doppel-field";

interface Plotted extends Value { label: string; colour: () => string; dash?: number[] }

/** What a plot begins with. */
function start(store: Store): { title: string; values: Plotted[] } {
  const odometries = [...store.topics.values()].filter((t) => t.schema === "doppel.Odometry" && t.length > 0);
  const robot = odometries.find((t) => !/simulation|avatar/.test(t.name)), avatar = odometries.find((t) => /simulation|avatar/.test(t.name));
  if (robot) {
    const values: Plotted[] = [{ topic: robot.name, path: "twist.linear", unit: "m/s", label: "robot", colour: () => theme.real }];
    if (avatar) { values.push({ topic: avatar.name, path: "twist.linear", unit: "m/s", label: "avatar", colour: () => theme.avatar, dash: [5, 4] }); }
    return { title: "Speed, m/s", values };
  }
  const isNumber = (v: Value | undefined) => v !== undefined && typeof store.value(v.topic, v.path, store.end) === "number";
  const found = TELLING.map((name) => find(store, name)).find(isNumber), topics = found ? [store.topics.get(found.topic)!] : [];
  for (const topic of [...topics, ...store.topics.values()]) {
    const telling = topic.facts.size > 0 && topic.length > 0 ? tellingOf(topic) : undefined;
    if (telling && typeof topic.at(store.end)?.[telling.path] === "number") { return { title: titleOf(telling), values: [{ ...telling, label: telling.path, colour: () => theme.text }] }; }
  }
  return { title: "Plot", values: [] };
}

function titleOf(value: Value): string { return `${value.topic.slice(1).replace(/\/values$/, "")} ${value.path.replace(/_/g, " ")}${value.unit ? `, ${value.unit}` : ""}`; }

const SHADES = [() => theme.text, () => theme.dim, () => theme.ok, () => theme.avatar];

export const plot: Panel = {
  name: "plot",
  place: "right",
  fits: (store) => !reportOf(store) && !liftOf(store),
  make({ store }) {
    let chosen: Plotted[] | undefined, title = "";
    const legend = h("span", {}), chart = new Chart({ height: 96, onPick: (t) => store.show(t) });
    const clear = h("button", { class: "icon", "aria-label": "Plot what it began with", title: "as it began", click: () => { chosen = undefined; store.changed(); } }, "×");
    const add = (text: string) => {
      const value = JSON.parse(text) as Value, same = chosen?.[0]?.unit === value.unit ? chosen : [];
      chosen = [...same.filter((c) => c.path !== value.path || c.topic !== value.topic), { ...value, label: value.path, colour: SHADES[same.length % SHADES.length]!, ...(same.length % 2 ? { dash: [5, 4] } : {}) }];
      title = titleOf(value);
      store.changed();
    };
    const element = panel("Plot", h("span", {}, legend), chart.element);
    element.id = "plot";
    element.addEventListener("dragover", (e) => { e.preventDefault(); chart.element.classList.add("target"); });
    element.addEventListener("dragleave", () => chart.element.classList.remove("target"));
    element.addEventListener("drop", (e) => { e.preventDefault(); chart.element.classList.remove("target"); add(e.dataTransfer!.getData(FIELD)); });
    document.addEventListener("plot-field", (e) => add((e as CustomEvent<string>).detail));
    const name = element.querySelector("h2")!;
    element.querySelector(".right")!.append(clear);
    return {
      element,
      update() {
        const begun = chosen ? { title, values: chosen } : start(store);
        clear.hidden = !chosen;
        setText(name, `${begun.title}, last ${SECONDS} s`);
        const words = begun.values.map((v) => v.label).join();
        if (legend.dataset.words !== words + theme.text) {
          legend.dataset.words = words + theme.text;
          legend.replaceChildren(...begun.values.map((v) => { const s = h("span", {}, `${v.dash ? "╌" : "━"} ${v.label}\u2002`); s.style.color = v.colour(); return s; }));
        }
        const curves: Curve[] = begun.values.flatMap((v) => { const series = store.numbers(v.topic, v.path); return series ? [{ ...v, series, width: 1.5 }] : []; });
        if (curves.length) { chart.draw(curves, Math.max(store.start, store.time - SECONDS), Math.max(store.time, store.start + 1), store.time); }
      },
    };
  },
};
