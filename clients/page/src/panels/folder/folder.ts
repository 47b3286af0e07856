// SPDX-License-Identifier: Apache-2.0
// A folder of benches, test plans and machines: run one and see its verdicts come, or make a file with other parameters.
import { act } from "../../data/control";
import type { Store } from "../../data/store";
import { h, panel, setText } from "../../ui/dom";
import { toast } from "../../ui/toast";
import type { Panel } from "../panel";
import { makeForm, type Parameter } from "./form";
import "./folder.css";

interface File { file: string; kind: "bench" | "plan" | "machine"; parameters: number }
interface Run { file?: string; running?: boolean; code?: number; result?: string; lines?: string[] }

const runOf = (store: Store): Run => (store.topics.get("/folder/run")?.at(store.end) ?? {}) as Run;
const asked = async <T>(store: Store, name: string, request: object = {}): Promise<T> => JSON.parse(await act(store, name, request)) as T;
const fail = (why: Error) => toast(why.message);

/** A line that ends in a verdict: passed, failed, neither. */
const verdictOf = (line: string) => (/^ok /.test(line) ? "good" : /^(FAIL|hung|crash)/.test(line) ? "bad" : "");

export const folder: Panel = {
  name: "folder",
  place: "left",
  width: 620,
  fits: (store) => store.services.has("/folder/list"),
  make({ store }) {
    const rows = h("tbody"), lines = h("ol", { class: "lines", "aria-label": "What it says", tabindex: "0" }), head = h("p", { role: "status", "aria-label": "What is run" }), form = h("div", {}), link = h("span", {});
    const stop = h("button", { click: () => { act(store, "/folder/stop").catch(fail); } }, "Stop it");
    const show = h("button", { click: () => { asked<{ address: string }>(store, "/folder/show").then(({ address }) => link.replaceChildren(h("a", { href: address, target: "_blank", rel: "noopener" }, "the recording")), fail); } }, "Open the result");
    let isListed = false, key = "", machines: string[] = [];
    const list = async () => {
      const { files } = await asked<{ files: File[] }>(store, "/folder/list");
      machines = files.filter((f) => f.kind === "machine").map((f) => f.file);
      rows.replaceChildren(...files.map(row));
    };
    const run = (file: string, step: string, machine: string) => { link.replaceChildren(); act(store, "/folder/run", { file, step, machine }).catch(fail); };
    const change = async (file: string) => {
      const { parameters } = await asked<{ parameters: Parameter[] }>(store, "/folder/form", { file });
      form.replaceChildren(makeForm(file, parameters, async (name, values) => { await act(store, "/folder/make", { file, name, values }); await list(); return `${name} is saved and checked`; }));
      form.querySelector("input")?.focus();
    };
    function row({ file, kind, parameters }: File): HTMLElement {
      const step = h("input", { placeholder: "all steps", "aria-label": `Step of ${file}` });
      const world = h("select", { "aria-label": `World of ${file}` }, h("option", { value: "" }, "its world"), ...machines.map((m) => h("option", { value: m }, m)));
      return h("tr", {}, h("td", { class: "first" }, file), h("td", {}, kind), h("td", {}, kind === "plan" && step), h("td", {}, kind === "plan" && machines.length > 0 && world), h("td", {},
        kind !== "machine" && h("button", { "aria-label": `Run ${file}`, click: () => run(file, step.value.trim(), world.value) }, "Run"),
        parameters > 0 && h("button", { "aria-label": `Parameters of ${file}`, click: () => { change(file).catch(fail); } }, "Parameters")));
    }
    return {
      element: panel("Benches, plans and machines", "", h("div", { class: "folder" }, h("table", {}, rows), form, h("div", { class: "answers" }, head, stop, show, link), lines)),
      update() {
        if (!isListed && store.link === "live") { isListed = true; list().catch(fail); }
        const { file = "", running = false, code = 0, lines: said = [] } = runOf(store), now = `${file} ${running} ${code} ${said.length} ${said[said.length - 1] ?? ""}`;
        stop.disabled = !running;
        show.disabled = running || !file;
        setText(head, !file ? "nothing was run" : running ? `${file} runs` : `${file}: ${code === 0 ? "as expected" : code === 4 ? "not as expected" : `it ended with ${code}`}`);
        if (now !== key) {
          key = now;
          lines.replaceChildren(...said.map((line) => h("li", { class: verdictOf(line) }, line)));
          lines.scrollTop = lines.scrollHeight;
        }
      },
    };
  },
};
