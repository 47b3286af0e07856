// SPDX-License-Identifier: Apache-2.0
// What test plans and benches find out: a row a step with the first number that it has measured and its limits, and below them all of the chosen step.
import type { Store } from "../../data/store";
import { h, panel, setClass, setText } from "../../ui/dom";
import { any, number } from "../../ui/format";
import type { Panel } from "../panel";

const TOPIC = "/verdicts", SIGNS: Record<string, string> = { passed: "✓", failed: "✗", error: "!", runs: "▶" };

interface Found { time: number; step: string; name: string; verdict: string; text: string; value: number | null; unit: string; min: number | null; max: number | null; number: number; count: number }
interface Step extends Found { measures: Found[]; begun: number }

/** The steps until a time, in their order. A step that is run again begins anew. */
export function stepsOf(store: Store, time: number): Step[] {
  const topic = store.topics.get(TOPIC), steps: Step[] = [];
  for (let i = 0; topic && i < topic.after(time); i++) {
    const found = { ...topic.message(i), time: topic.times[i] } as unknown as Found, open = steps[steps.length - 1];
    if (open && open.step === found.step && open.number === found.number && open.verdict !== "runs" && found.verdict !== "runs") { open.measures.push(found); }
    else if (open && open.step === found.step && open.verdict === "runs") { Object.assign(open, found); }
    else { steps.push({ ...found, measures: [], begun: found.time }); }
  }
  return steps;
}

function limitOf({ min, max }: Found): string {
  const low = typeof min === "number", high = typeof max === "number";
  const short = (x: number) => any(x).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return low && high ? `${short(min)} … ${short(max)}` : high ? `≤ ${short(max)}` : low ? `≥ ${short(min)}` : "";
}

const measured = (m: Found | undefined) => (typeof m?.value === "number" ? `${any(m.value)}${m.unit ? ` ${m.unit}` : ""}` : "");

/** Many plans number their steps by their names. */
const titleOf = (s: Found) => (!s.number ? `${s.step}: ${s.name}` : /^\d/.test(s.step) ? s.step : `${String(s.number).padStart(2, "0")} ${s.step}`);

function rowOf(found: Found, sign: string, name: string, value: string, limit: string, click?: () => void) {
  const bad = found.verdict === "failed" || found.verdict === "error";
  return h(click ? "button" : "div", { class: `verdict${bad ? " bad" : ""}`, title: found.text || name, ...(click ? { click } : {}) },
    h("span", { class: found.verdict === "passed" ? "ok" : bad ? "danger" : "" }, sign), h("span", {}, name), h("span", { class: "num" }, value), h("span", { class: "num dim" }, limit));
}

export const verdicts: Panel = {
  name: "verdicts",
  place: "left",
  width: 320,
  fits: (store) => (store.topics.get(TOPIC)?.length ?? 0) > 0,
  make({ store }) {
    const counts = h("span", {}), list = h("div", { class: "verdicts", role: "list", "aria-label": "Steps" }), title = h("h2", {}), note = h("div", { class: "right" }), detail = h("div", { class: "verdicts", "aria-label": "Measures" });
    let key = "", chosen: number | undefined;
    return {
      element: panel("Verdicts", counts, list, h("header", { class: "head" }, title, note), detail),
      update() {
        const steps = stepsOf(store, store.time), count = (verdict: string) => steps.filter((s) => s.verdict === verdict).length, errors = count("error");
        setText(counts, `${count("passed")}${steps[0]?.count ? ` of ${number(steps[0].count, 0)}` : ""} passed, ${count("failed")} failed${errors ? `, ${errors} error${errors > 1 ? "s" : ""}` : ""}`);
        const wanted = `${steps.length} ${steps[steps.length - 1]?.verdict} ${steps[steps.length - 1]?.measures.length} ${chosen} ${store.epoch}`;
        if (wanted === key) { return; }
        key = wanted;
        const at = chosen !== undefined && chosen < steps.length ? chosen : steps.length - 1, step = steps[at];
        list.replaceChildren(...steps.map((s, i) => {
          const name = titleOf(s), first = s.measures.find((m) => typeof m.value === "number" && limitOf(m) !== "") ?? s.measures.find((m) => typeof m.value === "number");
          const row = rowOf(s, SIGNS[s.verdict] ?? "", name, measured(first), first ? limitOf(first) : "", () => { chosen = i; store.show(s.time); });
          row.setAttribute("role", "listitem");
          setClass(row, "chosen", i === at);
          return row;
        }));
        if (chosen === undefined) { list.scrollTop = list.scrollHeight; }
        setText(title, step ? (step.number ? `Step ${titleOf(step)}` : step.step) : "");
        setText(note, step ? (step.verdict === "runs" ? "runs" : step.time > step.begun ? `${step.verdict}, ${number(step.time - step.begun, 3)} s` : step.verdict) : "");
        detail.replaceChildren(...(step?.text ? [h("div", { class: step.verdict === "passed" ? "dim" : "danger" }, step.text)] : []),
          ...(step?.measures ?? []).map((m) => rowOf(m, SIGNS[m.verdict] ?? "", m.name, measured(m), limitOf(m))));
      },
    };
  },
};
