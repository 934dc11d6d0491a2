/** The review after a game, held against what ttt.js says in Node. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { load } from "../../javascript/ttt.js";
import { start } from "../browser.js";
import { boardOn, eventsOn, labels, statusOn, ways } from "../playing.js";

const tables = await load(new URL("../../../tables/tables.msgpack", import.meta.url));

/** Games that have ended, with slips of both sides. */
const GAMES = ["#standard/X/1284", "#fastest/O/357/easy/2", "#fill/O/3571/easy/2", "#misere/X/5187/easy/14", "#standard/O/7253/hard/14"];

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

const place = (cell) => `row ${Math.floor(cell / 3) + 1}, column ${(cell % 3) + 1}`;

/** Read "row 1, column 2 or 3; row 3, column 1." */
const cellsNamed = (words) =>
  words.split(";").flatMap((row) => row.match(/\d/g).slice(1).map((column) => 3 * row.match(/\d/)[0] + Number(column) - 4));

async function assertStep(page, { number, side, board, cell, best, name }, you) {
  const actor = side === you ? "You" : "The computer";
  const [judgement, better] = (await statusOn(page)).split(" Better: ");
  assert.equal(judgement, `Move ${number}: ${name}. ${actor} took ${place(cell)}.`);
  assert.deepEqual(better ? cellsNamed(better) : best, best);
  assert.equal(better === undefined, name === "best");
  assert.equal(await boardOn(page), board.slice(0, cell) + side + board.slice(cell + 1));
  const judged = (await labels(page)).flatMap((label, at) => (label.split(", ").length > 3 ? [[at, label.split(", ")[3]]] : []));
  const expected = name === "best" ? [] : best.map((at) => [at, "better"]);
  assert.deepEqual(judged, [...expected, [cell, name]].sort(([a], [b]) => a - b));
}

for (const link of GAMES) {
  test(`the review of ${link} is stepped through by click and by key, and says each slip and what was better`, async () => {
    const [, variant, you] = link.split(/[#/]/);
    const page = await chromium.open(link);
    const review = tables.table(variant).review((await eventsOn(page)).map((event) => event.split(" ")));
    assert.ok(review.moves.some(({ name }) => name !== "best"));
    const steps = page.locator("#steps input");
    assert.deepEqual(
      await steps.evaluateAll((all) => all.map((step) => step.getAttribute("aria-label"))),
      review.moves.map(({ number, side, name }) => `Move ${number}${name === "best" ? "" : " slip"}, ${side}, ${name}`),
    );
    const tiled = (kind) => page.locator(`#steps .${kind}`).evaluateAll((paths) => paths.map((path) => path.getAttribute("d").split("M").length - 1));
    assert.deepEqual(await tiled("best"), review.moves.map(({ name, best }) => (name === "best" ? 1 : best.length)));
    assert.deepEqual(await tiled("slip"), review.moves.map(({ name }) => Number(name !== "best")));
    assert.ok(await steps.last().isChecked());
    for (const move of review.moves) {
      await page.locator("#steps label").nth(move.number - 1).click();
      await assertStep(page, move, you);
    }
    for (const move of review.moves.slice(0, -1).reverse()) {
      await page.keyboard.press("ArrowLeft");
      await assertStep(page, move, you);
    }
    const other = you === "X" ? "O" : "X";
    const counted = (mark) => `${review.sides[mark].best} of ${review.sides[mark].moves}`;
    const decided = review.decided ? `Move ${review.decided} decided the game.` : "No move changed who wins with perfect play.";
    const summary = `Best moves: you ${counted(you)}, the computer ${counted(other)}. ${decided}`;
    assert.equal(await page.locator("#summary").innerText(), summary);
  });
}

test("there is a review after the end alone: undo and a new game take it away, and a move there is refused", async () => {
  const page = await chromium.open("#standard/X/128");
  assert.ok(await page.locator("#review").isHidden());
  await ways.click(page, 4);
  await page.getByRole("radio", { name: /Move 2,/ }).check();
  await ways.click(page, 7);
  assert.match(await statusOn(page), /^The computer wins\. .*no more moves/);
  assert.equal(await boardOn(page), "OXXOXOO.X");
  assert.ok(await page.locator("#steps input").last().isChecked());
  await page.getByRole("button", { name: "Undo" }).click();
  assert.ok(await page.locator("#review").isHidden());
});
