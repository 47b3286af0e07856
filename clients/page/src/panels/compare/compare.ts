// SPDX-License-Identifier: Apache-2.0
// The panels of two recordings over each other: which they are, what differs, a table of both at the cursors, their distances and their events.
import { twinOf, type Value } from "../../data/facts";
import type { Store } from "../../data/store";
import { Chart, type Curve } from "../../ui/chart";
import { h, panel, setText } from "../../ui/dom";
import { clock } from "../../ui/format";
import { theme } from "../../ui/theme";
import type { Panel } from "../panel";
import "./compare.css";
import { badge, differences, happened, length, namesOf, sameRows, tableOf, times } from "./pair";

const isPair = (store: Store) => store.other !== undefined;
const value = (text: string, unit: string) => [text, ...(unit ? [h("span", { class: "unit" }, ` ${unit}`)] : [])];

export const recordings: Panel = {
  name: "recordings",
  place: "left",
  fits: isPair,
  make({ store }) {
    const other = store.other!, all = differences(store, other), names = namesOf(store, other);
    const row = (which: "1" | "2", s: Store) => h("tr", {}, h("td", { class: "first" }, badge(which)), h("td", {}, h("b", {}, names[which === "1" ? 0 : 1])), h("td", { class: "num dim", title: s.run.file }, s.run.file));
    const table = (...rows: Node[]) => h("table", {}, h("tbody", {}, ...rows)), say = (d: { key: string; one: string; two: string }) => [
      h("tr", { class: "chosen" }, h("td", { title: d.key, colspan: "2" }, d.key)), h("tr", {}, h("td", { colspan: "2" }, h("div", { class: "sides" }, badge("1"), h("span", {}, d.one), badge("2"), h("span", {}, d.two))))];
    return {
      element: h("div", { class: "panel pair" }, panel("Recordings", "", table(row("1", store), row("2", other))),
        panel("What differs", all.length === 0 ? "no setting" : all.length === 1 ? "one setting" : `${all.length} settings`, table(...all.slice(0, 12).flatMap(say))),
        panel("What is the same", "", table(...sameRows(store, other).map(([name, text, unit]) => h("tr", {}, h("td", { title: name }, name), h("td", { class: "num" }, ...value(text, unit))))))),
      update() {},
    };
  },
};

export const figures: Panel = {
  name: "figures",
  place: "right",
  fits: isPair,
  make({ store }) {
    const other = store.other!, body = h("tbody", {}), at = h("h2", {}), ratio = h("div", { class: "value", id: "ratio" }), [one, two] = [h("div", {}), h("div", {})], hint = h("small", {});
    let key = "";
    const big = h("div", { class: "big-number" }, h("div", { class: "first" }, ratio, hint), h("div", { class: "second" }, one, two));
    const element = panel("At cursor B", "", big, h("div", { class: "scroll" }, h("table", { class: "figures" }, h("thead", {}, h("tr", {}, h("th", {}, "distance robot ↔ avatar"), h("th", { class: "num" }, badge("1")), h("th", { class: "num" }, badge("2")), h("th", { class: "num" }, "2 against 1"))), body)));
    element.querySelector("h2")!.replaceWith(at);
    const seriesOf = (s: Store) => { const t = twinOf(s); return t && s.numbers(t.distance.topic, t.distance.path); };
    return {
      element,
      update() {
        const { A = store.start, B = store.time } = store.marks, wanted = `${A} ${B}`;
        if (wanted === key) { return; }
        key = wanted;
        const a = seriesOf(store)?.at(B), b = seriesOf(other)?.at(B), isMore = (b ?? 0) >= (a ?? 0);
        setText(at, `At cursor B, ${clock(B)}`);
        big.hidden = a === undefined && b === undefined;
        setText(ratio, (isMore ? times(a, b) : times(b, a)) || "–");
        setText(hint, `farther apart in ${isMore ? "2" : "1"}, ${namesOf(store, other)[isMore ? 1 : 0]}`);
        one.replaceChildren(badge("1"), " ", ...value(...length(a)));
        two.replaceChildren(badge("2"), " ", ...value(...length(b)));
        body.replaceChildren(...tableOf(store, other, A, B).flatMap((r) => {
          const cell = (text: string) => { const [, n, unit = r.unit] = /^(.*?)(?: (mm|m))?$/.exec(text)!; return value(n!, n === "–" || !/\d/.test(n!) ? "" : unit); };
          const row = h("tr", {}, h("td", { title: r.name }, r.name), h("td", { class: "num" }, ...cell(r.one)), h("td", { class: `num ${r.isBad ? "danger" : ""}` }, ...cell(r.two)), h("td", { class: "num" }, h("b", {}, r.against)));
          return r.group ? [h("tr", {}, h("td", { class: "small dim" }, r.group)), row] : [row];
        }));
      },
    };
  },
};

export const distances: Panel = {
  name: "distances",
  place: "bottom",
  fits: (store) => isPair(store) && twinOf(store) !== undefined,
  make({ store }) {
    const other = store.other!, names = namesOf(store, other), stores = [store, other], at = (s: Store): Value | undefined => twinOf(s)?.distance;
    const radius = [...store.properties.values()].find((p) => p.name === "SafeRadius" && p.component === twinOf(store)?.distance.topic.split("/")[1]), metres = Number(radius?.value);
    const chart = new Chart({ height: 182, log: true, onPick: (t) => store.show(t), cursors: () => store.marks, said: (v) => length(v).join(" ").replace(/\.0+ /, " "),
      limits: () => (metres > 0 ? [{ value: metres * 1000, text: `safe radius ${metres * 1000} mm: farther is DIVERGED` }] : []) });
    return {
      element: panel("Distance robot ↔ avatar", h("span", {}, h("span", { class: "avatar" }, `━ 1 ${names[0]}\u2003╌ 2 ${names[1]}`), "\u2003logarithmic"), chart.element),
      update() {
        const curves = stores.flatMap((s, i): Curve[] => { const v = at(s), series = v && s.numbers(v.topic, v.path); return series ? [{ label: names[i]!, series, width: i ? 1.5 : 2, colour: () => theme.avatar, ...(i ? { dash: [6, 4] } : {}) }] : []; });
        if (curves.length) { chart.draw(curves, store.start, store.end, store.time); }
      },
    };
  },
};

export const bothEvents: Panel = {
  name: "events",
  place: "bottom",
  fits: isPair,
  make({ store }) {
    const SIGNS: Record<string, string> = { warn: "▲ ", error: "■ " };
    const rows = happened(store, store.other!).map((e) => {
      const row = h("button", { title: e.text, click: () => store.show(e.time) }, e.who === "=" ? h("span", { "aria-label": "both" }, "=") : badge(e.who), h("span", { class: "dim" }, clock(e.time)), h("span", { class: e.level === "error" ? "danger" : e.level }, (SIGNS[e.level] ?? "") + e.text.replace(/->/g, "→")));
      row.dataset.time = String(e.time);
      return row;
    });
    const list = h("div", { class: "log both", tabindex: "0", role: "log", "aria-label": "Events of both" }, ...(rows.length ? rows : [h("div", { class: "empty" }, "Nothing was logged.")]));
    return {
      element: panel("Events", h("span", {}, badge("1"), " only 1 ", badge("2"), " only 2  = both"), list),
      update() { rows.forEach((row) => row.classList.toggle("later", Number(row.dataset.time) > store.time + 1e-6)); },
    };
  },
};
