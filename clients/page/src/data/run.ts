// SPDX-License-Identifier: Apache-2.0
// What run.json says: application, binding, components with their properties.
import type { Run, Store } from "./store";

interface Described { value: string; unit?: string; range?: string; summary?: string }
interface End { component: string; port: string }
interface File {
  connections?: { source: End; target: End }[]; values?: { name: string; unit?: string }[];
  application?: string; command?: string[]; clock?: string; seed?: number; world?: string;
  components?: { name: string; class: string; properties?: Record<string, Described>; device?: { sides?: { name?: string; properties?: Record<string, Described> }[] } }[];
}

const stem = (path: string) => path.replace(/^.*\//, "").replace(/\.xml$/, "");

function option(command: string[], names: string[]): string {
  const at = command.findIndex((word) => names.includes(word));
  return at < 0 ? "" : stem(command[at + 1] ?? "");
}

export function runOf(text: string, store: Store): Run {
  const file = JSON.parse(text) as File, run: Run = { ...store.run };
  run.application = file.application ?? run.application;
  run.clock = file.clock ?? "";
  run.seed = file.seed === undefined ? "" : `seed ${file.seed}`;
  run.world = file.world ? stem(file.world) : "";
  run.binding = option(file.command ?? [], ["--bind", "-b", "--binding"]);
  run.components = (file.components ?? []).map((c) => ({ name: c.name, class: c.class, group: "" }));
  run.connections = (file.connections ?? []).map(({ source, target }) => ({ from: source.component, port: source.port, to: target.component }));
  run.units = new Map((file.values ?? []).map((v) => [v.name, v.unit ?? ""]));
  for (const component of file.components ?? []) {
    for (const [name, p] of Object.entries(component.properties ?? {})) {
      const key = `${component.name}.${name}`, known = store.properties.get(key);
      store.properties.set(key, { component: component.name, name, value: known?.value ?? p.value, unit: p.unit ?? "", range: p.range ?? "", summary: p.summary ?? "",
        live: known?.live ?? false });
    }
  }
  return run;
}
