// SPDX-License-Identifier: Apache-2.0
// A lift among the values of a world: calls are flags that are numbered by floors ("up_call3/on"), the car is the joint that goes farthest in metres.
import { componentOf } from "./facts";
import type { Store } from "./store";
import type { Topic } from "./topic";
import { inputAt, type Input } from "./world";

export interface Lift { topic: Topic; floors: number[]; calls: { name: string; paths: Map<number, string> }[]; car?: string }

const CALL = /^(.*?)(\d+)\/on$/;
const known = new WeakMap<Topic, { n: number; lift: Lift | undefined }>();

function read(store: Store, topic: Topic): Lift | undefined {
  const groups = new Map<string, Map<number, string>>();
  for (const path of topic.facts.keys()) {
    const [, name, floor] = CALL.exec(path) ?? [];
    if (name && floor && /call/.test(name)) { groups.set(name, (groups.get(name) ?? new Map<number, string>()).set(Number(floor), path)); }
  }
  const floors = [...new Set([...groups.values()].flatMap((g) => [...g.keys()]))].sort((a, b) => a - b);
  if (floors.length < 2) { return undefined; }
  let car: string | undefined, most = 0;
  for (const [path, { unit }] of topic.facts) {
    const [low, high] = path.endsWith("/position") && unit === "m" ? store.numbers(topic.name, path)!.span() : [0, 0];
    if (high - low > most * 1.2) { most = high - low; car = path; }
  }
  return { topic, floors, calls: [...groups].map(([name, paths]) => ({ name, paths })), ...(car ? { car } : {}) };
}

/** The first lift; looked for anew as messages come. */
export function liftOf(store: Store): Lift | undefined {
  for (const topic of store.topics.values()) {
    if (!componentOf(topic.name)?.startsWith("world/") || topic.length === 0) { continue; }
    let entry = known.get(topic);
    if (!entry || topic.count > entry.n * 1.1 + 4) { known.set(topic, (entry = { n: topic.count, lift: read(store, topic) })); }
    if (entry.lift) { return entry.lift; }
  }
  return undefined;
}

/** What presses the call whose lamp is that value. undefined: nothing. */
export function pressOf(inputs: Input[], lift: Lift, lamp: string): Input | undefined {
  return inputAt(inputs, `${componentOf(lift.topic.name)!.slice("world/".length)}/${lamp.replace(/on$/, "press")}`);
}

/** Metres from floor to floor: of the shapes that the world has once a floor. undefined: none. */
export function storey(store: Store, lift: Lift): number | undefined {
  for (const topic of store.topics.values()) {
    if (topic.schema !== "foxglove.SceneUpdate" || topic.length === 0) { continue; }
    for (const entity of (topic.message(0)!.entities ?? []) as { cubes?: { size: { x: number; y: number; z: number }; pose?: { position?: { z: number } } }[] }[]) {
      const heights = new Map<string, number[]>();
      for (const c of entity.cubes ?? []) { const key = `${c.size.x} ${c.size.y} ${c.size.z}`; heights.set(key, [...(heights.get(key) ?? []), c.pose?.position?.z ?? 0]); }
      for (const z of heights.values()) { if (z.length === lift.floors.length) { return (Math.max(...z) - Math.min(...z)) / (z.length - 1); } }
    }
  }
  return undefined;
}
