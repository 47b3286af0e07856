// SPDX-License-Identifier: Apache-2.0
// A pose in six numbers, and the force and torque on it: found by the names that values have.
import type { Store } from "../../data/store";
import { componentOf } from "../../data/facts";
import { h, panel, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import { drawSpark } from "../../ui/spark";
import type { Panel } from "../panel";

const POSE = ["x", "y", "z", "roll", "pitch", "yaw"], WRENCH = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"], LABELS = ["Fx", "Fy", "Fz", "Mx", "My", "Mz"];
const SHOWN: Record<string, [string, number, number]> = { m: ["mm", 1000, 2], rad: ["°", 180 / Math.PI, 3], N: ["N", 1, 1], "N m": ["N m", 1, 2] };

function topicWith(store: Store, names: string[]) {
  for (const topic of store.topics.values()) { if (componentOf(topic.name) && topic.length > 0 && names.every((n) => topic.facts.has(n))) { return topic; } }
  return undefined;
}

export const six: Panel = {
  name: "six",
  place: "right",
  fits: (store) => topicWith(store, POSE) !== undefined,
  make({ store }) {
    const half = (names: string[], labels: string[]) => names.map((path, i) => {
      const line = h("canvas", { "aria-hidden": "true" }), value = h("span", { class: "num" });
      return { names, path, line, value, row: h("div", { class: "axis" }, h("span", {}, labels[i]!), line, value) };
    });
    const pose = half(POSE, POSE), wrench = half(WRENCH, LABELS), column = (title: string, rows: typeof pose) => h("div", {}, h("small", { class: "dim small" }, title), ...rows.map((r) => r.row));
    const second = column("force and torque", wrench), element = panel("Pose and force", "", h("div", { class: "halves" }, column("pose", pose), second));
    return {
      element,
      update() {
        for (const { names, path, line, value } of [...pose, ...wrench]) {
          const topic = topicWith(store, names), unit = topic?.facts.get(path)?.unit ?? "", [shown, factor, decimals] = SHOWN[unit] ?? [unit, 1, 2];
          const series = topic && store.numbers(topic.name, path, factor);
          setValue(value, number(series?.at(store.time), decimals), shown);
          drawSpark(line, series, store.time, 20);
        }
        second.hidden = topicWith(store, WRENCH) === undefined;
      },
    };
  },
};
