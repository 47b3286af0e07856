// SPDX-License-Identifier: Apache-2.0
// Switches of the layers of the 3-D view.
import { apartOf, hasAvatar, hasRibbon, layersIn, topicOf, twinOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { h, panel, setText } from "../../ui/dom";
import { LAYERS } from "../../ui/layers";
import type { Panel } from "../panel";

/** What a layer needs; of others there is always something. */
const NEEDS: Record<string, (store: Store) => boolean> = {
  avatar: hasAvatar, laser: (store) => topicOf(store, "foxglove.LaserScan") !== undefined, "error ribbon": hasRibbon,
  collision: (store) => layersIn(store).has("collision"), contacts: (store) => layersIn(store).has("contact"), joints: (store) => layersIn(store).has("joint"),
  lens: (store) => twinOf(store)?.ex !== undefined || apartOf(store, store.time) !== undefined,
};

export const layers: Panel = {
  name: "layers",
  place: "left",
  fits: () => true,
  make({ store, layers }) {
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
          element.hidden = !(NEEDS[name]?.(store) ?? true);
          element.setAttribute("aria-checked", String(layers.has(name)));
          setText(state, layers.has(name) ? "on" : "off");
        }
      },
    };
  },
};
