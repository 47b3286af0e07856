// SPDX-License-Identifier: Apache-2.0
// Driving by hand: a velocity is published ten times a second, only while the dead man's switch is held, the page has the focus, and the run answers.
import { mayMove, takeIfFree, whyNot } from "../../data/control";
import { drivePort, velocity, type DrivePort } from "../../data/drive";
import type { Store } from "../../data/store";
import { h, panel, setClass, setText, setValue } from "../../ui/dom";
import { number } from "../../ui/format";
import { toast } from "../../ui/toast";
import type { Panel } from "../panel";
import { Hands } from "./hands";
import "./drive.css";

const PERIOD_MS = 100;
/** A velocity that has no answer for so long waits somewhere: what is sent after it would drive the robot late. */
const SILENCE_MS = 1000;

class Driver {
  port: DrivePort | undefined;
  isOn = false;
  /** What was sent last; undefined: nobody drives. */
  sent: { linear: number; angular: number } | undefined;
  share = 0.5;
  roundTrip = NaN;
  private askedAt: number | undefined;
  private stoppedAt = 0;
  readonly hands = new Hands(() => this.stop());

  constructor(private store: Store) {
    setInterval(() => this.turn(), PERIOD_MS);
    store.onRefusal = (text) => { if (this.sent && this.port && text.startsWith(this.port.name)) { this.end(text); } };
  }

  /** Why nobody may drive from here; "": one may. */
  why(): string {
    return whyNot(this.store);
  }

  toggle() {
    if (this.isOn) { this.end(); return; }
    this.begin().catch((why: Error) => toast(why.message));
  }

  private async begin() {
    if (!(await mayMove(this.store, "Start driving?", "Drive"))) { return; }
    await takeIfFree(this.store);
    this.isOn = this.hands.isOn = true;
    this.store.changed();
  }

  /** Somebody has to start anew. */
  end(why = "") {
    this.hands.release();
    this.isOn = this.hands.isOn = false;
    if (why) { toast(why); }
    this.store.changed();
  }

  /** The switch is open: the robot is to stop now, and not only when the run has missed the next velocity. */
  private stop() {
    if (!this.sent || !this.port) { return; }
    this.sent = undefined;
    this.askedAt = undefined;
    this.store.publish?.(this.port.name, velocity(0, 0, false));
    this.store.changed();
    this.stoppedAt = performance.now();
  }

  private turn() {
    // the run lets go of the port some time after the last velocity
    if (!this.sent && this.store.isDriving && performance.now() - this.stoppedAt > 700) { this.store.isDriving = false; this.store.changed(); }
    if (!this.isOn) { return; }
    const why = this.port ? this.why() : "the run has no such port";
    if (why) { this.end(why); return; }
    const wish = this.hands.wish(), now = performance.now();
    if (!wish.isHeld || document.hidden || !document.hasFocus()) { this.stop(); return; }
    if (this.askedAt !== undefined && now - this.askedAt > SILENCE_MS) { this.end("the run does not answer: let go, and start again"); return; }
    const { port, store } = this, linear = wish.forward * this.share * port!.speed, angular = wish.turn * this.share * port!.turn;
    this.sent = { linear, angular };
    store.isDriving = true;
    store.publish?.(port!.name, velocity(linear, angular, true));
    if (this.askedAt === undefined) {
      this.askedAt = now;
      store.ping?.().then(() => { this.roundTrip = performance.now() - now; if (this.askedAt === now) { this.askedAt = undefined; } }, () => this.end("the run is lost"));
    }
    store.changed();
  }
}

export const drive: Panel = {
  name: "drive",
  place: "left",
  fits: (store) => !store.isRecording && drivePort(store) !== undefined,
  make({ store }) {
    const driver = new Driver(store), to = h("span", {});
    const take = h("button", { id: "drive", click: () => driver.toggle() }), hold = h("button", { id: "hold", class: "hold" }, "Hold ", h("span", { class: "key" }, "⇧ Shift"));
    const share = h("input", { type: "range", min: "10", max: "100", step: "10", value: "50", "aria-label": "Share of the largest speed", input: () => { driver.share = Number(share.value) / 100; store.changed(); } });
    const keys = ([["W", "forward"], ["A", "turn left"], ["S", "back"], ["D", "turn right"]] as const).map(([key, what]) => h("span", { class: "key", title: what }, key));
    const v = h("span", { class: "num" }), w = h("span", { class: "num" }), most = h("span", { class: "num" }), trip = h("span", { class: "num" }), why = h("p", { class: "empty" });
    driver.hands.attach(hold);
    return {
      element: panel("Drive by hand", to, h("div", { class: "drive" }, take, hold), why,
        h("div", { class: "wish" }, h("div", { class: "cross", "aria-hidden": "true" }, ...keys), h("div", {}, h("div", {}, h("span", {}, "forward"), v), h("div", {}, h("span", {}, "turn"), w), h("div", {}, h("span", {}, "answer after"), trip))),
        h("label", { class: "share" }, "at most", share, most)),
      update() {
        driver.port = drivePort(store);
        const reason = driver.why(), { port, sent } = driver;
        setText(to, port?.name.slice(1) ?? "");
        setText(take, driver.isOn ? "Stop driving" : "Start driving");
        take.disabled = !driver.isOn && reason !== "";
        take.title = hold.title = reason;
        take.setAttribute("aria-pressed", String(driver.isOn));
        hold.disabled = !driver.isOn;
        setClass(hold, "on", sent !== undefined);
        hold.setAttribute("aria-pressed", String(sent !== undefined));
        setText(why, reason || (driver.isOn ? `Hold Shift or this button, and press W A S D or arrows. ${driver.hands.gamepad()}` : "Start first: then hold Shift, and press W A S D or arrows."));
        setValue(v, number(sent?.linear ?? 0, 2), "m/s");
        setValue(w, number(((sent?.angular ?? 0) * 180) / Math.PI, 0), "°/s");
        setValue(trip, Number.isNaN(driver.roundTrip) ? "–" : driver.roundTrip.toFixed(0), "ms");
        if (port) { setValue(most, number(driver.share * port.speed, 2), "m/s"); }
        keys.forEach((key, i) => setClass(key, "on", sent !== undefined && [sent.linear > 0, sent.angular > 0, sent.linear < 0, sent.angular < 0][i]!));
      },
    };
  },
};
