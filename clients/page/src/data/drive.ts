// SPDX-License-Identifier: Apache-2.0
// Where a velocity may be published: an input port of that type with which nothing of the application is connected.
import type { Store } from "./store";

const TYPE = "doppel.VelocityCommand";
/** m/s and rad/s of a component that names no limits. */
const SPEED = 0.2, TURN = 0.7;

export interface DrivePort { name: string; component: string; speed: number; turn: number }

export function drivePort(store: Store): DrivePort | undefined {
  const topic = store.topics.get("/run/inputs"), ports = topic && (topic.message(topic.length - 1) as unknown as { name: string; type: string }[] | undefined);
  const free = (ports ?? []).find(({ name, type }) => type === TYPE && !store.run.connections.some((c) => `/${c.to}/${c.toPort}` === name));
  if (!free) { return undefined; }
  const component = free.name.split("/")[1]!, limit = (name: string) => { const v = Number(store.properties.get(`${component}.${name}`)?.value); return v > 0 ? v : undefined; }, turn = limit("MaximumAngularVelocity");
  return { name: free.name, component, speed: limit("MaximumVelocity") ?? SPEED, turn: turn === undefined ? TURN : (turn * Math.PI) / 180 };
}

/** A doppel.VelocityCommand: m/s, rad/s, and whether anybody wants it. */
export function velocity(linear: number, angular: number, isActive: boolean): Uint8Array {
  const bytes = new Uint8Array(22), view = new DataView(bytes.buffer);
  bytes.set([0x0a, 18, 0x09]);
  view.setFloat64(3, linear, true);
  bytes[11] = 0x11;
  view.setFloat64(12, angular, true);
  bytes.set([0x10, isActive ? 1 : 0], 20);
  return bytes;
}
