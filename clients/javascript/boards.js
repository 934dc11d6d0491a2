/**
 * Boards, states and the errors: what needs no tables.
 *
 * Cells, marks, turns and the sentinels are those of `tables/README.md`. The index of a
 * state is the turn and the nine marks, `. X O` as the digits `0 1 2`, read in base 3:
 *
 *     "XX.OO....", X to move   ->   0 110220000 in base 3   ->   9,396
 */

const MARKS = ".XO";
export const BOARDS = 3 ** 9;
export const STATES = 2 * BOARDS;

export const THREE = [0, 1, 2];
export const ROWS = THREE.map((row) => THREE.map((column) => 3 * row + column));
export const ALL_CELLS = ROWS.flat();

export const LINES = Object.freeze(
  [
    ...ROWS,
    ...THREE.map((column) => ROWS.map((row) => row[column])),
    ROWS.map((row, at) => row[at]),
    ROWS.map((row, at) => row[2 - at]),
  ].map(Object.freeze),
);

export class TTTError extends Error { get name() { return "TTTError"; } }
export class TableError extends TTTError { get name() { return "TableError"; } }
export class UnknownVariantError extends TTTError { get name() { return "UnknownVariantError"; } }
export class InvalidBoardError extends TTTError { get name() { return "InvalidBoardError"; } }
export class InvalidMoveError extends TTTError { get name() { return "InvalidMoveError"; } }
export class InvalidIndexError extends TTTError { get name() { return "InvalidIndexError"; } }
export class InvalidLevelError extends TTTError { get name() { return "InvalidLevelError"; } }
export class InvalidSeedError extends TTTError { get name() { return "InvalidSeedError"; } }

export function refuse(Kind, what, given, expected) {
  throw new Kind(`${what} is ${shown(given)}, expected ${expected}`);
}

/** Describe what was given for an error message, in one short line. */
export function shown(given) {
  if (typeof given === "string") {
    const start = JSON.stringify(given.slice(0, 40));
    return given.length <= 40 ? start : `${start}... (${given.length} long)`;
  }
  if (Array.isArray(given)) return `an array of ${given.length} items`;
  if (given === null || ["undefined", "boolean", "number"].includes(typeof given)) return `${given}`;
  return `of type ${typeof given}`;
}

function checkBoard(board) {
  if (typeof board !== "string") refuse(InvalidBoardError, "board", board, 'a string of 9 marks such as "XX.OO...."');
  if (/^[.XO]{9}$/.test(board)) return;
  if (board.length !== 9) {
    throw new InvalidBoardError(
      `board ${shown(board)} has ${board.length} marks, expected 9: row by row, "." for an empty cell`,
    );
  }
  const cell = ALL_CELLS.find((cell) => !MARKS.includes(board[cell]));
  const code = board.codePointAt(cell);  // of a letter that may look like a mark
  const name = code > 127 ? ` (U+${code.toString(16).toUpperCase().padStart(4, "0")})` : "";
  throw new InvalidBoardError(
    `board ${shown(board)} has ${shown(board[cell])}${name} in cell ${cell}; ` +
      'the marks are the upper-case letters "X" and "O", and "." for an empty cell',
  );
}

export function checkTurn(turn) {
  if (turn !== 0 && turn !== 1) refuse(InvalidBoardError, "turn", turn, "0 (X moves next) or 1 (O moves next)");
}

export function checkIndex(index) {
  const valid = Number.isInteger(index) && index >= 0 && index < STATES;
  if (!valid) refuse(InvalidIndexError, "index", index, `an integer from 0 to ${STATES - 1}`);
}

export function inferTurn(board) {
  checkBoard(board);
  const [xs, os] = ["X", "O"].map((mark) => board.split(mark).length - 1);
  if (xs === os || xs === os + 1) return xs - os;
  throw new InvalidBoardError(
    `board ${shown(board)} has ${xs} X and ${os} O; X moves first, so a game has as many X as O, or one more`,
  );
}

export function encode(board, turn = inferTurn(board)) {
  checkBoard(board);
  checkTurn(turn);
  let index = turn;
  for (const mark of board) index = 3 * index + MARKS.indexOf(mark);
  return index;
}

export function decode(index) {
  checkIndex(index);
  const [turn, ...digits] = index.toString(3).padStart(10, "0");
  return [digits.map((digit) => MARKS[digit]).join(""), Number(turn)];
}

export function outcome(board) {
  checkBoard(board);
  const [x, o] = ["X", "O"].map((mark) => LINES.some((line) => line.every((cell) => board[cell] === mark)));
  if (x && o) throw new InvalidBoardError(bothHaveALine(board));
  if (x || o) return x ? "X_WON" : "O_WON";
  return board.includes(".") ? "IN_PROGRESS" : "DRAW";
}

export function bothHaveALine(board) {
  return `board "${board}" shows a line of X and a line of O; play ends at the first line, so no game leads there`;
}

export function withMark(board, cell, mark) {
  return board.slice(0, cell) + mark + board.slice(cell + 1);
}
