// SPDX-License-Identifier: Apache-2.0
// The twin: how far robot and avatar are apart, what that is worth (protection level), and how it came about.
import { eventsOf } from "../../data/events";
import { find, numberOf, twinOf, type Value } from "../../data/facts";
import { Chart, type Curve } from "../../ui/chart";
import { h, panel, setText, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import { theme } from "../../ui/theme";
import { reportOf } from "../console/console";
import type { Panel } from "../panel";

/** On what the place of the robot rests. */
const BASES: Record<string, string> = { told: "the start is as told, nothing contradicts it", proven: "proven: the scans exclude every other place", followed: "proven before, and followed since" };
/** Why it is not said to be known. */
const REASONS: Record<string, string> = {
  start: "the start is not proven yet", moved: "the scan before does not foretell this one", relocated: "the pose jumped", outranked: "another place explains the scans better", returned: "the laser is back, the place is not proven again",
  no_place: "no place explains the scans", no_scans: "no scans", untested: "scans that could not show a wrong place", fit: "beams go through what the plan has", drift: "scans pull the pose from odometry",
  rival: "another place explains the scans nearly as well", accuracy: "the protection level is too high",
};

const GOOD = new Set(["OK", "INIT", "follows"]);

export const twin: Panel = {
  name: "twin",
  place: (store) => (reportOf(store) ? "bottom" : "right"),
  fits: (store) => twinOf(store) !== undefined,
  make({ store }) {
    const state = h("span", {}), value = h("div", { class: "value", id: "distance" }), limit = h("div", {}), rms = h("div", {}), basis = h("div", { class: "dim", id: "basis" });
    const chart = new Chart({
      height: reportOf(store) ? 124 : 154, log: true, onPick: (t) => store.show(t),
      marks: () => eventsOf(store).filter((e, i, all) => i === 0 || e.time - all[i - 1]!.time > 8).slice(-3).map((e) => ({ time: e.time, text: e.text })),
      labels: () => [...(twinOf(store)?.limit ? [{ curve: 1, text: "protection level" }] : []), ...(twinOf(store)?.rms ? [{ curve: -3, text: "RMS 5 s" }] : [])],
    });
    const element = panel("Twin", state,
      h("div", { class: "big-number" }, h("div", { class: "first" }, value, h("small", {}, "robot to avatar")), h("div", { class: "second" }, limit, h("small", {}, "protection level")),
        h("div", { class: "second" }, rms, h("small", {}, "RMS 5 s"))), basis, chart.element);
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
        const word = (name: string) => { const at = find(store, name); return at ? String(store.value(at.topic, at.path) ?? "") : ""; };
        setText(basis, BASES[word("basis")] ?? REASONS[word("reason")] ?? "");
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
