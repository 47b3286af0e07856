// SPDX-License-Identifier: Apache-2.0
// What a person may put into the worlds of a run (/run/world_inputs), and what is held there now (/run/hands).
import { act, whyNot } from "./control";
import type { Store } from "./store";

export interface Input { channel: string; type: string; kind: "input" | "shared" | "request"; size: number; unit: string; min?: number; max?: number; summary: string; commander: string }
export type Held = boolean | number | number[];

const newest = (store: Store, topic: string) => { const t = store.topics.get(topic); return t && t.length > 0 ? (t.message(t.length - 1) as unknown) : undefined; };

export function inputsOf(store: Store): Input[] { return (newest(store, "/run/world_inputs") as Input[] | undefined) ?? []; }

/** By whom, too. */
export function heldIn(store: Store): Map<string, { value: Held; who: string }> {
  return new Map(((newest(store, "/run/hands") ?? []) as { channel: string; value: Held; who: string }[]).map((h) => [h.channel, h]));
}

/** The input of that part and name in any world: "elevator/call3/press". */
export function inputAt(inputs: Input[], path: string): Input | undefined { return inputs.find((i) => i.channel === path || i.channel.endsWith(`/${path}`)); }

/** "pulls its point to x, y, z with at most so many N" */
export const isGrip = (i: Input) => i.size === 7 && i.channel.endsWith("/grip");

/** That of the body whose frame it is: "avatar/office/arm/hand" of "arm/hand/grip" or of "office/arm/hand/grip". */
export function gripOf(store: Store, frame: string): Input | undefined {
  const fits = (i: Input) => isGrip(i) && `/${frame}`.endsWith(`/${i.channel.replace(/\/grip$/, "")}`);
  return inputsOf(store).filter(fits).sort((a, b) => b.channel.length - a.channel.length)[0];
}

/** The frame of the body that it grips. */
export const frameOf = (store: Store, input: Input) => [...store.frames.tracks.keys()].find((frame) => gripOf(store, frame)?.channel === input.channel);

/** The reason why nothing can be put now; "": it can. */
export function whyNoHand(store: Store, input?: Input): string {
  return whyNot(store) || (store.cursor !== undefined ? "this is what held then: back to live to change something" : input?.commander ? `${input.commander} commands it` : "");
}

/** `seconds`: of the world's time, then it is let go; null lets go at once. Fails with the reason; "": it is done, else
 * words to append. */
export async function put(store: Store, input: Input, value: Held | null, seconds?: number): Promise<string> {
  const why = whyNoHand(store, input);
  if (why) { throw new Error(why); }
  const answer = await act(store, "/world/put", { channel: input.channel, value, ...(seconds === undefined ? {} : { seconds }) });
  return (JSON.parse(answer) as { pending?: boolean }).pending ? ", as soon as time moves" : "";
}

/** "elevator/door_closed/stuck_off" -> "Door closed stuck off". */
export function wordsOf(channel: string): string {
  const words = channel.split("/").slice(1).join(" ").replace(/_/g, " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
