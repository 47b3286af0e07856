// SPDX-License-Identifier: Apache-2.0
// What values mean, found by the names and units that components give them: so the page knows a robot and its avatar in any application.
import type { Store } from "./store";
import type { Topic } from "./topic";

/** A field of a topic. */
export interface Value { topic: string; path: string; unit: string; factor?: number }

const COMPONENT = /^\/(.+?)\/(?:device\/)?values$/;

/** "/WheelController.hardware/values" -> "WheelController.hardware"; undefined: no topic of values. */
export function componentOf(topic: string): string | undefined { return COMPONENT.exec(topic)?.[1]; }

export function fieldsOf(topic: Topic): Value[] {
  return [...topic.facts].map(([path, { unit }]) => ({ topic: topic.name, path, unit }));
}

/** The first field of that name in any topic of values. */
export function find(store: Store, ...names: string[]): Value | undefined {
  for (const name of names) {
    for (const topic of store.topics.values()) {
      const facts = componentOf(topic.name) !== undefined && topic.facts.get(name);
      if (facts) { return { topic: topic.name, path: name, unit: facts.unit }; }
    }
  }
  return undefined;
}

/** Distance of robot and avatar with what belongs to it. */
export interface Twin { distance: Value; rms?: Value; limit?: Value; state?: Value; fidelity?: Value; ex?: Value; ey?: Value; heading?: Value }

export function twinOf(store: Store): Twin | undefined {
  const inMetres = find(store, "position_error");
  const distance = find(store, "distance_mm", "distance_um") ?? (inMetres && { ...inMetres, unit: "µm", factor: 1e6 });
  if (!distance) { return undefined; }
  const facts = store.topics.get(distance.topic)!.facts;
  const own = (path: string) => (facts.has(path) ? { topic: distance.topic, path, unit: facts.get(path)!.unit } : undefined);
  return { distance, rms: own("rms_5s_mm"), limit: own("error_limit_mm"), state: own("state"), fidelity: own("fidelity"), ex: own("ex"), ey: own("ey"), heading: own("et_deg") };
}

/** Whether the distance is one that can be drawn on the way: millimetres, not micrometres. */
export function hasRibbon(store: Store): boolean {
  const twin = twinOf(store);
  return twin !== undefined && twin.distance.factor === undefined;
}

/** The value that says most of a component, in this order. */
export const TELLING = ["distance_mm", "sigma_mm", "command_v", "state", "stage", "verdict", "nearest_m", "position_m", "force_n", "level", "level_hard", "position_error", "velocity", "speed", "mode", "scans", "losses"];

export function tellingOf(topic: Topic): Value | undefined {
  const path = TELLING.find((name) => topic.facts.has(name)) ?? [...topic.facts.keys()].find((name) => !/^(x|y|theta|roll|pitch|yaw)$|_(theta|roll|pitch|yaw)$|stamp|age|^applied/.test(name));
  return path === undefined ? undefined : { topic: topic.name, path, unit: topic.facts.get(path)!.unit };
}

/** The frames of a robot and of its avatar. */
export function bodies(store: Store): { robot?: string; avatar?: string } {
  const { tracks } = store.frames, has = (name: string) => (tracks.has(name) ? name : undefined);
  const ghost = [...tracks.keys()].find((name) => name.startsWith("avatar/"));
  const own = [...tracks].filter(([name, track]) => !name.startsWith("avatar/") && track.parent === "map" && name !== "odom").map(([name]) => name);
  const robot = has("base_link") ?? (ghost && has(ghost.slice("avatar/".length))) ?? (own.length === 1 ? own[0] : undefined);
  return { robot, avatar: has("avatar/base_link") ?? ghost };
}

const layersKnown = new WeakMap<Topic, { n: number; layers: Set<string> }>();

/** Layers of what the scene has ("collision", "joint", "contact" ...). */
export function layersIn(store: Store): Set<string> {
  const all = new Set<string>();
  for (const topic of store.topics.values()) {
    if (topic.schema !== "foxglove.SceneUpdate" || topic.length === 0) { continue; }
    const known = layersKnown.get(topic) ?? { n: 0, layers: new Set<string>() };
    if (known.n !== topic.count) {
      layersKnown.set(topic, { n: topic.count, layers: known.layers });
      for (const e of (topic.message(topic.length - 1)!.entities ?? []) as { metadata?: { key: string; value: string }[] }[]) { for (const m of e.metadata ?? []) { if (m.key === "layer") { known.layers.add(m.value); } } }
    }
    known.layers.forEach((l) => all.add(l));
  }
  return all;
}

/** The same pose of a machine and of its avatar, measured at the same times: mm and degrees from robot to avatar. */
export function apartOf(store: Store, time: number): { x: number; y: number; yaw: number } | undefined {
  const topics = topicsOf(store, "doppel.MeasuredPose"), avatar = topics.find((t) => /avatar/i.test(t.name)), robot = topics.find((t) => t !== avatar);
  const a = avatar?.at(time)?.pose as Record<string, number> | undefined, r = robot?.at(time)?.pose as Record<string, number> | undefined;
  return a && r ? { x: ((a.x ?? 0) - (r.x ?? 0)) * 1000, y: ((a.y ?? 0) - (r.y ?? 0)) * 1000, yaw: (((a.yaw ?? 0) - (r.yaw ?? 0)) * 180) / Math.PI } : undefined;
}

/** Whether an avatar is shown. */
export function hasAvatar(store: Store): boolean {
  for (const name of store.frames.tracks.keys()) { if (name.startsWith("avatar/")) { return true; } }
  return false;
}

/** All topics of a schema. */
export function topicsOf(store: Store, schema: string): Topic[] { return [...store.topics.values()].filter((t) => t.schema === schema && t.length > 0); }

/** A number of a value as it is shown. */
export function numberOf(store: Store, value: Value | undefined): number | undefined {
  const n = value && store.value(value.topic, value.path);
  return typeof n === "number" ? n * (value!.factor ?? 1) : undefined;
}

/** The first topic of a schema. */
export function topicOf(store: Store, schema: string): Topic | undefined {
  for (const topic of store.topics.values()) { if (topic.schema === schema && topic.length > 0) { return topic; } }
  return undefined;
}

/** What a component is doing over time: the field that has few words. */
export function activity(store: Store): Value | undefined {
  const twin = twinOf(store);
  for (const topic of store.topics.values()) {
    if (componentOf(topic.name) === undefined || topic.name === twin?.distance.topic) { continue; }
    for (const name of ["task", "state", "stage"]) {
      if (topic.facts.has(name) && typeof topic.at(store.end)?.[name] === "string" && !topic.facts.has("sigma_mm")) { return { topic: topic.name, path: name, unit: "" }; }
    }
  }
  return undefined;
}
