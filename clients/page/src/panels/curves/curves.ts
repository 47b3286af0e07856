// SPDX-License-Identifier: Apache-2.0
// Under the 3-D view, when there is an operator's console: what acts on the machine, and how near it is to the border of its workspace.
import { componentOf, type Value } from "../../data/facts";
import type { Store } from "../../data/store";
import { Chart, type Curve } from "../../ui/chart";
import { h, panel, setText } from "../../ui/dom";
import { number } from "../../ui/format";
import { theme } from "../../ui/theme";
import type { Panel } from "../panel";
import { reportOf } from "../console/console";

const SECONDS = 20;
/** Title, and which fields belong to it: those of the first component that has some. */
const GROUPS: [string, RegExp, string][] = [["Level in the workspace", /^level/, ""], ["Force", /^force_[xyz]$/, "N"]];
const DASHES: (number[] | undefined)[] = [undefined, [5, 4], [2, 3]];

function groupOf(store: Store, names: RegExp): Value[] {
  for (const topic of store.topics.values()) {
    const own = componentOf(topic.name) && topic.length > 0 ? [...topic.facts].filter(([path]) => names.test(path)).map(([path, { unit }]) => ({ topic: topic.name, path, unit })) : [];
    if (own.length) { return own.slice(0, DASHES.length); }
  }
  return [];
}

export const curves: Panel = {
  name: "curves",
  place: "under",
  fits: (store) => reportOf(store) !== undefined && GROUPS.some(([, names]) => groupOf(store, names).length > 0),
  make({ store }) {
    const parts = GROUPS.map(([title, names, unit]) => {
      const note = h("span", {}), chart = new Chart({ height: 116, onPick: (t) => store.show(t) });
      return { names, note, chart, element: panel(unit ? `${title}, ${unit}` : title, note, chart.element) };
    });
    return {
      element: h("div", { class: "pair" }, ...parts.map((p) => p.element)),
      update() {
        for (const { names, note, chart, element } of parts) {
          const values = groupOf(store, names);
          element.hidden = values.length === 0;
          const lines: Curve[] = values.flatMap((v, i) => { const series = store.numbers(v.topic, v.path), dash = DASHES[i]; return series ? [{ label: v.path, series, width: 1.5, colour: () => theme.text, ...(dash ? { dash } : {}) }] : []; });
          setText(note, values.length === 1 ? number(lines[0]?.series.at(store.time), 3) : values.map((v, i) => `${["━", "╌", "┄"][i]} ${v.path.replace(/^.*_/, "")}`).join("  "));
          if (lines.length) { chart.draw(lines, Math.max(store.start, store.time - SECONDS), Math.max(store.time, store.start + 1), store.time); }
        }
      },
    };
  },
};
