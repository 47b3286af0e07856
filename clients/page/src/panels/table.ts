// SPDX-License-Identifier: Apache-2.0
// All panels, in the order of their places.
import { assembly } from "./assembly/assembly";
import { axes } from "./axes/axes";
import { belief } from "./belief/belief";
import { calls } from "./calls/calls";
import { car } from "./car/car";
import { components } from "./components/components";
import { console_ } from "./console/console";
import { curves } from "./curves/curves";
import { cycles } from "./cycles/cycles";
import { details } from "./details/details";
import { layers } from "./layers/layers";
import { log } from "./log/log";
import { plot } from "./plot/plot";
import { recording } from "./recording/recording";
import { scene } from "./scene/scene";
import { six } from "./six/six";
import { timeline } from "./timeline/timeline";
import { transport } from "./transport/transport";
import { twin } from "./twin/twin";

export const PANELS = [transport, components, calls, axes, assembly, layers, scene, curves, console_, six, twin, belief, car, plot, details, log, cycles, recording, timeline];
