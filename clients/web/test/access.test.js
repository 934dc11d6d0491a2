/** The page for everybody: by keys alone, read aloud, on a small phone, by day and by night. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";

import { start } from "../browser.js";
import { boardOn, linkOn, statusOn, ways } from "../playing.js";

const axe = createRequire(import.meta.url)("axe-core");

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

const damaged = (page) => page.route("**/tables.msgpack", (route) => route.fulfill({ body: "damaged" }));

/** name -> how to bring the page there */
const STATES = {
  "a new game": () => {},
  "a game with values": (page) => page.getByRole("switch").check(),
  "an attempt refused": async (page) => {
    await ways.click(page, 0);
    await ways.keys(page, 0);
  },
  "a game lost": async (page) => {
    for (const cell of [1, 2, 8, 4]) await ways.click(page, cell);
    assert.match(await statusOn(page), /^The computer wins\. /);
    await page.getByText("Events").click();
  },
  "a hint": (page) => page.getByRole("button", { name: "Hint" }).click(),
  "a slip in a review": async (page) => {
    for (const cell of [1, 2, 8, 4]) await ways.click(page, cell);
    await page.getByRole("radio", { name: "Move 3 slip, X, loses a draw" }).check();
    assert.equal(await page.locator("#board [data-judgement=best]").count(), 4);
  },
  "a malformed link": (page) => page.evaluate((link) => void (location.hash = link), `#${"x".repeat(1000)}`),
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds no fault in any state, in ${colorScheme}`, async () => {
    for (const [name, bring] of [...Object.entries(STATES), ["damaged tables", null]]) {
      const page = await chromium.open("#standard/X/", { colorScheme, prepare: bring ? undefined : damaged });
      await bring?.(page);
      await page.evaluate(`${axe.source}; null`);
      const { violations, passes } = await page.evaluate("axe.run({ resultTypes: ['violations', 'passes'] })");
      assert.deepEqual(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]), [], name);
      assert.ok(passes.some(({ id }) => id === "color-contrast"), name);
      await page.context().close();
    }
  });
}

test("nothing is wider than the screen of a phone, and what is to be hit is large enough for a finger", async () => {
  for (const [width, height] of [[320, 640], [390, 844], [667, 375], [844, 390]]) {
    for (const name of ["a game with values", "a slip in a review", "a malformed link"]) {
      const page = await chromium.open("#standard/X/", { viewport: { width, height } });
      await STATES[name](page);
      const wide = await page.evaluate(() => {
        const parts = [...document.body.querySelectorAll("*")];
        const ends = parts.filter((part) => part.getBoundingClientRect().right > window.innerWidth);
        return { wide: ends.map((part) => part.outerHTML), scrolls: document.documentElement.scrollWidth };
      });
      assert.deepEqual(wide, { wide: [], scrolls: width }, `${name}, ${width} pixels`);
      for (const target of await page.locator("button:visible, label:visible").all()) {
        const box = await target.boundingBox();
        assert.ok(box.width >= 44 && box.height >= 44, `${box.width} by ${box.height}`);
      }
      await page.context().close();
    }
  }
});

test("on a screen that is wider than high, the board, the status and Undo are seen together", async () => {
  for (const [width, height] of [[568, 320], [667, 375], [844, 390], [1280, 720]]) {
    const page = await chromium.open("#standard/X/1284", { viewport: { width, height } });
    for (const part of ["#board", "#status", "#undo"]) {
      const { x, y, width: wide, height: high } = await page.locator(part).boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, `${part} on ${width} by ${height}`);
    }
    await page.context().close();
  }
});

test("printed, a game is one page with its board and without a control", async () => {
  for (const link of ["#standard/X/", "#standard/X/1284"]) {
    const page = await chromium.open(link, { colorScheme: "dark" });
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    assert.equal(pdf.match(/\/Type \/Page\b/g).length, 1);
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator("#board").isVisible());
    assert.equal(await page.locator(".actions:visible, .options:visible").count(), 0);
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
  }
});

test("the board is a grid with one tab stop, and the arrow keys stay inside it", async () => {
  const page = await chromium.open("");
  const grid = page.getByRole("grid", { name: "Board" });
  assert.equal(await grid.getByRole("row").count(), 3);
  assert.equal(await grid.getByRole("gridcell").count(), 9);
  await page.keyboard.press("Tab");
  const outline = () => page.evaluate(() => getComputedStyle(document.activeElement).outline);
  assert.match(await outline(), /solid 3px/);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);
  assert.equal(await focused(), "row 2, column 2, empty");
  for (const [key, place] of Object.entries({ ArrowUp: "row 1, column 2", ArrowLeft: "row 1, column 1", ArrowDown: "row 3, column 1", ArrowRight: "row 3, column 3" })) {
    for (let step = 0; step < 3; step++) await page.keyboard.press(key);
    assert.equal(await focused(), `${place}, empty`);
  }
  assert.equal(await page.locator("#board [tabindex='0']").count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "undo");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "row 3, column 3, empty");
});

test("on the board alone, and without Ctrl, Alt or Meta, letters act", async () => {
  const page = await chromium.open("#standard/X/0");
  await page.locator("#board [tabindex='0']").focus();
  for (const modifier of ["Control", "Alt", "Meta"]) await page.keyboard.press(`${modifier}+u`);
  await page.getByRole("switch").focus();
  for (const letter of "unhv") await page.keyboard.press(letter);
  assert.equal(linkOn(page), "#standard/X/0");
  assert.equal(await page.getByRole("switch").isChecked(), false);
  await page.locator("#board [tabindex='0']").focus();
  for (const [key, board] of [["v", "X...O...."], ["u", "........."], ["Space", "O...X...."], ["n", "........."]]) {
    await page.keyboard.press(key);
    assert.equal(await boardOn(page), board, key);
  }
  assert.ok(await page.getByRole("switch").isChecked());
});

test("every move and the result are announced in the live region", async () => {
  const page = await chromium.open("#standard/X/");
  assert.equal(await page.getByRole("status").getAttribute("id"), "status");
  await page.evaluate(() => {
    window.announced = [];
    const note = () => window.announced.push(document.querySelector("#status").textContent);
    new MutationObserver(note).observe(document.querySelector("#status"), { childList: true, subtree: true });
  });
  for (const cell of [1, 2, 2, 8, 4, 7]) await ways.click(page, cell);
  assert.deepEqual(await page.evaluate("announced"), [
    "Your turn, X. You took row 1, column 2; the computer took row 1, column 1.",
    "Your turn, X. You took row 1, column 3; the computer took row 2, column 1.",
    "Your turn, X. You took row 1, column 3; the computer took row 2, column 1; row 1, column 3 is taken.",
    "Your turn, X. You took row 3, column 3; the computer took row 2, column 3.",
    "The computer wins. You took row 2, column 2; the computer took row 3, column 1.",
    "The computer wins. You took row 2, column 2; the computer took row 3, column 1; no more moves: undo, or start a new game.",
  ]);
  assert.equal(await boardOn(page), "OXXOXOO.X");
});
