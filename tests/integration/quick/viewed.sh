#!/usr/bin/env bash
# Who may look into a run: the address with its token opens it, from this machine only; any other Host, path or protocol does not. A run that is
# viewed has the trace of one that is not, is paced, and is listed by `doppel ps` as long as it lives.
source "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
start run "$doppel" run patrol --bind sim --clock sim --rate 4 --quiet --out viewed --view 0
run=$last
until_true 10 grep -q "^view: ws:" run.log || fail "no address"
read -r port token < <(sed -n 's|^view: ws://127.0.0.1:\([0-9]*\)/\([0-9a-f]*\)$|\1 \2|p' run.log)
grep -qx "view: http://127.0.0.1:$port/#t=$token" run.log || fail "no page: $(<run.log)"
[ "$("$doppel" ps)" = "$(printf '%7d  %-24s %s' "$run" Patrol "ws://127.0.0.1:$port/$token")" ] || fail "ps: $("$doppel" ps)"
[ "$(stat -c %a "$XDG_RUNTIME_DIR/doppel/$run.run")" = 600 ] || fail "others may read the token"
echo "{\"pid\": $$, \"name\": \"dead\", \"port\": 1, \"token\": \"x\"}" >"$XDG_RUNTIME_DIR/doppel/$$.run"
"$doppel" ps | grep dead && fail "a process that holds no run is listed"
echo '{"pid": 999999999, "name": "dead", "port": 1, "token": "x"}' >"$XDG_RUNTIME_DIR/doppel/999999999.run"
"$doppel" ps | grep dead && fail "a dead run is listed"
[ ! -e "$XDG_RUNTIME_DIR/doppel/999999999.run" ] || fail "its note stays"
"$doppel" run patrol --bind sim --clock sim --duration 1 --quiet --view "$port" >second 2>&1
[ $? -eq 1 ] && grep -q "cannot listen on port $port of this machine: Address already in use" second || fail "a port that is taken: $(<second)"
cat >client.py <<'PY'
import json, socket, struct, subprocess, sys, time
port, token = int(sys.argv[1]), sys.argv[2]

def knock(path, host=None, protocol="foxglove.websocket.v1", upgrade=True):
    s = socket.create_connection(("127.0.0.1", port), 10)
    lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}"]
    if upgrade:
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "Origin: https://viewer.example"]
        lines += [f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []
    s.sendall("\r\n".join([*lines, "", ""]).encode())
    return s, s.makefile("rb")

def status(*arguments, **named):
    s, stream = knock(*arguments, **named)
    with s:
        line = stream.readline()
        return line.split(b" ")[1:2] if upgrade_is_told(line, stream) else line

def upgrade_is_told(line, stream):
    return b"403" not in line or stream.read().rstrip().split(b"\n")[-1] in REASONS

REASONS = [b"the Host is not one of this server", b"it speaks neither foxglove.websocket.v1 nor foxglove.sdk.v1", b"the token is wrong", b"only WebSocket is spoken"]

for arguments in [dict(path="/"), dict(path="/" + "0" * 32), dict(path="/" + token[1:]), dict(path=f"/{token}", host="evil.example"),
                  dict(path=f"/{token}", host=f"127.0.0.1:{port}.evil.example"), dict(path=f"/{token}", protocol="chat"), dict(path=f"/{token}", protocol="")]:
    assert status(**arguments) == [b"403"], (arguments, status(**arguments))
with socket.create_connection(("127.0.0.1", port), 10) as s:
    s.sendall(f"GET / HTTP/1.1\r\nHost: evil.example\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n".encode())
    assert b" 403 " in s.makefile("rb").readline(), "HTTP/2"
assert status("/", upgrade=False) == [b"200"] and status("/", upgrade=False, host="evil.example") == [b"404"] and status("/other", upgrade=False) == [b"404"]
s, stream = knock(f"/{token}")
while stream.readline().strip():
    pass

def send(opcode, data):
    head = bytes([0x80 | opcode]) + (bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data)))
    s.sendall(head + b"\0\0\0\0" + data)

def receive():
    first, n = stream.read(2)
    n = struct.unpack(">H", stream.read(2))[0] if n == 126 else struct.unpack(">Q", stream.read(8))[0] if n == 127 else n
    return first & 15, stream.read(n)

def text(op):
    while True:
        opcode, data = receive()
        if opcode == 1 and (message := json.loads(data))["op"] == op:
            return message

send(1, b'{"op": "\xff"}')
assert b"a command is JSON" not in stream.read(), "text that is no UTF-8 does not end the connection"
s, stream = knock(f"/{token}")
while stream.readline().strip():
    pass
assert text("serverInfo")["name"] == "Patrol"
channels = {c["topic"]: c for c in text("advertise")["channels"]}
services = {}
while "/component/reset" not in services:
    services.update((s["name"], s["id"]) for s in text("advertiseServices")["services"])
send(1, json.dumps({"op": "subscribe", "subscriptions": [{"id": 7, "channelId": channels["/RobotControl/values"]["id"]}]}).encode())
stamps, begun = [], time.monotonic()
while len(stamps) < 40:
    opcode, data = receive()
    if opcode == 2 and data[0] == 1:
        assert struct.unpack_from("<I", data, 1)[0] == 7 and "state" in json.loads(data[13:])
        stamps.append(struct.unpack_from("<Q", data, 5)[0] / 1e9)
assert all(abs(b - a - 0.05) < 1e-9 for a, b in zip(stamps, stamps[1:])), stamps
assert time.monotonic() - begun > 0.3, "not paced"
send(1, json.dumps({"op": "getParameters", "parameterNames": ["WheelController.WheelDiameter"], "id": "g"}).encode())
assert text("parameterValues")["parameters"] == [{"name": "WheelController.WheelDiameter", "value": 0.07}]
send(1, json.dumps({"op": "setParameters", "parameters": [{"name": "WheelController.WheelDiameter", "value": 0.08}], "id": "s"}).encode())
message = text("status")["message"]
assert "cannot be changed during the run" in message and message.count("WheelController.WheelDiameter") == 1, message
assert text("parameterValues")["parameters"] == [{"name": "WheelController.WheelDiameter", "value": 0.07}]
send(1, json.dumps({"op": "setParameters", "parameters": [{"name": "WheelController.CommandTimeout", "value": -1}], "id": "s"}).encode())
message = text("status")["message"]
assert message.count("CommandTimeout") == 1, message
assert text("parameterValues")["parameters"] == [{"name": "WheelController.CommandTimeout", "value": 500}], "the value that holds"
send(1, json.dumps({"op": "setParameters", "parameters": [{"name": "WheelController.CommandTimeout", "value": 321}], "id": "s"}).encode())
assert text("parameterValues")["parameters"] == [{"name": "WheelController.CommandTimeout", "value": 321}]
send(1, json.dumps({"op": "subscribe", "subscriptions": [{"id": 8, "channelId": channels["/run/state"]["id"]}]}).encode())
while (message := receive())[0] != 2 or message[1][:5] != b"\x01\x08\0\0\0":
    pass
assert json.loads(message[1][13:])["state"] == "running"

replies = {}

def post(name, request):
    replies[len(replies)] = None
    send(2, struct.pack("<BIII", 2, services[name], len(replies) - 1, 4) + b"json" + json.dumps(request).encode())
    return len(replies) - 1

def reply(number):
    while replies[number] is None:
        opcode, data = receive()
        if opcode == 2 and data[0] == 3:
            replies[struct.unpack_from("<I", data, 5)[0]] = json.loads(data[17:])
        elif opcode == 1 and (message := json.loads(data))["op"] == "serviceCallFailure":
            replies[message["callId"]] = message["message"]
    return replies[number]

def call(name, request):
    return reply(post(name, request))

begun = call("/run/pause", {})["time_s"]
assert abs(call("/run/step", {"cycles": 7})["time_s"] - begun - 7 * 0.05) < 1e-9
assert abs(call("/run/run_for", {"seconds": 0.123})["time_s"] - begun - 0.473) < 1e-9
first, second = post("/run/step", {"cycles": 2000}), post("/run/step", {"cycles": 2000})
assert "another request came before its end" in reply(first) and call("/run/pause", {})["ok"]
assert "another request came before its end" in reply(second)
assert call("/run/step", {"cycles": 2.0})["ok"] and "number" in call("/run/step", {"cycles": "2"})
stood = call("/run/rate", {"rate": 1e-300})["time_s"]
assert call("/run/resume", {})["ok"] and call("/run/pause", {})["time_s"] < stood + 0.051, "hardly any rate was taken as none"
assert call("/run/rate", {"rate": 4})["ok"]
assert "cycles" in call("/run/step", {"cycles": 0}) and "needs 'rate'" in call("/run/rate", {})
assert call("/run/resume", {})["ok"]
# one controls, until he gives it back or goes
def shell():
    ended = subprocess.run([sys.argv[3], "param", "set", "WheelController.CommandTimeout", "400"], capture_output=True, text=True)
    return ended.returncode, ended.stderr
assert "needs 'take'" in call("/run/control", {}) and "true or false" in call("/run/control", {"take": 1}) and shell()[0] == 0
assert "does not control the run: nobody does" in call("/run/control", {"take": False})
assert call("/run/control", {"take": True})["ok"] and call("/run/rate", {"rate": 4})["ok"]
code, why = shell()
assert code == 1 and " controls the run" in why, why
assert call("/run/control", {"take": False})["ok"] and shell()[0] == 0 and call("/run/control", {"take": True})["ok"]
more = [knock(f"/{token}") for i in range(15)]
assert all(b" 101 " in stream.readline() for s, stream in more)
assert status(f"/{token}") == [b"503"], "more than 16 viewers"
PY
timeout 30 python3 client.py "$port" "$token" "$doppel" || fail "the client"
grep -q "run: 127.0.0.1#[0-9]* asks for WheelController.CommandTimeout: refused, another one has the control" run.log || fail "no word of a refusal: $(<run.log)"
until_true 10 "$doppel" param set WheelController.CommandTimeout 401 || fail "who has gone still controls"
grep -q "info foxglove: 127.0.0.1#[0-9]* set WheelController.CommandTimeout from [0-9]* to 321" run.log || fail "who has set a parameter is not told: $(<run.log)"
kill -INT "$run"
wait "$run" || fail "the run ended with $?"
[ ! -e "$XDG_RUNTIME_DIR/doppel/$run.run" ] || fail "its note stays after the end"
"$doppel" run patrol --bind sim --clock sim --duration 80 --quiet --out plain >plain.log 2>&1
cmp -n "$(stat -c %s viewed/trace.csv)" plain/trace.csv viewed/trace.csv || fail "a viewer changes the run"
