// SPDX-License-Identifier: Apache-2.0
// A host written against the npm package `firmata` (not ours, not in this repository): what any user of that package
// does. node firmata.js uno|mega PORT: exercises the emulated board at 127.0.0.1:PORT, wired as client_firmata.sh says,
// prints what it saw and ends with 1 when something is not as it must be.
"use strict";

// The package's own switch for a transport that is handed in: its serial port needs a native module.
process.env.IS_TEST_MODE = "1";
const assert = require("assert");
const net = require("net");
const Board = require("firmata");

const PATIENCE_MS = 5000;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// The first value of `event` that `fits`.
function until(board, event, fits = () => true) {
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(`${event}: not within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    const look = (value) => {
      if (fits(value)) {
        clearTimeout(late);
        board.removeListener(event, look);
        done(value);
      }
    };
    board.on(event, look);
  });
}

// Waits for a digital or analog value: what the board says last must be it.
async function settles(board, event, expected) {
  await until(board, event, (value) => value === expected);
  console.log(`${event} ${expected}`);
}

const answer = (ask) => new Promise((done, fail) => {
  const late = setTimeout(() => fail(new Error("no answer")), PATIENCE_MS);
  ask(() => {
    clearTimeout(late);
    done();
  });
});

function open(port) {
  return new Promise((done, fail) => {
    const socket = net.connect(port, "127.0.0.1");
    const board = new Board(socket, (error) => (error ? fail(error) : done(board)));
  });
}

function checkIdentity(board) {
  assert.deepStrictEqual(board.version, { major: 2, minor: 5 });
  assert.deepStrictEqual(board.firmware, { name: "StandardFirmata.ino", version: { major: 2, minor: 5 } });
  assert.deepStrictEqual(board.RESOLUTION, { ADC: 1023, DAC: null, PWM: 255 });
}

function checkPins(board) {
  const { INPUT, OUTPUT, ANALOG, PWM, SERVO, PULLUP } = board.MODES;
  const modes = (pin) => [...board.pins[pin].supportedModes].sort((a, b) => a - b);
  assert.strictEqual(board.pins.length, 20);
  assert.deepStrictEqual(board.analogPins, [14, 15, 16, 17, 18, 19]);
  assert.deepStrictEqual(modes(0), []);
  assert.deepStrictEqual(modes(9), [INPUT, OUTPUT, PWM, SERVO, PULLUP]);
  assert.deepStrictEqual(modes(12), [INPUT, OUTPUT, SERVO, PULLUP]);
  assert.deepStrictEqual(modes(14), [INPUT, OUTPUT, ANALOG, PULLUP]);
  assert.strictEqual(board.pins[13].analogChannel, 127);
  assert.strictEqual(board.pins[17].analogChannel, 3);
}

async function pinState(board, pin, mode, state) {
  await answer((done) => board.queryPinState(pin, done));
  assert.deepStrictEqual([board.pins[pin].mode, board.pins[pin].state], [mode, state], `state of pin ${pin}`);
  console.log(`pin ${pin}: mode ${mode}, state ${state}`);
}

async function digital(board) {
  board.pinMode(8, board.MODES.OUTPUT);
  board.pinMode(7, board.MODES.INPUT);
  const first = until(board, "digital-read-7");
  board.digitalRead(7, () => {});
  assert.strictEqual(await first, 0, "the present value comes at once");
  for (const level of [1, 0, 1]) {
    const seen = settles(board, "digital-read-7", level);
    board.digitalWrite(8, level);
    await seen;
  }
  await pinState(board, 8, board.MODES.OUTPUT, 1);
  const low = settles(board, "digital-read-7", 0);
  board.transport.write(Buffer.from([0xf5, 8, 0])); // the package has no call for one pin alone
  await low;
  // a pin without a wire floats low, and its pull-up brings it high
  board.pinMode(4, board.MODES.PULLUP);
  const up = settles(board, "digital-read-4", 1);
  board.digitalRead(4, () => {});
  await up;
  await pinState(board, 4, board.MODES.PULLUP, 1);
  board.reportDigitalPin(7, 0);
  board.reportDigitalPin(4, 0);
  await wait(50);
  let reports = 0;
  board.on("digital-read-7", () => reports++);
  board.digitalWrite(8, 1);
  await wait(200);
  assert.strictEqual(reports, 0, "reports that were turned off");
}

async function analogAndPwm(board) {
  const fixed = settles(board, "analog-read-2", 256); // 0.25 of the reference
  board.analogRead(2, () => {});
  await fixed;
  board.pinMode(9, board.MODES.PWM);
  board.analogRead(0, () => {});
  for (const [duty, expected] of [[128, 514], [255, 1023], [0, 0], [51, 205]]) {
    const seen = settles(board, "analog-read-0", expected);
    board.pwmWrite(9, duty);
    await seen;
  }
  await pinState(board, 9, board.MODES.PWM, 51);
}

async function servo(board) {
  board.servoConfig(10, 1000, 2000);
  board.analogRead(1, () => {});
  for (const [position, expected] of [[90, 77], [180, 102], [0, 51], [1250, 64]]) { // pulses of 20 ms, of 1023
    const seen = settles(board, "analog-read-1", expected);
    board.servoWrite(10, position);
    await seen;
  }
  await pinState(board, 10, board.MODES.SERVO, 1250);
}

async function reports(board, ms) {
  let n = 0;
  const count = () => n++;
  board.setSamplingInterval(ms);
  await wait(2 * ms);
  board.on("analog-read-2", count);
  await wait(1000);
  board.removeListener("analog-read-2", count);
  console.log(`sampling interval ${ms} ms: ${n} reports a second`);
  assert.ok(Math.abs(n - 1000 / ms) <= Math.max(2, 150 / ms), `${n} reports a second`);
}

async function strings(board) {
  const text = until(board, "string");
  board.pinMode(9, board.MODES.UNKOWN);
  assert.strictEqual(await text, "Unknown pin mode");
  board.sendString("grüße from the package");
}

async function ping(board) {
  const us = await new Promise((done) => board.pingRead({ pin: 6, value: 1, pulseOut: 5 }, done));
  assert.strictEqual(us, 5800);
  console.log(`ping ${us} us`);
}

async function reset(board) {
  board.reset();
  await wait(100);
  let n = 0;
  board.on("analog-read", () => n++);
  await wait(200);
  assert.strictEqual(n, 0, "reports after a reset");
  await pinState(board, 9, board.MODES.OUTPUT, 0);
  await pinState(board, 14, board.MODES.ANALOG, 0);
}

async function uno(board) {
  checkPins(board);
  await digital(board);
  await analogAndPwm(board);
  await servo(board);
  await reports(board, 100);
  await reports(board, 20);
  await strings(board);
  await ping(board);
  await reset(board);
}

// Pins and channels above 15 go by the extended message.
async function mega(board) {
  assert.strictEqual(board.pins.length, 70);
  assert.strictEqual(board.analogPins.length, 16);
  board.pinMode(44, board.MODES.PWM);
  board.analogRead(15, () => {});
  const seen = settles(board, "analog-read-15", 802);
  board.pwmWrite(44, 200);
  await seen;
  await pinState(board, 44, board.MODES.PWM, 200);
  board.pinMode(40, board.MODES.INPUT);
  board.pinMode(41, board.MODES.OUTPUT);
  const high = settles(board, "digital-read-40", 1);
  board.digitalRead(40, () => {});
  board.digitalWrite(41, 1);
  await high;
}

// The pins of a running application (driver firmata_board): a controller that drives and asks until it is killed.
async function controller(board) {
  assert.deepStrictEqual(board.firmware, { name: "DoppelFirmata.ino", version: { major: 2, minor: 5 } });
  assert.deepStrictEqual(board.RESOLUTION, { ADC: 1023, DAC: null, PWM: 255 });
  assert.strictEqual(board.pins.length, 3);
  board.pinMode(1, board.MODES.SERVO);
  board.servoWrite(1, 1500);
  await pinState(board, 1, board.MODES.SERVO, 1500);
  const first = until(board, "digital-read-0");
  board.pinMode(0, board.MODES.INPUT);
  board.digitalRead(0, () => {});
  assert.strictEqual(await first, 0);
  assert.strictEqual(await new Promise((done) => board.pingRead({ pin: 2, value: 1, pulseOut: 5, timeout: 50000 }, done)), 0);
  console.log("all as it must be");
  for (;;) {
    board.servoWrite(1, 1500);
    await wait(20);
  }
}

async function main() {
  const [kind, port] = process.argv.slice(2);
  const board = await open(Number(port));
  if (kind === "controller") {
    await controller(board);
  }
  checkIdentity(board);
  await (kind === "mega" ? mega(board) : uno(board));
  console.log("all as it must be");
  board.transport.end();
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
