/**
 * Games against the tables: what has been attempted, and what came of it.
 *
 * A game is never changed; the next one is played from its attempts. It is
 *
 *     variant, side   the rules, and the mark that you play: "X" or "O"
 *     attempts        the cells that you tried, in order
 *     accepted        which of these attempts were moves, by their place in the list
 *     board, status   "X...O....", and IN_PROGRESS, X_WON, O_WON or DRAW
 *     events          what playAgainstAI reports, with the tables' mark as its O
 *
 * The tables answer with one move, so your moves are the whole game, and a link is the
 * rules, your mark and your cells: "#standard/X/08".
 */

import { LINES, TTTError } from "ttt-runtime";

const otherThan = (mark) => (mark === "X" ? "O" : "X");

/** Play these attempts against a table. X moves first, whoever plays it. */
export function play(table, side, attempts) {
  const accepted = [];
  const events = [];
  let board = ".........";
  let status = "IN_PROGRESS";
  const report = (actor, verdict, next, cell) => {
    const rows = [0, 3, 6].map((start) => board.slice(start, start + 3));
    const waiting = status === "IN_PROGRESS" ? next : "-";
    events.push([actor, verdict, ...rows, status, waiting, `${Math.floor(cell / 3)},${cell % 3}`]);
  };
  const move = (actor, cell) => {
    board = board.slice(0, cell) + actor + board.slice(cell + 1);
    status = statusOf(table, board);
    report(actor, "1", otherThan(actor), cell);
  };
  const answer = () => {
    if (status === "IN_PROGRESS") move(otherThan(side), table.move(board));
  };
  if (side === "O") answer();
  for (const [at, cell] of attempts.entries()) {
    if (status !== "IN_PROGRESS" || board[cell] !== ".") {
      report(side, "0", side, cell);
      continue;
    }
    accepted.push(at);
    move(side, cell);
    answer();
  }
  return { variant: table.variant, side, attempts, accepted, board, status, events };
}

/** The table says when play ends, and who has won: every variant has its own rule. */
function statusOf(table, board) {
  if (table.move(board) !== null) return "IN_PROGRESS";
  const value = table.value(board);
  if (value === 0) return "DRAW";
  return value > 0 ? "O_WON" : "X_WON";
}

/** Return the cells of all the lines on a board. */
export function cellsInLines(board) {
  const lines = LINES.filter(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[a] === board[c]);
  return new Set(lines.flat());
}

export function linkOf({ variant, side, attempts, accepted }) {
  return `#${variant}/${side}/${accepted.map((at) => attempts[at]).join("")}`;
}

/**
 * Return the game that a link stands for; of an empty one, a new game.
 *
 * @throws {TTTError} if it stands for none
 */
export function gameOf(link, tables) {
  const [, variant, side, cells] = /^#([^/]*)\/([XO])\/([0-8]*)$/.exec(link || "#standard/X/") ?? [];
  const shown = link.length > 40 ? `${link.slice(0, 40)}…` : link;
  if (variant === undefined) {
    throw new TTTError(`${shown} is no link to a game: expected the rules, your mark and your cells, as in #standard/X/08`);
  }
  const table = tables.table(variant);
  const attempts = [...cells].map(Number);
  const game = play(table, side, attempts);
  const refused = attempts.findIndex((_, at) => !game.accepted.includes(at));
  if (refused === -1) return game;
  const { status } = play(table, side, attempts.slice(0, refused));
  const fault = status === "IN_PROGRESS" ? "is taken by then" : "comes after the end";
  throw new TTTError(`${shown} is no link to a game: cell ${attempts[refused]}, your move ${refused + 1}, ${fault}`);
}
