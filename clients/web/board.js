/** The board: nine buttons, of which one is in the order of the Tab key. */

import { placeOf } from "./words.js";

const table = document.querySelector("#board");
const cells = [];
for (let row = 0; row < 3; row++) {
  const cellsOfRow = table.insertRow();
  for (let column = 0; column < 3; column++) {
    cellsOfRow.insertCell().append(document.querySelector("#cell").content.cloneNode(true));
  }
}
cells.push(...table.querySelectorAll("button"));

/**
 * Draw a board.
 *
 * `lines` are cells that are in lines. `values` has words such as "win in 3" for cells,
 * `judged` pairs of "best" or "slip" and the words for it.
 */
export function drawBoard(board, { lines = new Set(), values = new Map(), judged = new Map() }) {
  for (const [cell, button] of cells.entries()) {
    const value = values.get(cell) ?? "";
    const [judgement, words] = judged.get(cell) ?? ["", ""];
    const content = [board[cell] === "." ? "empty" : board[cell], value, words].filter(Boolean);
    button.setAttribute("aria-label", [placeOf(cell), ...content].join(", "));
    Object.assign(button.dataset, { mark: board[cell], value: value.split(" ")[0], judgement });
    button.toggleAttribute("data-line", lines.has(cell));
    button.querySelector(".words").textContent = board[cell] === "." ? content.slice(1).join("\n") : "";
  }
}

/** Only one cell is in the order of the Tab key: the one where the arrow keys have led. */
function focusFrom(cell) {
  for (const [other, button] of cells.entries()) button.tabIndex = other === cell ? 0 : -1;
}

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Listen to the board: `attempt` gets the cell that is tried, and each of `letters` acts when it is typed. */
export function listen(attempt, letters) {
  table.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const cell = cells.indexOf(event.target);
    if (event.key in ARROWS) {
      const [down, right] = ARROWS[event.key];
      const [row, column] = [Math.floor(cell / 3) + down, (cell % 3) + right];
      if ([row, column].every((at) => at >= 0 && at < 3)) cells[3 * row + column].focus();
    } else if (event.key.toLowerCase() in letters) {
      letters[event.key.toLowerCase()]();
    } else {
      return;
    }
    event.preventDefault();
  });
  for (const [cell, button] of cells.entries()) {
    button.addEventListener("focus", () => focusFrom(cell));
    button.addEventListener("click", () => attempt(cell));
  }
}

focusFrom(4);
