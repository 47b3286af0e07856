// SPDX-License-Identifier: Apache-2.0
// Why the twin is believed: what was identified of the robot, with its uncertainty where that is known, and the parts of the fidelity.
import { find, twinOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { h, panel, setText } from "../../ui/dom";
import { number } from "../../ui/format";
import type { Panel } from "../panel";

const ROWS: [string, string, number][] = [["scale_left", "left wheel", 0], ["scale_right", "right wheel", 1], ["axle_scale", "axle", 2]];
const PARTS: [string, string][] = [["tracking", "pose is tracked"], ["fidelity_agreement", "scan agrees with map"], ["fidelity_covariance", "sure of the place"]];

function calibration(store: Store): { sigma: number[]; identified: boolean[] } {
  for (const topic of store.topics.values()) {
    if (/Calibration$/.test(topic.schema)) { return (topic.at(store.time) ?? { sigma: [], identified: [] }) as never; }
  }
  return { sigma: [], identified: [] };
}

export const belief: Panel = {
  name: "belief",
  place: "right",
  fits: (store) => find(store, "scale_left", "fidelity") !== undefined,
  make({ store }) {
    const fidelity = h("span", {}), body = h("tbody", {});
    const cells = [...ROWS, ...PARTS].map(([, label]) => {
      const value = h("td", { class: "num" }), sigma = h("td", { class: "num dim" }), row = h("tr", {}, h("td", {}, label), value, sigma);
      return { row, value, sigma };
    });
    body.append(...cells.map((c) => c.row));
    const element = panel("Why it is believed", fidelity, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "as identified"), h("th", { class: "num" }, "estimate"), h("th", { class: "num" }, "±"))), body));
    return {
      element,
      update() {
        const twin = twinOf(store), known = calibration(store), f = twin?.fidelity && store.value(twin.fidelity.topic, twin.fidelity.path);
        setText(fidelity, typeof f === "number" ? `fidelity ${number(f, 2)}` : "");
        [...ROWS.map((r) => r[0]), ...PARTS.map((p) => p[0])].forEach((name, i) => {
          const at = find(store, name), value = at && store.value(at.topic, at.path), cell = cells[i]!;
          cell.row.hidden = !at || (i >= 3 && find(store, ROWS[0]![0]) !== undefined);
          setText(cell.value, number(typeof value === "number" ? value : undefined, i < 3 ? 3 : 2));
          const sigma = i < 3 ? known.sigma?.[i] : undefined;
          setText(cell.sigma, sigma !== undefined ? number(sigma, 3) : "");
        });
      },
    };
  },
};
