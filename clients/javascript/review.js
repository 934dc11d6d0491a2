/**
 * Review a game: how good each move was, and where the game was decided.
 *
 * The data are those of `ttt_runtime/review.py`, null in the place of None.
 */

import { ALL_CELLS, InvalidMoveError, decode, encode, inferTurn, refuse, withMark } from "./boards.js";

const CHANGES = { "1,0": "gives up the win", "0,-1": "loses a draw", "1,-1": "loses a win" };
const PLACES = ALL_CELLS.map((cell) => `${Math.floor(cell / 3)},${cell % 3}`);

export function review(table, game, board = ".........", turn = inferTurn(board)) {
  [board, turn] = decode(encode(board, turn));
  const start = { variant: table.variant, board, turn };
  const moves = [];
  const sides = { X: { moves: 0, best: 0 }, O: { moves: 0, best: 0 } };
  let decided = null;
  for (const [at, cell] of cellsOf(table, game, board, turn).entries()) {
    const side = "XO"[turn];
    const next = withMark(board, cell, side);
    const [before, after] = [table.moverValue(board, turn), 0 - table.moverValue(next, 1 - turn)];
    const name = nameOf(before, after, table.variant);
    moves.push({ number: at + 1, side, board, cell, before, after, best: table.optimalMoves(board, turn), name });
    sides[side].moves += 1;
    if (name === "best") sides[side].best += 1;
    if (Math.sign(before) !== Math.sign(after)) decided = at + 1;
    [board, turn] = [next, 1 - turn];
  }
  return { ...start, moves, result: resultOf(table, board, turn), decided, sides };
}

/** Name a move by the values before and after it, from its mover's side. */
function nameOf(before, after, variant) {
  if (before === after) return "best";
  const worse = variant === "fastest" ? ["slower win", "quicker loss"] : ["smaller win", "greater loss"];
  return CHANGES[[before, after].map(Math.sign)] ?? worse[before > 0 ? 0 : 1];
}

function resultOf(table, board, turn) {
  if (table.move(board, turn) !== null) return "unfinished";
  return { "-1": "X wins", 0: "a draw", 1: "O wins" }[Math.sign(table.value(board, turn))];
}

/** Return the cell of each move that was made, or throw at the first fault. */
function cellsOf(table, game, board, turn) {
  if (!Array.isArray(game)) refuse(InvalidMoveError, "game", game, "an array of cells or of events");
  const cells = [];
  for (const [at, item] of game.entries()) {
    const event = Array.isArray(item) ? item : null;
    const where = `${event ? "event" : "move"} ${at + 1}`;
    const side = "XO"[turn];
    const cell = event ? cellOf(event, where, side) : item;
    if (!ALL_CELLS.includes(cell)) refuse(InvalidMoveError, `${where}: cell`, cell, "an integer from 0 to 8");
    if (event?.[1] !== "0") {
      checkLegal(cell, where, table, board, turn);
      cells.push(cell + 0); // no -0
      [board, turn] = [withMark(board, cell, side), 1 - turn];
    }
    const rows = event?.slice(2, 5).join("") ?? board;
    if (rows !== board) refuse(InvalidMoveError, `${where}: board`, rows, `"${board}"`);
  }
  return cells;
}

/** Return the cell that an event is about; this side is to move. */
function cellOf(event, where, side) {
  if (event.length !== 8) refuse(InvalidMoveError, where, event, "the 8 strings of an event");
  const odd = Array.from(event).findIndex((each) => typeof each !== "string");
  if (odd >= 0) refuse(InvalidMoveError, `${where}: item ${odd}`, event[odd], "a string");
  const [actor, accepted, place] = [event[0], event[1], event[7]];
  const movers = accepted === "0" ? ["X", "O"] : [side]; // who is refused need not be to move
  if (!["0", "1"].includes(accepted)) refuse(InvalidMoveError, `${where}: accepted`, accepted, '"0" or "1"');
  const mover = accepted === "0" ? '"X" or "O"' : `"${side}", whose turn it is`;
  if (!movers.includes(actor)) refuse(InvalidMoveError, `${where}: side`, actor, mover);
  if (!PLACES.includes(place)) refuse(InvalidMoveError, `${where}: cell`, place, '"0,0" to "2,2"');
  return PLACES.indexOf(place);
}

function checkLegal(cell, where, table, board, turn) {
  const result = resultOf(table, board, turn);
  let fault;
  if (result !== "unfinished") fault = `expected no more moves: play ended, ${result}`;
  else if (board[cell] !== ".") fault = `which ${board[cell]} has taken, expected an empty cell`;
  if (fault) throw new InvalidMoveError(`${where}: cell is ${cell}, ${fault}`);
}
