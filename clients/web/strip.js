/** The strip of a review: a small board for each move, one of which is looked at. */

const SHAPES = {
  X: (x, y) => `M${x + 0.2} ${y + 0.2}l.6 .6m0-.6l-.6 .6`,
  O: (x, y) => `M${x + 0.18} ${y + 0.5}a.32 .32 0 1 1 .64 0a.32 .32 0 1 1-.64 0`,
  tile: (x, y) => `M${x + 0.08} ${y + 0.08}h.84v.84h-.84z`,
};

const pathOf = (shape, cells) => cells.map((cell) => SHAPES[shape](cell % 3, Math.floor(cell / 3))).join("");

/** Return the board after a move of a review. */
export const after = ({ board, cell, side }) => board.slice(0, cell) + side + board.slice(cell + 1);

/** Put the moves of a review into an element, as radio buttons that have the numbers of the moves. */
export function drawStrip(moves, element) {
  const steps = moves.map((move) => {
    const { number, side, cell, best, name } = move;
    const step = document.querySelector("#step").content.cloneNode(true);
    const find = (selector) => step.querySelector(selector);
    const slip = name !== "best";
    const board = [...after(move)];
    for (const mark of "XO") {
      const cells = [...board.keys()].filter((cell) => board[cell] === mark);
      find(`.${mark.toLowerCase()}`).setAttribute("d", pathOf(mark, cells));
    }
    find(".best").setAttribute("d", pathOf("tile", slip ? best : [cell]));
    find(".slip").setAttribute("d", pathOf("tile", slip ? [cell] : []));
    find("label").toggleAttribute("data-slip", slip);
    find("span").textContent = slip ? `${number} slip` : number;
    find("input").value = number;
    find("input").setAttribute("aria-label", `Move ${find("span").textContent}, ${side}, ${name}`);
    return step;
  });
  element.replaceChildren(...steps);
}
