// SPDX-License-Identifier: Apache-2.0
// Plots of one range of time: the speeds of robot and avatar to begin with; a field that is dropped on a plot joins it, one of another unit, or
// beside the plots, begins a new one. From the keyboard: the button of each value.
import { find, TELLING, tellingOf, type Value } from "../../data/facts";
import { liftOf } from "../../data/lift";
import type { Store } from "../../data/store";
import { h, panel } from "../../ui/dom";
import { theme } from "../../ui/theme";
import { reportOf } from "../console/console";
import type { Panel } from "../panel";
import "./plot.css";
import { Box, titleOf, type Plotted } from "./box";

export const FIELD = "application/x-doppel-field";
const RANGES: [string, number][] = [["last 5 s", 5], ["last 20 s", 20], ["last 60 s", 60], ["all", Infinity], ["A to B", 0]], MOST = 8;

/** What the plots begin with. */
function start(store: Store): { title: string; values: Plotted[] } | undefined {
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
  return undefined;
}

function rangeOf(store: Store, seconds: number): [number, number] {
  const { A, B } = store.marks;
  if (seconds === 0 && A !== undefined && B !== undefined) { return [Math.min(A, B), Math.max(A, B)]; }
  return [Math.max(store.start, store.time - (seconds || 20)), Math.max(seconds === Infinity ? store.end : store.time, store.start + 1)];
}

export const plot: Panel = {
  name: "plot",
  place: "right",
  fits: (store) => !reportOf(store) && !liftOf(store),
  make({ store }) {
    let active: Box | undefined, isBegun = false;
    const boxes = h("div", {}), all = new Set<Box>();
    const open = () => {
      const box = new Box(store, (gone) => { all.delete(gone); gone.element.remove(); store.changed(); });
      box.element.addEventListener("focusin", () => { active = box; });
      box.element.addEventListener("pointerdown", () => { active = box; });
      all.add(box);
      boxes.append(box.element);
      return box;
    };
    const add = (value: Value, wanted: Box | undefined) => {
      const box = wanted && all.has(wanted) && wanted.takes(value) ? wanted : all.size < MOST ? open() : [...all].pop()!;
      box.add(value);
      active = box;
      isBegun = true;
      store.changed();
      box.element.scrollIntoView({ block: "nearest" });
    };
    const range = h("select", { "aria-label": "Time that the plots show", change: () => store.changed() }, ...RANGES.map(([text, s]) => h("option", { value: String(s), selected: s === 20 }, text)));
    const more = h("button", { class: "icon", "aria-label": "New plot", title: "a new plot", click: () => { active = open(); isBegun = true; store.changed(); } }, "+");
    const element = panel("Plots", h("span", {}), boxes);
    element.id = "plot";
    element.querySelector(".right")!.append(range, more);
    const boxAt = (e: DragEvent) => [...all].find((b) => b.element.contains(e.target as Node));
    const light = (box?: Box) => all.forEach((b) => b.element.classList.toggle("target", b === box));
    element.addEventListener("dragover", (e) => { e.preventDefault(); element.classList.toggle("target", !boxAt(e)); light(boxAt(e)); });
    element.addEventListener("dragleave", () => { element.classList.remove("target"); light(); });
    element.addEventListener("drop", (e) => {
      e.preventDefault();
      element.classList.remove("target");
      light();
      const text = e.dataTransfer!.getData(FIELD);
      if (text) { add(JSON.parse(text) as Value, boxAt(e)); }
    });
    document.addEventListener("plot-field", (e) => add(JSON.parse((e as CustomEvent<string>).detail) as Value, active ?? [...all].pop()));
    return {
      element,
      update() {
        const begun = isBegun ? undefined : start(store), [from, to] = rangeOf(store, Number(range.value));
        if (!isBegun && all.size === 0) { open(); }
        if (begun) { [...all][0]!.begin(begun.title, begun.values); }
        all.forEach((box) => box.update(from, to));
      },
    };
  },
};
