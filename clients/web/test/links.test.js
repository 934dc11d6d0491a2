/** The link in the address: the whole game, and nothing that is no game. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { start } from "../browser.js";
import { boardOn, eventsOn, linkOn, statusOn, ways } from "../playing.js";

const GAMES = ["#standard/X/428", "#fill/O/8", "#misere/O/", "#fastest/O/12"];

const MALFORMED_LINKS = [
  ["#x", /#x is no link to a game: expected the rules, your mark and your cells/],
  ["#standard/x/0", /#standard\/x\/0 is no link to a game: expected/],
  ["#standard/X/9", /#standard\/X\/9 is no link to a game: expected/],
  ["#%", /#% is no link to a game: expected/],
  ["#<img src=x onerror=alert(1)>", /is no link to a game: expected/],
  ["#chess/X/0", /variant is "chess", expected one of standard, fill, misere, fastest/],
  ["#__proto__/X/", /variant is "__proto__", expected one of/],
  ["#standard/X/04", /cell 4, your move 2, is taken by then/],
  ["#fastest/O/125", /cell 5, your move 3, comes after the end/],
  [`#standard/X/${"0123".repeat(25000)}`, / #.{39}… is no link to a game: cell \d, your move \d, /],
];

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.close());
afterEach(() => assert.deepEqual(chromium.faults.splice(0), []));

const follow = (page, link) => page.evaluate((link) => void (location.hash = link), link);

const shown = async (page) => ({
  link: linkOn(page),
  board: await boardOn(page),
  headline: await page.locator("#status strong").innerText(),
  variant: await page.locator("#variants :checked").inputValue(),
  side: await page.locator("#sides :checked").inputValue(),
});

test("a game that is played is the same game when its link is opened", async () => {
  for (const link of GAMES) {
    const [, variant, side, cells] = link.split(/[#/]/);
    const page = await chromium.open("");
    await page.locator(`#variants [value=${variant}]`).check();
    await page.locator(`#sides [value=${side}]`).check();
    for (const cell of cells) await ways.click(page, Number(cell));
    const played = await shown(page);
    assert.deepEqual([played.link, played.variant, played.side], [link, variant, side]);

    const opened = await chromium.open(linkOn(page));
    assert.deepEqual(await shown(opened), played);
    assert.deepEqual(await eventsOn(opened), await eventsOn(page));
    await follow(page, "#fill/X/");
    await page.getByRole("radio", { name: "Fill" }).and(page.locator(":checked")).waitFor();
    await follow(page, link);
    await page.locator(`#variants [value=${variant}]:checked`).waitFor();
    assert.deepEqual(await shown(page), played);
    await page.context().close();
    await opened.context().close();
  }
});

test("a link to no game is refused with its fault, and the game that is there stays", async () => {
  const page = await chromium.open("#misere/O/");
  const before = await shown(page);
  for (const [link, fault] of MALFORMED_LINKS) {
    await follow(page, link);
    await page.getByRole("status").filter({ hasText: fault }).waitFor();
    assert.deepEqual(await shown(page), before);
    await page.getByRole("button", { name: "New game" }).click();
  }
});

test("a page opened at a link to no game says so, and has a new game", async () => {
  for (const [link, fault] of MALFORMED_LINKS.slice(-1)) {
    const page = await chromium.open(link);
    assert.match(await statusOn(page), fault, link);
    assert.deepEqual(await shown(page), {
      link: "#standard/X/",
      board: ".........",
      headline: "Your turn, X.",
      variant: "standard",
      side: "X",
    });
    await ways.click(page, 4);
    assert.equal(await boardOn(page), "O...X....");
    await page.context().close();
  }
});
