// SPDX-License-Identifier: Apache-2.0
// Who may act on the run: one at a time, who has taken the control. Everybody sees who that is (/run/state).
import { ask } from "../ui/dialog";
import type { Store } from "./store";

export interface RunState { state?: string; clock?: string; rate?: number; can_pause?: boolean; why_not?: string; controller?: string; hardware?: boolean; real_time_factor?: number }

export function stateOf(store: Store): RunState { return (store.topics.get("/run/state")?.at(store.end) ?? {}) as RunState; }

/** The reason why this page may not act now; "": it may. */
export function whyNot(store: Store): string {
  const { controller } = stateOf(store);
  return store.isRecording ? "a recording takes no requests" : store.link !== "live" ? "no run is connected"
    : store.role !== "control" ? "this address is for looking only: with --allow-control the run prints one that may ask"
      : controller && controller !== store.me ? `${controller} controls: take the control first` : "";
}

/** Who moves hardware is asked for it once, until another one has the control or the run is lost. */
export async function mayMove(store: Store, title: string, yes: string): Promise<boolean> {
  if (stateOf(store).hardware && !store.movesHardware) {
    store.movesHardware = (await ask(title, "This run moves real hardware: it may move from now on.", yes)) !== undefined;
    return store.movesHardware;
  }
  return true;
}

/** Calls a service; who acts while nobody has the control takes it. Fails with the reason. */
export async function act(store: Store, name: string, request: object = {}): Promise<string> {
  await takeIfFree(store);
  const service = store.services.get(name);
  if (!service) { throw new Error(`this run does not offer ${name}`); }
  return service.call(request);
}

/** Fails with the reason why this page may not act. */
export async function takeIfFree(store: Store): Promise<void> {
  const why = whyNot(store);
  if (why) { throw new Error(why); }
  if (!stateOf(store).controller) { await store.services.get("/run/control")?.call({ take: true }); }
}
