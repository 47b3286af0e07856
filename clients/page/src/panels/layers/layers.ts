// SPDX-License-Identifier: Apache-2.0
// Switches of the layers of the 3-D view.
import { h, panel, setText } from "../../ui/dom";
import { LAYERS } from "../../ui/layers";
import type { Panel } from "../panel";

export const layers: Panel = {
  name: "layers",
  place: "left",
  fits: () => true,
  make({ layers }) {
    const rows = LAYERS.map(({ name, key }) => {
      const sign = { robot: "dot real", avatar: "dot dashed avatar", laser: "dot danger" }[name as string];
      const state = h("span", {});
      const element = h("button", { class: "layer", role: "switch", "aria-label": name, "data-layer": name, click: () => layers.toggle(name) },
        h("span", {}, h("span", { class: "key" }, key)), h("span", {}, name), sign ? h("span", { class: sign }) : h("span", {}), state);
      return { name, element, state };
    });
    return {
      element: panel("Show", "", ...rows.map((r) => r.element)),
      update() {
        for (const { name, element, state } of rows) {
          element.setAttribute("aria-checked", String(layers.has(name)));
          setText(state, layers.has(name) ? "on" : "off");
        }
      },
    };
  },
};
