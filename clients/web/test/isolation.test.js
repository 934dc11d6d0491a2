/** The page on its own: its own files only, nothing kept, and a plain word where it cannot start. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";

import { start } from "../browser.js";
import { statusOn, ways } from "../playing.js";

const bundle = await readFile(new URL("../dist/tables.msgpack", import.meta.url));

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

const answer = (file, response) => (page) => page.route(`**/${file}`, (route) => route.fulfill(response));

async function playSome(page) {
  for (const cell of [1, 2, 8, 4]) await ways.click(page, cell);
  for (const name of ["Undo", "Copy link", "New game"]) await page.getByRole("button", { name }).click();
  await page.getByRole("switch").check();
  await page.locator("#sides [value=O]").check();
}

test("the policy of the page lets nothing else be asked for, and no script be written into it", async () => {
  const page = await chromium.open("");
  const refused = await page.evaluate(async (address) => {
    const directives = [];
    document.addEventListener("securitypolicyviolation", (event) => directives.push(event.effectiveDirective));
    await fetch(address).catch(() => {});
    document.body.append(Object.assign(new Image(), { src: `${address}icon.svg` }));
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.written = true" }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { directives: directives.sort(), written: "written" in window };
  }, `http://elsewhere.test:${chromium.port}/`);
  assert.deepEqual(refused, { directives: ["connect-src", "img-src", "script-src-elem"], written: false });
  chromium.faults.length = 0; // the browser's own words on these three
});

test("nothing is kept in the browser, and Copy link copies the address", async () => {
  const page = await chromium.open("#standard/X/", { permissions: ["clipboard-read", "clipboard-write"] });
  await playSome(page);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `http://localhost:${chromium.port}/#standard/X/128`);
  const kept = await page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookie: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
  assert.deepEqual(kept, { local: 0, session: 0, cookie: "", databases: 0, caches: 0, workers: 0 });
  assert.deepEqual(await page.context().cookies(), []);
});

const flipped = Buffer.from(bundle);
flipped[flipped.length - 1000] ^= 1; // in the array `reachable` of `fastest`

const FAULTS = {
  "a flipped bit": [answer("tables.msgpack", { body: flipped }), /tables\.msgpack: \w+\.\w+: sha256 of data is \w+, expected/],
  "no file": [answer("tables.msgpack", { status: 404 }), /cannot be fetched \(HTTP status 404\)/],
  "no client": [answer("ttt.js", { status: 404 }), /Failed to fetch .*page\.js\. All files of dist\/ have to be there/],
  "a module of another type": [
    answer("msgpack/index.mjs", { body: "", contentType: "application/octet-stream" }),
    /\.mjs files to be sent as text\/javascript/,
  ],
};

for (const [name, [prepare, message]] of Object.entries(FAULTS)) {
  test(`with ${name}, the page says that it cannot start, and why, and offers no board`, async () => {
    const page = await chromium.open("", { prepare });
    assert.match(await statusOn(page), /^This page cannot start\. /);
    assert.match(await statusOn(page), message);
    assert.equal(await page.locator("button:visible, input:visible").count(), 0);
    chromium.faults.length = 0; // the browser's own words on the file
  });
}

test("from plain http: elsewhere than localhost, the tables are checked all the same, and a game is played", async () => {
  const address = `http://elsewhere.test:${chromium.port}/`;
  const page = await chromium.open("#standard/X/", { address });
  assert.equal(await page.evaluate("isSecureContext"), false);
  await playSome(page);
  const damaged = await chromium.open("", { address, prepare: FAULTS["a flipped bit"][0] });
  assert.match(await statusOn(damaged), FAULTS["a flipped bit"][1]);
});

test("opened from a directory, the page says what to do", async () => {
  const page = await chromium.open("", { address: new URL("../dist/index.html", import.meta.url).href });
  assert.match(await statusOn(page), /from a web server only: run python3 -m http\.server/);
  chromium.faults.length = 0;
});

test("without JavaScript, the page says that it needs it", async () => {
  const page = await chromium.open("", { javaScriptEnabled: false });
  assert.match(await page.locator("main").innerText(), /This page needs JavaScript/);
});

