/** Levels and hints on the page, held against what ttt.js says in Node. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { LEVELS, load } from "../../javascript/ttt.js";
import { start } from "../browser.js";
import { boardOn, eventsOn, labels, linkOn, playOn, selected, statusOn, ways } from "../playing.js";

const tables = await load(new URL("../../../tables/tables.msgpack", import.meta.url));
const TRAP = "is perfect, too, and plays of the best cells those after which the most replies are wrong";
const VARIANTS = ["standard", "fill", "misere", "fastest"];

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

/** Hold each move of the computer against the level and the seed in the link. */
async function assertDrawn(page, level) {
  const [, variant, side, , named, seed] = linkOn(page).split(/[#/]/);
  assert.equal(named, level);
  let board = ".........";
  for (const [actor, , ...rows] of (await eventsOn(page)).map((event) => event.split(" "))) {
    const after = rows.slice(0, 3).join("");
    const cell = [...after].findIndex((mark, at) => mark !== board[at]);
    const options = { trap: level === "trap" };
    const drawn = tables.table(variant).choose(options.trap ? "perfect" : level, Number(seed), board, undefined, options);
    if (actor !== side) assert.equal(cell, drawn, `${level} ${board}`);
    board = after;
  }
  assert.notEqual(board, ".........");
}

for (const [number, level] of [...Object.keys(LEVELS), "trap"].entries()) {
  test(`whole games at ${level}, as X and as O, by mouse and by keys, are those of its seed`, async () => {
    const page = await chromium.open("");
    await page.locator(`#variants [value=${VARIANTS[number % 4]}]`).check();
    await page.locator(`#levels [value=${level}]`).check();
    for (const [side, way] of [["X", "click"], ["O", "keys"]]) {
      await page.locator(`#sides [value=${side}]`).check();
      await playOn(page, ways[way]);
      await assertDrawn(page, level);
      await page.getByRole("button", { name: "New game" }).click();
      assert.equal(await selected(page, "level"), level);
    }
  });
}

test("each level is offered with its definition", async () => {
  const page = await chromium.open("");
  const offered = await page.locator("#levels label").allInnerTexts();
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ");
  assert.deepEqual(offered.map(plain), Object.entries({ ...LEVELS, trap: TRAP }).map((level) => `${level.join(" ")}.`));
});

test("undo and the same move bring the same answer, as the seed stays", async () => {
  const page = await chromium.open("#standard/X/4/easy/11");
  const before = await boardOn(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await ways.click(page, 4);
  assert.equal(await boardOn(page), before);
});

const HINTS = [
  ["#fastest/X/013/easy/0", null],
  ["#standard/X/1", "Best: row 2, column 1 or 2; row 3, column 1 or 3. That is a draw."],
  ["#fill/X/", "Best: any cell. That is a draw."],
  ["#misere/O/", null],
];

for (const [link, sentence] of HINTS) {
  test(`a hint in ${link} marks and names the best cells, by button and by key, until the next move`, async () => {
    const page = await chromium.open(link);
    const board = await boardOn(page);
    const best = tables.table(link.split(/[#/]/)[1]).optimalMoves(board);
    const hinted = async () => {
      const found = (await labels(page)).flatMap((label, cell) => (label.endsWith(", best") ? [cell] : []));
      assert.equal(await page.locator("#board [data-judgement=best]").count(), found.length);
      return found;
    };
    await page.getByRole("button", { name: "Hint" }).click();
    assert.deepEqual(await hinted(), best);
    if (sentence) assert.equal(await statusOn(page), `Your turn, ${link.split("/")[1]}. ${sentence}`);
    await ways.click(page, best[0]);
    assert.deepEqual(await hinted(), []);
    if (await page.locator("#review").isHidden()) {
      await page.locator("#board [tabindex='0']").press("h");
      assert.notDeepEqual(await hinted(), []);
    }
  });
}
