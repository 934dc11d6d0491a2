/** Games on the page, by mouse and by keys, against the tables and the conformance vectors. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";

import { load } from "../../javascript/ttt.js";
import { start } from "../browser.js";
import { boardOn, eventsOn, labels, statusOn, ways } from "../playing.js";

const repository = new URL("../../../", import.meta.url);
const vectors = await readFile(new URL("tests/vectors/events.txt", repository), "utf8");
const tables = await load(new URL("tables/tables.msgpack", repository));

const VARIANTS = ["standard", "fill", "misere", "fastest"];

/** The rules, your mark and your cells; how that ends, and how many cells are in lines. */
const GAMES = [
  ["standard", "X", "013", "XXOXO.O..", "O_WON", "The computer wins.", 3],
  ["standard", "O", "125", "XOOXXOX..", "X_WON", "The computer wins.", 3],
  ["fill", "X", "02368", "XOXXOOXOX", "DRAW", "A draw.", 6],
  ["fill", "O", "1357", "XOXOXOXOX", "X_WON", "The computer wins, by 2 lines.", 5],
  ["misere", "X", "0246", "XOXOXOX..", "O_WON", "The computer wins.", 3],
  ["misere", "O", "012", "OOO.X..XX", "X_WON", "The computer wins.", 3],
  ["fastest", "X", "013", "XXOXO.O..", "O_WON", "The computer wins.", 3],
  ["fastest", "O", "12", "XOOX..X..", "X_WON", "The computer wins.", 3],
];

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

for (const [number, [variant, side, cells, board, result, headline, inLines]] of GAMES.entries()) {
  test(`a game of ${variant}, you as ${side}, from the first move to after its end`, async () => {
    const attempt = ways[number % 2 ? "click" : "keys"];
    const page = await chromium.open(`#${variant}/${side}/`);
    for (const cell of cells) await attempt(page, Number(cell));
    await attempt(page, 8);
    assert.equal(await boardOn(page), board);
    assert.ok((await statusOn(page)).startsWith(`${headline} You took `), await statusOn(page));
    assert.match(await statusOn(page), /; no more moves: undo, or start a new game\.$/);
    assert.equal(await page.locator("#board [data-line]").count(), inLines);
    const rows = [board.slice(0, 3), board.slice(3, 6), board.slice(6)].join(" ");
    assert.equal((await eventsOn(page)).at(-1), `${side} 0 ${rows} ${result} - 2,2`);
  });
}

test("events are those of the conformance vectors, by mouse and by keys in turn", async () => {
  const games = vectors.split("moves").slice(1).map((game) => {
    const [attempts, ...events] = game.trimEnd().split("\n");
    return { attempts: attempts.split(" ").slice(1), events };
  });
  const chosen = games.filter((_, number) => number % 41 === 40);
  assert.ok(chosen.length > 20);
  const page = await chromium.open("#standard/X/");
  for (const [number, { attempts, events }] of chosen.entries()) {
    await page.getByRole("button", { name: "New game" }).click();
    for (const attempt of attempts) {
      const [row, column] = attempt.split(",").map(Number);
      await ways[number % 2 ? "click" : "keys"](page, 3 * row + column);
    }
    assert.deepEqual(await eventsOn(page), events, attempts.join(" "));
  }
});

test("undo takes back your last move with its answer, after the end too, and not the computer's opening", async () => {
  const page = await chromium.open("#standard/X/");
  const undo = page.getByRole("button", { name: "Undo" });
  await ways.click(page, 0);
  const before = await eventsOn(page);
  await ways.click(page, 8);
  await ways.click(page, 8);
  await undo.click();
  assert.deepEqual(await eventsOn(page), before);
  assert.equal(await boardOn(page), "X...O....");
  assert.match(await statusOn(page), /^Your turn, X\. Your last move is taken back\.$/);
  await undo.click();
  await undo.click();
  assert.match(await statusOn(page), /no move to take back/);

  const over = await chromium.open("#fastest/O/12");
  assert.match(await statusOn(over), /^The computer wins\. /);
  for (let taken = 0; taken < 3; taken++) await over.getByRole("button", { name: "Undo" }).click();
  assert.equal(await boardOn(over), "X........");
});

/** What `ttt show` says of a move. */
function wordsOf(value, variant, side, board) {
  if (!value) return value === 0 ? "draw" : "";
  const word = (value < 0) === (side === "X") ? "win" : "loss";
  const empties = [...board].filter((mark) => mark === ".").length;
  return { fastest: `${word} in ${empties - (Math.abs(value) - 1)}`, fill: `${word} by ${Math.abs(value)}` }[variant] ?? word;
}

test("in every variant, shown values are those of the table for you", async () => {
  for (const variant of VARIANTS) {
    for (const [side, cells] of [["X", "1"], ["O", ""]]) {
      const page = await chromium.open(`#${variant}/${side}/${cells}`);
      const board = await boardOn(page);
      assert.ok(!(await labels(page)).some((label) => /win|draw|loss/.test(label)));
      await page.getByRole("switch", { name: "Show values" }).check();
      const expected = tables.table(variant).moveValues(board);
      for (const [cell, label] of (await labels(page)).entries()) {
        const words = wordsOf(expected.get(cell), variant, side, board);
        assert.equal(label.split(", ")[3], words || undefined);
        assert.equal(await page.locator("#board button").nth(cell).innerText(), words);
      }
      await page.locator("#board [tabindex='0']").press("v");
      assert.ok(!(await labels(page)).some((label) => /win|draw|loss/.test(label)));
      await page.context().close();
    }
  }
});
