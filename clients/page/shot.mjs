import http from "node:http"; import fs from "node:fs"; import { chromium } from "playwright-core";
const [file, out, ...steps] = process.argv.slice(2), dist = "dist/";
const types = { html: "text/html", js: "text/javascript", css: "text/css" };
const server = http.createServer((q, a) => { const p = q.url.split("?")[0];
  if (p === "/recording.mcap") { a.end(fs.readFileSync(file)); return; }
  const f = dist + (p === "/" ? "index.html" : p.slice(1)); if (!fs.existsSync(f)) { a.writeHead(404).end(); return; }
  a.setHeader("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ws://127.0.0.1:*"); a.setHeader("content-type", types[f.split(".").pop()]); a.end(fs.readFileSync(f)); }).listen(0);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: process.env.LIGHT ? "light" : "dark" });
page.on("console", (m) => console.log("console", m.type(), m.text())); page.on("pageerror", (e) => console.log("ERR", e.message, e.stack?.split("\n")[1]));
const url = file.startsWith("http") ? file : `http://127.0.0.1:${server.address().port}/#r=${"0".repeat(32)}&n=patrol.mcap`;
const t0 = Date.now();
await page.goto(url); await page.waitForSelector("body[data-ready]", { timeout: 60000 }); console.log("ready", Date.now() - t0);
for (const s of steps) { if (s.startsWith("=")) console.log(JSON.stringify(await page.evaluate(s.slice(1)))); else if (/^\d+$/.test(s)) await page.waitForTimeout(Number(s)); else await page.keyboard.press(s); }
await page.waitForTimeout(1500); await page.screenshot({ path: out }); console.log(await page.evaluate("JSON.stringify({...document.querySelector('.scene')?.dataset})"));
await browser.close(); server.close();
