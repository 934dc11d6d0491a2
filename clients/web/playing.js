/** How the tests play on the page, and what they read from it. */

const cellsOf = (page) => page.locator("#board button");

/** Try a cell with the mouse, or go there with the arrow keys from wherever the board has focus. */
export const ways = {
  click: (page, cell) => cellsOf(page).nth(cell).click(),
  keys: async (page, cell) => {
    await page.locator("#board [tabindex='0']").focus();
    const from = await page.evaluate(() => [...document.querySelectorAll("#board button")].indexOf(document.activeElement));
    const down = Math.floor(cell / 3) - Math.floor(from / 3);
    const right = (cell % 3) - (from % 3);
    for (let step = 0; step < Math.abs(down); step++) await page.keyboard.press(down < 0 ? "ArrowUp" : "ArrowDown");
    for (let step = 0; step < Math.abs(right); step++) await page.keyboard.press(right < 0 ? "ArrowLeft" : "ArrowRight");
    await page.keyboard.press(cell % 2 ? "Enter" : "Space");
  },
};

/** Play to the end: each time the first empty cell. */
export async function playOn(page, attempt) {
  while (!(await page.locator("#review").isVisible())) await attempt(page, (await boardOn(page)).indexOf("."));
}

export const labels = (page) => cellsOf(page).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));

/** Return the board as it is labelled, once that is also what is drawn. */
export async function boardOn(page) {
  const drawn = await cellsOf(page).evaluateAll((cells) =>
    cells.map((cell) => {
      const seen = ["x", "o"].filter((mark) => getComputedStyle(cell.querySelector(`.${mark}`)).display !== "none");
      return seen.join("").toUpperCase() || ".";
    }),
  );
  const labelled = (await labels(page)).map((label, cell) => {
    const [, row, column, mark] = /^row (\d), column (\d), (X|O|empty)(?:, |$)/.exec(label);
    if (3 * (row - 1) + (column - 1) !== cell) throw new Error(`cell ${cell} is labelled ${label}`);
    return mark === "empty" ? "." : mark;
  });
  if (drawn.join() !== labelled.join()) throw new Error(`drawn ${drawn}, labelled ${labelled}`);
  return labelled.join("");
}

export const statusOn = (page) => page.getByRole("status").innerText().then((text) => text.replace(/\s+/g, " "));

/** Return the list of events: "X 1 X.. ... ... IN_PROGRESS O 0,0". */
export const eventsOn = (page) =>
  page.locator("#events").evaluate((list) => list.textContent.split("\n").filter((line) => /^[XO] /.test(line)));

export const selected = (page, name) => page.locator(`[name=${name}]:checked`).inputValue();

export const linkOn = (page) => new URL(page.url()).hash;
