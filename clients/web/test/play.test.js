/** Games on the page, by mouse and by keys, against the tables and the conformance vectors. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";

import { load } from "../../javascript/ttt.js";
import { start } from "../browser.js";
import { boardOn, eventsOn, labels, linkOn, statusOn, ways } from "../playing.js";

const repository = new URL("../../../", import.meta.url);
const vectors = await readFile(new URL("tests/vectors/events.txt", repository), "utf8");
const tables = await load(new URL("tables/tables.msgpack", repository));

const VARIANTS = ["standard", "fill", "misere", "fastest"];
const LINES = "012 345 678 036 147 258 048 246".split(" ");

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

/** Return how a game has ended by the rules of a variant, or null while it goes on. */
function resultOf(variant, board) {
  const [xs, os] = ["X", "O"].map((mark) => LINES.filter((line) => [...line].every((cell) => board[cell] === mark)).length);
  if (board.includes(".") && (variant === "fill" || xs + os === 0)) return null;
  if (xs === os) return "DRAW";
  return xs > os === (variant !== "misere") ? "X_WON" : "O_WON";
}

const marked = (board, cell, mark) => board.slice(0, cell) + mark + board.slice(cell + 1);

/** Return result -> the cells with which you get it, for all the ways that games can go. */
function waysToEnd(variant, side) {
  const found = new Map();
  const explore = (board, mark, cells) => {
    const result = resultOf(variant, board);
    if (result !== null) {
      if (!found.has(result)) found.set(result, { cells, board });
      return;
    }
    const next = mark === "X" ? "O" : "X";
    const choices = [...Array(9).keys()].filter((cell) => board[cell] === ".");
    if (mark === side) for (const cell of choices) explore(marked(board, cell, mark), next, [...cells, cell]);
    else explore(marked(board, tables.table(variant).move(board), mark), next, cells);
  };
  explore(".........", "X", []);
  return found;
}

for (const variant of VARIANTS) {
  for (const side of ["X", "O"]) {
    test(`${variant}: you, as ${side}, reach every result there is, by mouse or by keys`, async () => {
      const page = await chromium.open("");
      await page.locator(`#variants [value=${variant}]`).check();
      await page.locator(`#sides [value=${side}]`).check();
      const ends = waysToEnd(variant, side);
      assert.deepEqual([...ends.keys()].sort(), ["DRAW", side === "X" ? "O_WON" : "X_WON"]);
      for (const [result, { cells, board }] of ends) {
        const attempt = ways[result === "DRAW" ? "click" : "keys"];
        await page.getByRole("button", { name: "New game" }).click();
        for (const cell of cells) await attempt(page, cell);
        assert.equal(await boardOn(page), board);
        assert.match(await statusOn(page), result === "DRAW" ? /^A draw\. / : /^The computer wins\b/);
        const marks = LINES.filter((line) => /^(X+|O+)$/.test([...line].map((cell) => board[cell]).join(""))).join("");
        assert.equal(await page.locator("#board [data-line]").count(), new Set(marks).size);
        await attempt(page, 8);
        const rows = [board.slice(0, 3), board.slice(3, 6), board.slice(6)].join(" ");
        assert.equal((await eventsOn(page)).at(-1), `${side} 0 ${rows} ${result} - 2,2`);
        assert.equal(await boardOn(page), board);
      }
    });
  }
}

test("events are those of the conformance vectors, by mouse and by keys in turn", async () => {
  const games = vectors.split("moves").slice(1).map((game) => {
    const [attempts, ...events] = game.trimEnd().split("\n");
    return { attempts: attempts.split(" ").slice(1), events };
  });
  const chosen = games.filter((_, number) => number % 41 === 40);
  assert.ok(chosen.length > 20);
  const page = await chromium.open("");
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
  const page = await chromium.open("");
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
  assert.equal(await boardOn(over), marked(".........", tables.table("fastest").move("........."), "X"));
});

test("in every variant, shown values are those of the table for you", async () => {
  for (const variant of VARIANTS) {
    for (const [side, cells] of [["X", "1"], ["O", ""]]) {
      const page = await chromium.open(`#${variant}/${side}/${cells}`);
      const board = await boardOn(page);
      assert.ok(!(await labels(page)).some((label) => /win|draw|loss/.test(label)));
      await page.getByRole("switch", { name: "Show values" }).check();
      const sign = side === "O" ? 1 : -1;
      const expected = new Map();
      for (const [cell, value] of tables.table(variant).moveValues(board)) {
        expected.set(cell, sign * value > 0 ? "win" : value === 0 ? "draw" : "loss");
      }
      for (const [cell, label] of (await labels(page)).entries()) {
        const value = expected.get(cell);
        assert.equal(label.split(", ")[3], value);
        assert.equal(await page.locator("#board button").nth(cell).innerText(), value ?? "");
      }
      await page.locator("#board [tabindex='0']").press("v");
      assert.ok(!(await labels(page)).some((label) => /win|draw|loss/.test(label)));
      await page.context().close();
    }
  }
});

test("in fill, a line does not end the game, and the margin is told", async () => {
  const { cells, board } = waysToEnd("fill", "X").get("O_WON");
  const page = await chromium.open(`#fill/X/${cells.slice(0, -1).join("")}`);
  assert.match(await statusOn(page), /^Your turn, X\. /);
  await ways.click(page, cells.at(-1));
  const lines = Math.abs(tables.table("fill").value(board));
  assert.match(await statusOn(page), new RegExp(`^The computer wins, by ${lines} lines?\\. `));
});
