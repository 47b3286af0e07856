// SPDX-License-Identifier: Apache-2.0
// Axes and joints: where each is within what it has gone through so far. Axes of a machine by the type of their message, joints of a world by the
// values that are named after them.
import { componentOf, topicsOf } from "../../data/facts";
import { liftOf } from "../../data/lift";
import type { Store } from "../../data/store";
import { h, panel, setText, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import type { Panel } from "../panel";

interface Axis { name: string; topic: string; path: string; factor: number; unit: string; decimals: number }
const MOST = 10;

function axesOf(store: Store): Axis[] {
  const states = topicsOf(store, "doppel.AxisState"), machine = states.find((t) => !/simulation|avatar/i.test(t.name)) ?? states[0], list = machine?.message(machine.length - 1)?.position;
  if (machine && Array.isArray(list)) { return list.map((_, i) => ({ name: `Axis ${i + 1}`, topic: machine.name, path: `position.${i}`, factor: 1000, unit: "mm", decimals: 2 })); }
  return [...store.topics.values()].filter((t) => componentOf(t.name)?.startsWith("world/")).flatMap((topic) => [...topic.facts].filter(([path]) => path.endsWith("/position")).map(([path, { unit }]) => {
    const name = path.slice(0, -"/position".length).replace(/^.*\/(?=[^/]*[^\d/][^/]*$)/, "");
    return unit === "rad" ? { name, topic: topic.name, path, factor: 180 / Math.PI, unit: "°", decimals: 1 } : { name, topic: topic.name, path, factor: 1000, unit: "mm", decimals: 1 };
  })).slice(0, MOST);
}

export const axes: Panel = {
  name: "axes",
  place: "left",
  fits: (store) => !liftOf(store) && axesOf(store).length > 0,
  make({ store }) {
    const body = h("div", {}), element = panel("Axes", "of what they went through", body), title = element.querySelector("h2")!;
    let key = "", rows: { axis: Axis; mark: HTMLElement; value: HTMLElement }[] = [];
    return {
      element,
      update() {
        const list = axesOf(store), wanted = list.map((a) => a.topic + a.path).join();
        setText(title, list[0]?.path.startsWith("position.") ? "Axes" : "Joints");
        element.setAttribute("aria-label", title.textContent);
        if (wanted !== key) {
          key = wanted;
          rows = list.map((axis) => ({ axis, mark: h("i", {}), value: h("span", { class: "num" }) }));
          body.replaceChildren(...rows.map((r) => h("div", { class: "axis", title: r.axis.path }, h("span", {}, r.axis.name), h("span", { class: "rail" }, r.mark), r.value)));
        }
        for (const { axis, mark, value } of rows) {
          const series = store.numbers(axis.topic, axis.path, axis.factor), now = series?.at(store.time), [low, high] = series?.span() ?? [0, 0];
          setValue(value, number(now, axis.decimals), axis.unit);
          const part = now !== undefined && high - low > 1e-3 ? (now - low) / (high - low) : 0.5;
          mark.style.left = `${(Math.max(0, Math.min(1, part)) * 100).toFixed(1)}%`;
        }
      },
    };
  },
};
