// SPDX-License-Identifier: Apache-2.0
// The log and the life cycle: filter by words and level; a click shows the time of a line.
import type { Line } from "../../data/store";
import { h, setText } from "../../ui/dom";
import { clock } from "../../ui/format";
import type { Panel } from "../panel";

const SIGNS = { debug: "debug", info: "info", warn: "▲ warn", error: "■ error" };
const MOST = 400;

export const log: Panel = {
  name: "log",
  place: "bottom",
  fits: () => true,
  make({ store }) {
    let tab: "log" | "faults" = "log", key = "";
    const list = h("div", { class: "log", role: "log", "aria-label": "Log", tabindex: "0" }), counts = h("span", {}), live = h("div", { class: "sr", "aria-live": "assertive" });
    const find = h("input", { type: "search", id: "find", placeholder: "/ find", "aria-label": "Find in the log", input: () => store.changed() });
    const tabs = (["log", "faults"] as const).map((name) => ({ name, element: h("button", { role: "tab", click: () => { tab = name; store.changed(); } }, name) }));
    const element = h("section", { class: "panel", "aria-label": "Log and faults" },
      h("header", { class: "head" }, h("div", { class: "tabs", role: "tablist", "aria-label": "Log or faults" }, ...tabs.map((t) => t.element)), h("div", { class: "right" }, counts, find)), list, live);
    const rowOf = (line: Line) => {
      const row = h("button", { title: line.text, click: () => { store.select(line.from); store.show(line.time); } },
        h("span", { class: "dim" }, clock(line.time)), h("span", { class: line.level === "info" ? "dim" : line.level }, SIGNS[line.level]), h("span", {}, line.from), h("span", { class: line.level === "error" ? "danger" : "" }, line.text.replace(/->/g, "→")));
      row.dataset.time = String(line.time);
      return row;
    };
    let told = 0;
    return {
      element,
      update() {
        const words = find.value.toLowerCase(), all = store.lines.filter((l) => (tab === "log" ? l.level !== "debug" : l.level === "error" || l.level === "warn"));
        const lines = words ? all.filter((l) => `${l.from} ${l.text}`.toLowerCase().includes(words)) : all;
        const faults = store.lines.filter((l) => l.level === "error").length, warnings = store.lines.filter((l) => l.level === "warn").length;
        setText(tabs[0]!.element, "Log");
        setText(tabs[1]!.element, `Faults ${faults}`);
        tabs.forEach((t) => t.element.setAttribute("aria-selected", String(t.name === tab)));
        setText(counts, `${warnings} warning${warnings === 1 ? "" : "s"} · level ≥ ${tab === "log" ? "info" : "warn"}`);
        const wanted = `${tab} ${words} ${lines.length} ${lines[lines.length - 1]?.time} ${store.epoch}`;
        if (wanted !== key) {
          key = wanted;
          const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
          list.replaceChildren(...(lines.length ? lines.slice(-MOST).map(rowOf) : [h("div", { class: "empty" }, words ? `Nothing in the log has “${find.value}”.` : tab === "log" ? "Nothing was logged." : "No faults and no warnings.")]));
          if (atEnd) { list.scrollTop = list.scrollHeight; }
          const worst = store.lines.filter((l) => l.level === "error").pop();
          if (worst && worst.time !== told && store.link === "live") { told = worst.time; setText(live, `fault: ${worst.from}: ${worst.text}`); }
        }
        for (const row of list.children) { row.classList.toggle("later", Number((row as HTMLElement).dataset.time) > store.time + 1e-6); }
      },
    };
  },
};
