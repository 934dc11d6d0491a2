/** dist/ on a local server, and a headless Chromium to open it in: for the tests and the screenshots. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { extname } from "node:path";
import { chromium } from "playwright-core";

const DIST = new URL("dist/", import.meta.url);
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
};

/**
 * Serve dist/ at a free port, and start Chromium.
 *
 * `open` opens the page at a link, in a context of its own. `requests` and `faults` then
 * list what all pages asked for, and the errors and warnings in their consoles.
 */
export async function start() {
  const server = createServer(async (request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    try {
      const content = await readFile(new URL(name, DIST));
      response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream").end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await once(server.listen(0), "listening");
  const { port } = server.address();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      // Served from plain http:, and not from localhost; there is nobody else to be reached.
      "--host-resolver-rules=MAP elsewhere.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost",
    ],
  });
  const requests = [];
  const faults = [];
  const open = async (link, { address = `http://localhost:${port}/`, prepare, ...options } = {}) => {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30000);
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    await prepare?.(page);
    await page.goto(address + link);
    if (options.javaScriptEnabled === false) return page;
    await page.getByRole("status").filter({ hasNotText: "Loading" }).waitFor();
    return page;
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { open, close, port, requests, faults };
}
