// SPDX-License-Identifier: Apache-2.0
// The twin: how far robot and avatar are apart, what that is worth (protection level), and how it came about.
import { eventsOf } from "../../data/events";
import { numberOf, twinOf, type Value } from "../../data/facts";
import { Chart, type Curve } from "../../ui/chart";
import { h, panel, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import { theme } from "../../ui/theme";
import { reportOf } from "../console/console";
import type { Panel } from "../panel";

const GOOD = new Set(["OK", "INIT", "follows"]);

export const twin: Panel = {
  name: "twin",
  place: (store) => (reportOf(store) ? "bottom" : "right"),
  fits: (store) => twinOf(store) !== undefined,
  make({ store }) {
    const state = h("span", {}), value = h("div", { class: "value", id: "distance" }), limit = h("div", {}), rms = h("div", {});
    const chart = new Chart({
      height: reportOf(store) ? 124 : 154, log: true, onPick: (t) => store.show(t),
      marks: () => eventsOf(store).filter((e, i, all) => i === 0 || e.time - all[i - 1]!.time > 8).slice(-3).map((e) => ({ time: e.time, text: e.text })),
      labels: () => [...(twinOf(store)?.limit ? [{ curve: 1, text: "protection level" }] : []), ...(twinOf(store)?.rms ? [{ curve: -3, text: "RMS 5 s" }] : [])],
    });
    const element = panel("Twin", state,
      h("div", { class: "big-number" }, h("div", { class: "first" }, value, h("small", {}, "robot to avatar")), h("div", { class: "second" }, limit, h("small", {}, "protection level")),
        h("div", { class: "second" }, rms, h("small", {}, "RMS 5 s"))), chart.element);
    const shown = (at: HTMLElement, what: Value | undefined) => {
      setValue(at, number(numberOf(store, what), 1), what?.unit ?? "");
      at.parentElement!.hidden = !what;
    };
    return {
      element,
      update() {
        const facts = twinOf(store);
        if (!facts) { return; }
        const now = facts.state ? String(store.value(facts.state.topic, facts.state.path) ?? "") : "";
        if (state.dataset.text !== now) { state.dataset.text = now; state.replaceChildren(...(now ? [h("span", { class: GOOD.has(now) ? "ok" : "danger" }, h("span", { class: "dot" }), now)] : [])); }
        shown(value, facts.distance);
        shown(limit, facts.limit);
        shown(rms, facts.rms);
        const curves: Curve[] = [], add = (what: Value | undefined, curve: Omit<Curve, "series">) => {
          const series = what && store.numbers(what.topic, what.path, what.factor);
          if (series) { curves.push({ ...curve, series }); }
        };
        add(facts.limit, { label: "protection level", width: 1, colour: () => theme.dim, dash: [2, 3], band: true });
        add(facts.distance, { label: "distance", width: 1, colour: () => theme.dim });
        add(facts.rms, { label: "RMS", width: 2.5, colour: () => theme.text });
        chart.draw(curves, store.start, store.end, store.time);
      },
    };
  },
};
