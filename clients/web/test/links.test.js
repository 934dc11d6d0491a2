/** The link in the address: the whole game, and nothing that is no game. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { start } from "../browser.js";
import { boardOn, eventsOn, linkOn, selected, statusOn, ways } from "../playing.js";

const GAMES = ["#standard/X/428", "#fill/O/8", "#misere/O/", "#fastest/O/12", "#fill/X/08/easy/7", "#standard/X/08/trap/7", "#misere/O/2/hard/4294967295"];

const MALFORMED_LINKS = [
  ["#x", /#x is no link to a game: expected the rules, your mark and your cells, the level and its seed, as in/],
  ["#standard/x/0", /#standard\/x\/0 is no link to a game: expected/],
  ["#standard/X/9", /#standard\/X\/9 is no link to a game: expected/],
  ["#%", /#% is no link to a game: expected/],
  ["#<img src=x onerror=alert(1)>", /is no link to a game: expected/],
  ["#standard/X/0/hard", /is no link to a game: expected/],
  ["#standard/X/0/hard/-1", /is no link to a game: expected/],
  ["#standard/X//expert/1", /: level is "expert", expected one of easy, medium, hard, perfect, trap\./],
  ["#standard/X/0/__proto__/1", /: level is "__proto__", expected one of/],
  ["#standard/X//hard/4294967296", /Seed is 4294967296, expected an integer from 0 to 4294967295/],
  ["#chess/X/0", /Variant is "chess", expected one of standard, fill, misere, fastest/],
  ["#__proto__/X/", /Variant is "__proto__", expected one of/],
  ["#standard/X/04", /cell 4, your move 2, is taken by then\./],
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
  variant: await selected(page, "variant"),
  side: await selected(page, "side"),
  level: await selected(page, "level"),
});

test("a game that is played is the same game when its link is opened", async () => {
  for (const link of GAMES) {
    const [, variant, side, cells, level, seed] = link.split(/[#/]/);
    const page = await chromium.open(`#${variant}/${side}/${level ? `/${level}/${seed}` : ""}`);
    for (const cell of cells) await ways.click(page, Number(cell));
    const played = await shown(page);
    assert.deepEqual([played.link, played.variant, played.side, played.level], [link, variant, side, level ?? "perfect"]);

    const opened = await chromium.open(linkOn(page));
    assert.deepEqual(await shown(opened), played);
    assert.deepEqual(await eventsOn(opened), await eventsOn(page));
    await follow(page, "#fill/X/");
    await page.getByRole("status").filter({ hasText: "the game of the address" }).waitFor();
    await page.goBack();
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
    await page.getByRole("status").filter({ hasText: fault }).filter({ hasText: "The last game is still here." }).waitFor();
    assert.deepEqual(await shown(page), before);
    await page.getByRole("button", { name: "New game" }).click();
  }
});

test("a page opened at a link to no game, or to no level, says so, and has a new game", async () => {
  for (const [link, fault] of MALFORMED_LINKS.filter(([link]) => link.length > 1000 || link.includes("expert"))) {
    const page = await chromium.open(link);
    assert.match(await statusOn(page), fault, link);
    assert.match(await statusOn(page), /This is a new one\.$/);
    const { link: found, ...game } = await shown(page);
    assert.match(found, /^#standard\/X\/\/perfect\/\d{1,4}$/);
    const expected = { board: ".........", headline: "Your turn, X.", variant: "standard", side: "X", level: "perfect" };
    assert.deepEqual(game, expected);
    await ways.click(page, 4);
    assert.match(await boardOn(page), /X/);
    await page.context().close();
  }
});
