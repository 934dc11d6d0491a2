/**
 * Games against the tables: what has been attempted, and what came of it.
 *
 * A game is never changed; the next one is played from its attempts. It is
 *
 *     variant, side   the rules, and the mark that you play: "X" or "O"
 *     level, seed     how the computer plays, and the seed of its draws; without them it
 *                     plays the table's move, the smallest of the best cells
 *     attempts        the cells that you tried, in order
 *     accepted        which of these attempts were moves, by their place in the list
 *     board, status   "X...O....", and IN_PROGRESS, X_WON, O_WON or DRAW
 *     events          what playAgainstAI reports, with the computer's mark as its O
 *
 * The computer's moves follow from the board and the seed, so your moves are the whole
 * game, and a link is the rules, your mark, your cells, the level and the seed:
 * "#standard/X/08/hard/7".
 */

import { LEVELS as WITHOUT_TRAP, LINES, TTTError } from "ttt-runtime";

const EMPTY = ".........";

/** The levels of ttt.js, and as one more its option `trap`. */
export const LEVELS = {
  ...WITHOUT_TRAP,
  trap: "is perfect, too, and plays of the best cells those after which the most replies are wrong",
};

const otherThan = (mark) => (mark === "X" ? "O" : "X");

/** Play these attempts by the rules, mark, level and seed of a game. X moves first, whoever plays it. */
export function play(tables, { variant, side, level, seed }, attempts) {
  const table = tables.table(variant);
  const accepted = [];
  const events = [];
  let board = EMPTY;
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
    if (status !== "IN_PROGRESS") return;
    move(otherThan(side), choose(table, level, seed, board));
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
  return { variant, side, level, seed, attempts, accepted, board, status, events };
}

function choose(table, level, seed, board) {
  if (!level) return table.move(board);
  const trap = level === "trap";
  return table.choose(trap ? "perfect" : level, seed, board, undefined, { trap });
}

/** The table says when play ends, and who has won: every variant has its own rule. */
function statusOf(table, board) {
  if (table.move(board) !== null) return "IN_PROGRESS";
  const value = table.value(board);
  if (value === 0) return "DRAW";
  return value > 0 ? "O_WON" : "X_WON";
}

/** Return a new game by the rules, mark and level of a kind, with a seed short enough to be read out. */
export function newGame(tables, kind) {
  return play(tables, { ...kind, seed: kind.level && Math.floor(10000 * Math.random()) }, []);
}

/** Return the cells of all the lines on a board. */
export function cellsInLines(board) {
  const lines = LINES.filter(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[a] === board[c]);
  return new Set(lines.flat());
}

export function linkOf({ variant, side, level, seed, attempts, accepted }) {
  const cells = accepted.map((at) => attempts[at]).join("");
  return `#${variant}/${side}/${cells}${level ? `/${level}/${seed}` : ""}`;
}

/**
 * Return the game that a link stands for.
 *
 * @throws {TTTError} if it stands for none
 */
export function gameOf(link, tables) {
  const [, variant, side, cells, level, seed] = /^#([^/]*)\/([XO])\/([0-8]*)(?:\/([^/]+)\/(\d+))?$/.exec(link) ?? [];
  const refuse = (fault) => {
    const shown = link.length > 40 ? `${link.slice(0, 40)}…` : link;
    throw new TTTError(`${shown} is no link to a game: ${fault}`);
  };
  if (variant === undefined) {
    refuse("expected the rules, your mark and your cells, the level and its seed, as in #standard/X/08/hard/7");
  }
  const kind = { variant, side, level, seed: seed && Number(seed) };
  if (level && !Object.keys(LEVELS).includes(level)) {
    refuse(`level is "${level}", expected one of ${Object.keys(LEVELS).join(", ")}`);
  }
  choose(tables.table(variant), level, kind.seed, EMPTY); // throws if there is no such seed
  const attempts = [...cells].map(Number);
  const game = play(tables, kind, attempts);
  const refused = attempts.findIndex((_, at) => !game.accepted.includes(at));
  if (refused === -1) return game;
  const { status } = play(tables, kind, attempts.slice(0, refused));
  const fault = status === "IN_PROGRESS" ? "is taken by then" : "comes after the end";
  return refuse(`cell ${attempts[refused]}, your move ${refused + 1}, ${fault}`);
}
