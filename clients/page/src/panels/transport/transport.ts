// SPDX-License-Identifier: Apache-2.0
// The header: what runs, the transport bar, and STOP ROBOT. The state of its buttons is the server's (/run/state).
import { act, stateOf, whyNot } from "../../data/control";
import type { Store } from "../../data/store";
import { h, setText, setValue } from "../../ui/dom";
import { clock } from "../../ui/format";
import { setTheme } from "../../ui/theme";
import { toast } from "../../ui/toast";
import { showHelp } from "../../ui/help";
import type { Panel } from "../panel";

const PAUSE = "M3 2h3v10H3zM8 2h3v10H8z", PLAY = "M3 1.5l9 5.5-9 5.5z", STEP = "M2 2l6.5 5L2 12zM10 2h2v10h-2z";

function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ width: "14", height: "14", viewBox: "0 0 14 14", "aria-hidden": "true" })) { svg.setAttribute(name, value); }
  shape.setAttribute("d", path);
  shape.setAttribute("fill", "currentColor");
  svg.append(shape);
  return svg;
}

function logo(): HTMLElement {
  return h("span", { "aria-hidden": "true" }, h("span", { class: "dot real", id: "logo-robot" }), h("span", { class: "dot dashed avatar", id: "logo-avatar" }));
}

/** Stops the robot: asked for by the button or by Esc twice. */
export function stopRobot(store: Store) {
  const service = store.services.get("/run/stop");
  if (!service) { toast("no robot is connected: nothing is stopped"); } else { service.call({}).then(() => toast("the robot is stopped"), (why: Error) => toast(why.message)); }
}

export const transport: Panel = {
  name: "transport",
  place: "top",
  fits: () => true,
  make({ store, player }) {
    const ask = (name: string, request: object = {}) => act(store, name, request).catch((why: Error) => toast(why.message));
    const state = () => stateOf(store), isMine = () => store.me !== "" && state().controller === store.me;
    const isPaused = () => (store.isRecording ? !player.isPlaying : state().state === "paused");
    const toggle = () => {
      if (store.isRecording) { player.play(!player.isPlaying); } else { void ask(isPaused() ? "/run/resume" : "/run/pause"); }
    };
    const pause = h("button", { class: "primary", id: "pause", click: toggle });
    const step = h("button", { id: "step", click: () => (store.isRecording ? store.show(store.time + 0.05) : void ask("/run/step", { cycles: 1 })) }, icon(STEP), " Step");
    const runFor = h("button", { id: "run-for", click: () => void ask("/run/run_for", { seconds: 10 }) }, "Run for ", h("span", { class: "unit" }, "10 s"));
    const speed = h("select", { id: "speed", "aria-label": "Speed of the recording", change: () => player.setSpeed(Number(speed.value)) },
      ...["0.25", "0.5", "1", "2", "4", "8"].map((v) => h("option", { value: v, selected: v === "1" }, `${v}×`)));
    const stop = h("button", { class: "stop", id: "stop", click: () => stopRobot(store) }, "STOP ROBOT");
    const name = h("div", { class: "name" }), who = h("span", { class: "small" }), why = h("span", { class: "small dim" });
    const fact = (title: string, big = false) => { const value = h("span", big ? { class: "big" } : {}); return { element: h("div", { class: "fact" }, h("small", {}, title), value), value }; };
    const time = fact("simulated time", true), factor = fact("real-time factor"), overruns = fact("overruns"), dropped = fact("dropped"), length = fact("length"), aligned = fact("aligned by");
    const control = h("button", { id: "control", click: () => void store.services.get("/run/control")?.call({ take: !isMine() }).catch((why: Error) => toast(why.message)) });
    const light = h("button", { class: "icon", "aria-label": "Light or dark theme", title: "light or dark", click: () => setTheme(document.documentElement.dataset.theme === "light" ? "dark" : "light") }, "◐");
    const help = h("button", { class: "icon", "aria-label": "Keys of this page", title: "keys", click: () => showHelp() }, "?");
    const element = h("div", { class: "top" }, h("h1", {}, logo(), "Doppel"), name, pause, step, runFor, speed, time.element, length.element, aligned.element, factor.element, overruns.element,
      dropped.element, h("div", { class: "space" }), who, control, light, help, stop, why);
    let shown = "";
    const wall: [number, number][] = [];
    return {
      element,
      update() {
        const { run } = store, now = state(), live = store.link === "live", about = [store.other ? "two recordings" : run.binding, run.world, run.seed].filter(Boolean), isSim = now.clock !== "real" && run.clock !== "real";
        const text = [run.application, ...about].join(" · ");
        if (text !== name.dataset.text) {
          name.dataset.text = text;
          name.replaceChildren(h("b", {}, run.application || "no run"), ...(about.length ? [h("span", { class: "dim" }, ` · ${about.join(" · ")}`)] : []));
          name.title = text;
          document.title = run.application ? `${run.application} – Doppel` : "Doppel";
        }
        const paused = isPaused(), forbidden = whyNot(store), can = store.isRecording || (!forbidden && store.services.has("/run/pause") && now.can_pause !== false);
        const label = store.isRecording ? (paused ? "Play" : "Pause") : paused ? "Resume" : "Pause";
        if (label !== shown) { pause.replaceChildren(icon(paused ? PLAY : PAUSE), ` ${label}`); shown = label; }
        const reason = store.isRecording ? "" : forbidden || now.why_not || (can ? "" : "this run offers no pause");
        for (const button of [pause, step, runFor]) { button.disabled = !can; button.title = reason; }
        if (!step.disabled && !paused && !store.isRecording) { step.disabled = true; step.title = "pause the run first"; }
        runFor.hidden = store.isRecording;
        speed.hidden = !store.isRecording;
        setText(time.element.firstChild!, store.other ? "cursor B" : store.isRecording ? "recorded time" : isSim ? "simulated time" : "time of the run");
        setText(time.value, clock(store.time));
        setValue(length.value, (store.end - store.start).toFixed(2), "s");
        length.element.hidden = !store.isRecording;
        setText(aligned.value, "run time");
        aligned.element.hidden = !store.other;
        overruns.element.hidden = store.isRecording;
        wall.push([performance.now() / 1000, store.end]);
        while (wall.length > 30) { wall.shift(); }
        const [t0, s0] = wall[0]!, [t1, s1] = wall[wall.length - 1]!;
        setText(factor.value, live && t1 - t0 > 0.5 ? (now.real_time_factor ?? (s1 - s0) / (t1 - t0)).toFixed(2) : "–");
        setText(overruns.value, String(overrunsOf(store)));
        setText(dropped.value, String(store.skipped));
        factor.element.hidden = dropped.element.hidden = store.isRecording;
        const stopWhy = store.isRecording ? "no robot connected" : !live ? "no robot connected" : store.services.has("/run/stop") ? "" : "not offered by this run";
        stop.disabled = stopWhy !== "";
        stop.title = stopWhy || "also: Esc twice";
        if (why.dataset.text !== stopWhy) { why.dataset.text = stopWhy; why.replaceChildren(stopWhy || h("span", { class: "key" }, "Esc Esc")); }
        if (now.controller && !isMine()) { store.movesHardware = false; }
        control.hidden = !live || store.role !== "control" || !store.services.has("/run/control");
        setText(control, isMine() ? "Give back" : "Take control");
        const words = !live ? linkWords(store) : store.isDriving ? "you drive" : isMine() ? "you control" : `${now.controller ? `${now.controller} controls` : "nobody controls"}${store.role === "control" ? "" : ", you look"}`;
        if (who.dataset.text !== words) {
          who.dataset.text = words;
          who.title = live ? forbidden : "";
          who.replaceChildren(h("span", { class: `dot ${live ? (forbidden ? "dim" : "ok") : store.isRecording ? "dim" : "danger"}` }), words);
        }
      },
    };
  },
};

function overrunsOf(store: Store): number {
  let n = 0;
  for (const topic of store.topics.values()) {
    const value = topic.name.startsWith("/executors/") || topic.facts.has("overruns") ? topic.at(store.time)?.overruns : 0;
    n += typeof value === "number" ? value : 0;
  }
  return n;
}

function linkWords(store: Store): string {
  return { none: "the address has no token: open the one that the run has printed", connecting: "connecting", lost: "the run is lost, trying again", ended: "the run has ended", other: "the run is gone; another one is here: open the address that it has printed (doppel ps)", recording: "recording", live: "" }[store.link];
}
