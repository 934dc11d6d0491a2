/** What happens by mistake does no harm: a game that is left comes back, and a second click hides nothing. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { start } from "../browser.js";
import { boardOn, linkOn, selected, statusOn, ways } from "../playing.js";

const LEFT = "#standard/X/18/hard/5";

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

const undo = (page) => page.getByRole("button", { name: "Undo" }).click();

/** name -> how the game is left, and what the new one is */
const DEPARTURES = {
  "New game": [(page) => page.getByRole("button", { name: "New game" }).click(), "standard/X"],
  "the key N": [(page) => page.locator("#board [tabindex='0']").press("n"), "standard/X"],
  "an arrow key on the rules": [(page) => page.locator("#variants :checked").press("ArrowDown"), "fastest/X"],
  "another level": [(page) => page.locator("#levels [value=easy]").check(), "standard/X"],
};

for (const [name, [leave, kind]] of Object.entries(DEPARTURES)) {
  for (const [way, comeBack] of Object.entries({ undo, "the back button": (page) => page.goBack() })) {
    test(`a game left by ${name} comes back by ${way}`, async () => {
      const page = await chromium.open(LEFT);
      const board = await boardOn(page);
      await leave(page);
      assert.match(await statusOn(page), /Undo brings the last one back\.$/);
      assert.match(linkOn(page), new RegExp(`^#${kind}//[a-z]+/\\d+$`));
      await comeBack(page);
      await page.waitForURL(`**/${LEFT}`);
      await page.getByRole("status").filter({ hasText: "the game of the address" }).waitFor();
      assert.equal(await boardOn(page), board);
      assert.equal(await selected(page, "level"), "hard");
      await undo(page);
      assert.equal(linkOn(page), "#standard/X/1/hard/5");
    });
  }
}

test("undo goes back game by game, through those that were played, and not out of the page", async () => {
  const page = await chromium.open("#standard/X/1");
  for (const variant of ["fill", "misere", "fastest"]) await page.locator(`#variants [value=${variant}]`).check();
  await ways.click(page, 8);
  await page.locator("#sides [value=O]").check();
  assert.equal(linkOn(page), "#fastest/O/");
  await undo(page);
  await page.waitForURL("**/#fastest/X/8");
  await undo(page);
  await undo(page);
  await page.waitForURL("**/#standard/X/1");
  await undo(page);
  await undo(page);
  assert.match(await statusOn(page), /You have no move to take back\.$/);
  assert.equal(linkOn(page), "#standard/X/");
});

test("a double click on New game can be taken back, and one on Undo does not go beyond the game before", async () => {
  const page = await chromium.open("");
  await page.evaluate((link) => void (location.hash = link), LEFT);
  await page.getByRole("status").filter({ hasText: "the game of the address" }).waitFor();
  await page.getByRole("button", { name: "New game" }).dblclick();
  assert.match(await statusOn(page), /Undo brings the last one back\.$/);
  await page.getByRole("button", { name: "Undo" }).dblclick();
  await page.waitForURL(/18?\/hard\/5$/);
  await page.waitForTimeout(500); // and stays there
  assert.match(linkOn(page), /^#standard\/X\/18?\/hard\/5$/);
});

test("a double click or a double tap leaves what the computer did to be read", async () => {
  const taken = /^Your turn, X\. You took row 1, column 2; the computer took row 1, column 1/;
  const page = await chromium.open("#standard/X/");
  await page.locator("#board button").nth(1).dblclick();
  assert.match(await statusOn(page), taken);
  const phone = await chromium.open("#standard/X/", { hasTouch: true, isMobile: true, viewport: { width: 844, height: 390 } });
  for (let tap = 0; tap < 2; tap++) await phone.locator("#board button").nth(1).tap();
  assert.match(await statusOn(phone), taken);
  assert.equal(await boardOn(phone), "OX.......");
});

test("by touch, a whole game is played and reviewed", async () => {
  const page = await chromium.open("#standard/X/", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  for (const cell of [1, 2, 8, 4]) await page.locator("#board button").nth(cell).tap();
  assert.match(await statusOn(page), /^The computer wins\. /);
  await page.locator("#steps label").nth(2).tap();
  assert.match(await statusOn(page), /^Move 3: loses a draw\. /);
  await page.getByRole("button", { name: "New game" }).tap();
  assert.equal(await boardOn(page), ".........");
});
