// SPDX-License-Identifier: Apache-2.0
// What the worlds consist of, as a tree of paths: assemblies within assemblies. Each can be hidden in the 3-D view, with all that is in it.
import { h, panel, setClass, setText } from "../../ui/dom";
import type { Store } from "../../data/store";
import type { Panel } from "../panel";

interface Node { name: string; path: string; children: Map<string, Node> }
const BODIES = 3, THINGS = 7, OPEN = 12; // what makes it worth a panel; children that are shown at first

/** Bodies and things that are always there. */
function pathsOf(store: Store): string[] {
  const paths: string[] = [];
  for (const topic of store.topics.values()) {
    if (topic.schema !== "foxglove.SceneUpdate" || topic.name.endsWith("/live") || topic.length === 0) { continue; }
    for (const e of (topic.message(topic.length - 1)!.entities ?? []) as { id: string }[]) { if (!/\/(joints\/[^/]*|collision)$/.test(e.id)) { paths.push(String(e.id)); } }
  }
  return paths;
}

function treeOf(paths: string[]): Node {
  const root: Node = { name: "", path: "", children: new Map() };
  for (const path of paths) {
    let at = root;
    for (const name of path.split("/")) {
      let next = at.children.get(name);
      if (!next) { next = { name, path: at.path ? `${at.path}/${name}` : name, children: new Map() }; at.children.set(name, next); }
      at = next;
    }
  }
  return root;
}

export const assembly: Panel = {
  name: "assembly",
  place: "left",
  fits: (store) => { const all = pathsOf(store); return all.length >= THINGS || all.filter((p) => p.split("/").length > 2).length >= BODIES; },
  make({ store, layers }) {
    const list = h("div", { class: "rows tree", role: "tree", "aria-label": "Assembly" }), note = h("span", {});
    const closed = new Set<string>();
    let key = "";
    const rowsOf = (node: Node, depth: number): HTMLElement[] => [...node.children.values()].flatMap((n) => {
      const isLeaf = n.children.size === 0, isClosed = closed.has(n.path), isOwn = layers.hidden.has(n.path), name = h("button", { class: "name", title: n.path, click: () => {
        if (isLeaf) { store.select(n.path); } else if (!closed.delete(n.path)) { closed.add(n.path); }
        store.changed();
      } }, h("span", { class: "dim" }, isLeaf ? "" : isClosed ? "▸" : "▾"), ` ${n.name}`);
      const hide = h("button", { class: "icon", "aria-pressed": String(isOwn), "aria-label": `Hide ${n.path}`, title: isOwn ? "show" : "hide", click: () => layers.hide(n.path, !isOwn) }, isOwn ? "○" : "●");
      const row = h("div", { class: "branch", role: "treeitem" }, name, hide);
      row.style.paddingLeft = `${16 + depth * 12}px`;
      setClass(row, "later", layers.isHidden(n.path));
      return [row, ...(isClosed ? [] : rowsOf(n, depth + 1))];
    });
    return {
      element: panel("Assembly", note, list),
      update() {
        const paths = pathsOf(store), wanted = `${paths.length} ${paths[paths.length - 1]} ${[...closed].join()} ${[...layers.hidden].join()}`;
        if (wanted === key) { return; }
        const tree = treeOf(paths);
        if (key === "" && paths.length > OPEN) { // what is much is closed at first
          tree.children.forEach((world) => { if (world.children.size > OPEN) { closed.add(world.path); } else { world.children.forEach((n) => { if (n.children.size) { closed.add(n.path); } }); } }); }
        key = wanted;
        setText(note, `${paths.length} parts`);
        list.replaceChildren(...rowsOf(tree, 0));
      },
    };
  },
};
