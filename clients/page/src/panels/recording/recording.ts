// SPDX-License-Identifier: Apache-2.0
// What is kept: topics, messages, seconds, and what the run came to.
import { find, twinOf } from "../../data/facts";
import { h, panel, setText, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import { reportOf } from "../console/console";
import type { Panel } from "../panel";

export const recording: Panel = {
  name: "recording",
  place: "bottom",
  fits: (store) => !reportOf(store) || !twinOf(store),
  make({ store }) {
    const rows = ["messages", "topics", "driven", "true distance, RMS", "interval held the truth"].map((name) => { const value = h("td", { class: "num" }); return { value, row: h("tr", {}, h("td", {}, name), value) }; });
    const element = panel("Recording", "", h("table", {}, h("tbody", {}, ...rows.map((r) => r.row)))), title = element.querySelector("h2")!, note = element.querySelector(".right")!;
    const [messages, topics, driven, rms, held] = rows.map((r): HTMLElement => r.value) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];
    return {
      element,
      update() {
        let count = 0;
        for (const t of store.topics.values()) { count += t.count; }
        setText(title, store.isRecording ? "Recording" : "Kept by this page");
        setText(note, store.isRecording ? store.run.file : "the last 60 s");
        setValue(messages, number(count, 0), "");
        setValue(topics, String(store.topics.size), "");
        const way = find(store, "driven_m"), wayNow = way && store.value(way.topic, way.path);
        rows[2]!.row.hidden = typeof wayNow !== "number";
        setValue(driven, number(wayNow as number, 2), "m");
        const twin = twinOf(store), truth = twin && store.numbers(twin.distance.topic, "true_mm"), limit = twin?.limit && store.numbers(twin.limit.topic, twin.limit.path);
        const measured = twin && store.numbers(twin.distance.topic, twin.distance.path);
        let square = 0, n = 0, inside = 0, both = 0;
        for (let i = 0; truth && i < truth.values.length && truth.times[i]! <= store.time; i++) {
          const v = truth.values[i], l = limit?.values[i], m = measured?.values[i];
          if (typeof v === "number") { square += v * v; n++; }
          if (typeof v === "number" && typeof l === "number" && typeof m === "number") { both++; inside += Number(Math.abs(v - m) <= l); }
        }
        rows[3]!.row.hidden = n === 0;
        rows[4]!.row.hidden = both === 0;
        setValue(rms, number(Math.sqrt(square / n), 1), "mm");
        setValue(held, number((100 * inside) / both, 1), `% of ${number(both, 0)}`);
      },
    };
  },
};
