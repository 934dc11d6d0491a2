/**
 * Levels: opponents from one that plays at random to a perfect one, for each table.
 *
 * They are those of `ttt_runtime/levels.py`, and draw the same cells.
 */

import { InvalidLevelError, InvalidSeedError, LINES, encode, inferTurn, refuse, withMark } from "./boards.js";

export const LEVELS = Object.freeze({
  easy: "plays any empty cell, each with the same chance",
  medium:
    "looks at its own move and the reply, takes a win or stops a loss that it sees there (where lines count, it takes lines), and otherwise plays at random",
  hard: "plays perfectly, but one move in eight at random",
  perfect: "plays the best cells, each with the same chance",
});

const PERFECT_MOVES = 7; // of `hard`, for one at random

export function weights(table, level, board, turn = inferTurn(board), options) {
  if (!Object.keys(LEVELS).includes(level)) {
    refuse(InvalidLevelError, "level", level, `one of ${Object.keys(LEVELS).join(", ")}`);
  }
  const legal = [...table.moveValues(board, turn).keys()];
  const alike = (cells) => new Map(cells.map((cell) => [cell, 1]));
  if (level === "easy") return alike(legal);
  if (level === "medium") return alike(largest(legal, (cell) => foreseen(table, board, turn, cell)));
  const best = table.optimalMoves(board, turn);
  if (level === "perfect" && !options?.trap) return alike(best);
  if (level === "perfect") return alike(largest(best, (cell) => wrongReplies(table, board, turn, cell)));
  const other = best.length;
  return new Map(legal.map((cell) => [cell, other + (best.includes(cell) ? PERFECT_MOVES * legal.length : 0)]));
}

export function choose(table, level, seed, board, turn = inferTurn(board), options) {
  checkSeed(seed);
  const chances = weights(table, level, board, turn, options);
  const sum = [...chances.values()].reduce((sum, weight) => sum + weight, 0);
  // Exact, as number * sum >> 32 is in Python: the sum is at most 8 * 9 * 9 (`hard`, nine best
  // cells), so the product is an integer below 2**42, and 2**32 divides it without rounding.
  let position = Math.floor((murmur3(encode(board, turn), seed) * sum) / 2 ** 32);
  for (const [cell, weight] of chances) {
    position -= weight;
    if (position < 0) return cell;
  }
  return null;
}

function checkSeed(seed) {
  const valid = Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32;
  if (!valid) refuse(InvalidSeedError, "seed", seed, `an integer from 0 to ${2 ** 32 - 1}`);
}

function largest(cells, keyOf) {
  const keys = cells.map(keyOf);
  const target = Math.max(...keys);
  return cells.filter((_, at) => keys[at] === target);
}

/** Return the lines of a move in `fill`, elsewhere what two plies are sure of: the more the better. */
function foreseen(table, board, turn, cell) {
  const sign = 2 * turn - 1;
  const mark = "XO"[turn];
  const after = withMark(board, cell, mark);
  if (table.variant === "fill") return LINES.filter((line) => line.every((held) => after[held] === mark)).length;
  const replies = table.moveValues(after, 1 - turn);
  if (replies.size === 0) return sign * table.value(after, 1 - turn);
  const seen = Array.from(replies, ([reply, value]) => {
    const ended = table.move(withMark(after, reply, "OX"[turn]), turn) === null;
    return ended ? sign * value : 0;
  });
  return Math.min(...seen);
}

/** Return how many replies to a move are worse for the opponent than its best one. */
function wrongReplies(table, board, turn, cell) {
  const after = [withMark(board, cell, "XO"[turn]), 1 - turn];
  return table.moveValues(...after).size - table.optimalMoves(...after).length;
}

/** Return MurmurHash3_x86_32 (Austin Appleby, public domain) of four bytes, given as a number, the low one first. */
function murmur3(block, seed) {
  const rotated = (word, bits) => (word << bits) | (word >>> (32 - bits));
  const mixed = Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
  let hash = Math.imul(rotated(seed ^ mixed, 13), 5) + 0xe6546b64;
  hash ^= 4; // the number of bytes
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
