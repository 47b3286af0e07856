// SPDX-License-Identifier: Apache-2.0
// The requests of a state machine as buttons: what each would do now, or why it is refused. Whoever takes them is the service of the component whose
// request has an enum with a word for each of them.
import { mayMove, takeIfFree, whyNot } from "../../data/control";
import { topicsOf } from "../../data/facts";
import type { Shape } from "../../data/protobuf";
import type { Service, Store } from "../../data/store";
import { ask, type Asked } from "../../ui/dialog";
import { h, setClass, setText } from "../../ui/dom";
import { ownName } from "./states";

/** "stop>motion/stopping", "enable=", "home!it moves". */
interface Request { name: string; isAllowed: boolean; words: string }

function requestOf(row: string): Request {
  const [, name = row, sign = "", rest = ""] = /^([^>=!]*)([>=!])?(.*)$/s.exec(row) ?? [];
  return { name, isAllowed: sign === ">", words: sign === ">" ? `→ ${ownName(rest)}` : sign === "=" ? "already so" : `no: ${rest}` };
}

interface Taker { service: Service; kind: Shape; target?: Shape }

const wordOf = (kind: Shape, name: string) => kind.words?.find((w) => w.toLowerCase() === name || w.toLowerCase().endsWith(`_${name}`));

function takerOf(store: Store, component: string, requests: Request[]): Taker | undefined {
  for (const service of store.services.values()) {
    const kind = service.name.startsWith(`/${component}/`) ? service.shape.find((f) => f.words && requests.every((r) => wordOf(f, r.name))) : undefined;
    if (kind) { return { service, kind, target: service.shape.find((f) => f.parts?.length && f.parts.every((p) => p.isNumber)) }; }
  }
  return undefined;
}

const unitOf = (name: string) => (/^(roll|pitch|yaw|theta)$/.test(name) ? "rad" : "m");

/** Where it is now, if a message has a part of these names. */
function targetNow(store: Store, target: Shape): Asked[] {
  const measured = topicsOf(store, "doppel.MeasuredPose").find((t) => !/avatar/i.test(t.name))?.at(store.end)?.pose as Record<string, number> | undefined;
  return target.parts!.map(({ name }) => ({ name, unit: unitOf(name), value: measured?.[name] ?? 0 }));
}

/** Nobody is asked whether he really wants these. */
const STOPS = /^(stop|disable|disarm|emergency|halt|reset|acknowledge)/;

/** Undefined: the user does not want it after all. */
async function requestFor(store: Store, request: Request, { kind, target }: Taker): Promise<object | undefined> {
  const message: Record<string, unknown> = { [kind.name]: wordOf(kind, request.name) }, needsTarget = target && request.name === "position";
  if (!STOPS.test(request.name) && !(await mayMove(store, `${titleOf(request.name)}?`, titleOf(request.name)))) { return undefined; }
  if (needsTarget) {
    const values = await ask(titleOf(request.name), "Where shall it go?", "Go", targetNow(store, target));
    return values && { ...message, [target.name]: values };
  }
  return message;
}

export const titleOf = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);

export class Requests {
  private why = h("p", { class: "why" });
  private said = h("p", { class: "why", role: "status", "aria-label": "What came of the last request" });
  private grid = h("div", { class: "requests", role: "group", "aria-label": "Requests" });
  readonly count = h("div", { class: "right" });
  readonly element = h("div", {}, h("header", { class: "head" }, h("h2", {}, "Requests"), this.count), this.why, this.grid, this.said);
  private buttons = new Map<string, { box: HTMLElement; button: HTMLButtonElement; words: HTMLElement }>();
  private now = new Map<string, Request>();
  private taker?: Taker;
  /** The last one that was accepted, and when: what its component cannot do after all is told by its log. */
  private accepted?: { name: string; at: number };

  constructor(private store: Store) {}

  show(component: string, rows: string[]) {
    const requests = rows.map(requestOf);
    this.element.hidden = requests.length === 0;
    this.now = new Map(requests.map((r) => [r.name, r]));
    if ([...this.buttons.keys()].join() !== requests.map((r) => r.name).join()) { this.make(requests); }
    this.taker = takerOf(this.store, component, requests);
    const why = this.reason(component);
    setText(this.why, why);
    const { accepted, store } = this, error = accepted && store.lines.filter((l) => l.from === component && l.level === "error" && l.time >= accepted.at).pop();
    if (error) { setText(this.said, `${titleOf(accepted.name)}: accepted, but then: ${error.text}`); }
    setText(this.count, `allowed now: ${requests.filter((r) => r.isAllowed).length} of ${requests.length}`);
    for (const request of requests) {
      const { box, button, words } = this.buttons.get(request.name)!;
      setClass(box, "allowed", request.isAllowed);
      button.setAttribute("aria-disabled", String(!request.isAllowed || why !== ""));
      box.title = why || request.words;
      setText(words, request.words);
    }
  }

  private reason(component = "nobody"): string {
    return whyNot(this.store) || (this.store.cursor !== undefined ? "this is what held then: back to live to ask for something" : this.taker ? "" : `${component} has no service that takes them`);
  }

  /** They stay while they are the same: who has one in focus keeps it. */
  private make(requests: Request[]) {
    this.buttons = new Map(requests.map(({ name }) => {
      const words = h("small", { id: `request-${name}` }), button = h("button", { "aria-describedby": words.id, click: () => void this.ask(name) }, titleOf(name));
      return [name, { box: h("div", { class: `request${/^emergency/.test(name) ? " grave" : ""}` }, button, words), button, words }];
    }));
    this.grid.replaceChildren(...[...this.buttons.values()].map((b) => b.box));
  }

  private async ask(name: string) {
    const request = this.now.get(name)!, { taker, store } = this;
    const refuse = (why: string) => setText(this.said, `${titleOf(name)}: ${why}`);
    this.accepted = undefined;
    const why = this.reason() || (request.isAllowed ? "" : request.words);
    if (why || !taker) { refuse(why); return; }
    try {
      const message = await requestFor(store, request, taker);
      if (!message) { refuse("not asked for"); return; }
      await takeIfFree(store);
      const at = store.end;
      await taker.service.call(message);
      refuse("accepted");
      this.accepted = { name, at };
    } catch (e) {
      // what it says now tells more than the error's number
      const now = this.now.get(name)!;
      refuse(now.isAllowed ? (e as Error).message : `refused, ${now.words}`);
    }
  }
}
