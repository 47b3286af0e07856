// SPDX-License-Identifier: Apache-2.0
// A host written against the npm package `firmata-io` (not ours, not in this repository): the protocol without a transport. The
// transport is written here as its readme says, over a terminal, and bound to the package. node firmata_io.js LINK: exercises the
// emulated Uno behind that link, wired as client_firmata.sh says, prints what it saw and ends with 1 when something is not as it
// must be.
"use strict";

const assert = require("assert");
const Emitter = require("events");
const fs = require("fs");
const tty = require("tty");

const PATIENCE_MS = 5000;

// What the package needs of a serial port: open, data, close, write.
class Terminal extends Emitter {
  constructor(path) {
    super();
    this.fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_NOCTTY);
    this.input = new tty.ReadStream(this.fd);
    this.input.on("data", (bytes) => this.emit("data", bytes));
    this.input.on("error", (error) => this.emit("error", error));
    this.input.on("close", () => this.emit("close"));
    setImmediate(() => this.emit("open"));
  }

  write(bytes) {
    fs.writeSync(this.fd, bytes);
  }

  // The stream has opened the terminal a second time, for itself.
  close() {
    this.input.destroy();
    fs.closeSync(this.fd);
  }
}
const Firmata = require("firmata-io")(Terminal);

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function within(what, start) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(`${what}: not within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    start((...values) => {
      clearTimeout(late);
      done(values);
    });
  });
}

// The events of the opening come in the package's order, each once.
async function open(path, options) {
  const seen = [];
  const board = new Firmata(path, options);
  for (const event of ["open", "reportversion", "queryfirmware", "capability-query", "analog-mapping-query", "ready"]) {
    board.on(event, () => seen.push(event));
  }
  await within("ready", (done) => board.once("ready", done));
  console.log(seen.join(" "));
  return board;
}

async function settles(board, event, expected) {
  await within(`${event} ${expected}`, (done) => {
    const look = (value) => {
      if (value === expected) {
        board.removeListener(event, look);
        done();
      }
    };
    board.on(event, look);
  });
  console.log(`${event} ${expected}`);
}

async function identity(board) {
  assert.deepStrictEqual(board.version, { major: 2, minor: 5 });
  assert.deepStrictEqual(board.firmware, { name: "StandardFirmata.ino", version: { major: 2, minor: 5 } });
  assert.strictEqual(board.pins.length, 20);
  assert.deepStrictEqual(board.analogPins, [14, 15, 16, 17, 18, 19]);
  await within("version", (done) => board.reportVersion(done));
  await within("firmware", (done) => board.queryFirmware(done));
}

// The interval was an option of the constructor.
async function sampling(board, ms) {
  let n = 0;
  const count = () => n++;
  board.analogRead(2, count);
  await wait(1000);
  board.reportAnalogPin(2, 0);
  console.log(`sampling interval ${ms} ms: ${n} reports in a second`);
  assert.ok(Math.abs(n - 1000 / ms) <= 3, `${n} reports`);
}

// Two pins of one port in one message: the wires of 8 and 10 see both.
async function queued(board) {
  for (const pin of [8, 10]) {
    board.pinMode(pin, board.MODES.OUTPUT);
  }
  for (const pin of [7, 11]) {
    board.pinMode(pin, board.MODES.INPUT);
    board.digitalRead(pin, () => {});
  }
  await wait(50);
  board.digitalWrite(8, 1, true);
  board.digitalWrite(10, 1, true);
  await wait(50);
  assert.strictEqual(board.pins[7].value, 0, "queued writes do not leave");
  const both = [settles(board, "digital-read-7", 1), settles(board, "digital-read-11", 1)];
  board.flushDigitalPorts();
  await Promise.all(both);
}

async function analog(board) {
  board.pinMode(9, board.MODES.PWM);
  board.analogRead(0, () => {});
  for (const [duty, expected] of [[51, 205], [255, 1023], [0, 0]]) {
    const seen = settles(board, "analog-read-0", expected);
    board.analogWrite(9, duty);
    await seen;
  }
  const [us] = await within("ping", (done) => board.pingRead({ pin: 6, value: 1, pulseOut: 5 }, done));
  assert.strictEqual(us, 5800);
}

// What this board does not have, and what is no message: it goes on.
async function foreign(board) {
  board.i2cConfig(0);
  board.i2cWrite(0x40, [1, 2, 3]);
  board.stepperConfig(0, board.STEPPER.TYPE.DRIVER, 200, 2, 3);
  board.serialConfig({ portId: board.SERIAL_PORT_IDs.SW_SERIAL0, baud: 9600, rxPin: 2, txPin: 3 });
  board.sendOneWireConfig(2, true);
  board.accelStepperConfig({ deviceNum: 0, type: board.STEPPER.TYPE.DRIVER, stepPin: 2, directionPin: 3 });
  board.sysexCommand([0x0f, ...Array(200).fill(0x55)]);
  board.transport.write(Buffer.from([0xf0, 0x71, 0x01])); // half a text, and then another message
  await within("version", (done) => board.reportVersion(done));
  let text = "";
  board.sysexResponse(0x0e, () => {
    text = "never";
  });
  board.sysexCommand([0x0e, 0x01]);
  await within("state", (done) => board.queryPinState(9, done));
  assert.strictEqual(board.pins[9].mode, board.MODES.PWM);
  assert.strictEqual(text, "", "an answer to what nobody knows");
  board.clearSysexResponse(0x0e);
}

async function main() {
  const path = process.argv[2];
  const board = await open(path, { samplingInterval: 50 });
  await identity(board);
  await sampling(board, 50);
  await queued(board);
  await analog(board);
  await foreign(board);
  board.reset();
  await within("close", (done) => {
    board.once("close", done);
    board.transport.close();
  });
  await wait(300);
  // the next host finds the board as after a reset, also when it skips the questions
  const again = await open(path, { skipCapabilities: true, pinCount: 20 });
  await within("state", (done) => again.queryPinState(9, done));
  assert.strictEqual(again.pins[9].mode, again.MODES.OUTPUT);
  assert.strictEqual(again.pins[9].state, 0);
  console.log("all as it must be");
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
