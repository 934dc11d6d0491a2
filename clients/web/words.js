/** What the page says, in words. */

export const placeOf = (cell) => `row ${Math.floor(cell / 3) + 1}, column ${(cell % 3) + 1}`;

/** Name cells row by row: "row 1, column 2 or 3; row 3, column 1". */
function placesOf(cells) {
  const rows = [0, 1, 2].map((row) => cells.filter((cell) => Math.floor(cell / 3) === row)).filter((row) => row.length > 0);
  return rows.map(([first, ...more]) => [placeOf(first), ...more.map((cell) => (cell % 3) + 1)].join(" or ")).join("; ");
}

export const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`;

const actorOf = (mark, side) => (mark === side ? "you" : "the computer");

export function headlineOf({ variant, side, status, board }, table) {
  if (status === "IN_PROGRESS") return `Your turn, ${side}.`;
  if (status === "DRAW") return "A draw.";
  const lines = Math.abs(table.value(board));
  const margin = variant === "fill" ? `, by ${lines} ${lines === 1 ? "line" : "lines"}` : "";
  return `${status === `${side}_WON` ? "You win" : "The computer wins"}${margin}.`;
}

/** Tell your last move, the answer to it and, if your last attempt was none, why: it must not hide them. */
export function told({ events, side }) {
  const yours = events.findLastIndex(([actor, accepted]) => actor === side && accepted === "1");
  const recent = events.slice(Math.max(yours, 0)).filter(([, accepted], at, all) => accepted === "1" || at === all.length - 1);
  const clauses = recent.map(([actor, accepted, , , , status, , attempt]) => {
    const [row, column] = attempt.split(",").map(Number);
    const place = placeOf(3 * row + column);
    if (accepted === "1") return `${actorOf(actor, side)} took ${place}`;
    return status === "IN_PROGRESS" ? `${place} is taken` : "no more moves: undo, or start a new game";
  });
  return sentence(clauses.join("; "));
}

/** Say what a move that leads to this value means for you, to move on this board: "win in 3", "loss by 2". */
export function prospect({ variant, side, board }, value) {
  if (value === 0) return "draw";
  const result = value > 0 === (side === "O") ? "win" : "loss";
  if (variant === "fill") return `${result} by ${Math.abs(value)}`;
  // In fastest, a value is 1 and the cells left empty at the end.
  return variant === "fastest" ? `${result} in ${board.split(".").length - Math.abs(value)}` : result;
}

/** Say which cells are best for you, and what they mean. */
export function hintOf(best, board, prospect) {
  const all = best.length === board.split(".").length - 1;
  return `Best: ${all ? "any cell" : placesOf(best)}. That is a ${prospect}.`;
}

/** Name a move of a review, and say what would have been better. */
export function stepOf({ number, side, cell, best, name }, you) {
  const better = name === "best" ? "" : ` Better: ${placesOf(best)}.`;
  return [`Move ${number}: ${name}.`, `${sentence(`${actorOf(side, you)} took ${placeOf(cell)}`)}${better}`];
}

/** Say how many moves of a review were best, and which one decided the game. */
export function summaryOf({ sides, decided }, you) {
  const counts = ["X", "O"].map((mark) => `${actorOf(mark, you)} ${sides[mark].best} of ${sides[mark].moves}`);
  if (you === "O") counts.reverse();
  const turning = decided === null ? "No move changed who wins with perfect play." : `Move ${decided} decided the game.`;
  return `Best moves: ${counts.join(", ")}. ${turning}`;
}
