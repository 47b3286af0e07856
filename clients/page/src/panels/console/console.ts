// SPDX-License-Identifier: Apache-2.0
// The operator's console of a state machine that reports itself (type doppel.StateReport): its states, its requests (requests.ts), its faults.
import { topicsOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { h, panel, setText } from "../../ui/dom";
import type { Panel } from "../panel";
import { Faults } from "./faults";
import { Requests } from "./requests";
import { States } from "./states";

const REPORT = "doppel.StateReport";
export const rowsOf = (text: unknown) => (typeof text === "string" && text ? text.split("|") : []);

/** The machine with requests first: it is the one that has an operator. */
export function reportOf(store: Store) {
  const all = topicsOf(store, REPORT);
  return all.find((t) => t.name.startsWith(`/${store.selected}/`)) ?? all.find((t) => t.message(t.length - 1)?.requests) ?? all[0];
}

export const console_: Panel = {
  name: "console",
  place: "right",
  width: 500,
  fits: (store) => reportOf(store) !== undefined,
  make({ store }) {
    const note = h("span", {}), body = h("div", {}), requests = new Requests(store), faults = new Faults(store);
    const element = panel("Operator's console", note, body, requests.element, faults.element);
    let states: States | undefined, key = "";
    return {
      element,
      update() {
        const topic = reportOf(store), report = topic?.at(store.time) ?? topic?.message(0);
        if (!topic || !report) { return; }
        const component = topic.name.split("/")[1]!;
        setText(note, component);
        if (`${topic.name} ${report.states}` !== key) {
          key = `${topic.name} ${report.states}`;
          states = new States(rowsOf(report.states), new Set(rowsOf(report.moves)));
          body.replaceChildren(states.element);
        }
        states!.show(new Set(rowsOf(report.present)));
        requests.show(component, rowsOf(report.requests));
        faults.show(topic, rowsOf(report.states));
      },
    };
  },
};
