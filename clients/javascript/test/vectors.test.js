/** The conformance vectors, written or answered again by this client. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { InvalidBoardError, LEVELS, decode, encode, inferTurn, load, outcome } from "ttt-runtime";

const path = (relative) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
// TTT_TABLES names another file, so that a wrong one can be seen to fail.
const tables = await load(process.env.TTT_TABLES ?? path("tables/tables.msgpack"));
const vectors = (name) => readFile(path(`tests/vectors/${name}`), "utf8");
const statesLines = (await vectors("states.txt")).split("\n");
const eventsLines = (await vectors("events.txt")).split("\n");
const levels = JSON.parse(await vectors("levels.json"));
const reviews = JSON.parse(await vectors("reviews.json"));

const VARIANTS = ["standard", "fill", "misere", "fastest"];
const all = VARIANTS.map((variant) => [tables.table(variant), tables.table(variant).arrays()]);
const states = statesLines.slice(1, -1).map((line) => line.split(" ")).map(([board, turn]) => [board, Number(turn)]);
const count = (board, mark) => board.split(mark).length - 1;
const ahead = (board) => count(board, "X") - count(board, "O");

/** Ask by index, by board and turn, and by board if that implies the turn; return what they agree on. */
function entriesOf(table, { values, moves, optimal, reachable }, index) {
  const [board, turn] = decode(index);
  const [value, move, mask] = [values[index], moves[index], optimal[index]];
  const cells = [...mask.toString(2)].reverse().flatMap((bit, cell) => (bit === "1" ? [cell] : []));
  const { valueAt, moverValueAt, moveAt, optimalAt, isReachableAt } = table;
  const asked = [[[valueAt, moverValueAt, moveAt, optimalAt, isReachableAt], [index], mask]];
  const byBoard = [table.value, table.moverValue, table.move, table.optimalMoves, table.isReachable];
  asked.push([byBoard, [board, turn], cells]);
  if (turn === ahead(board)) asked.push([byBoard, [board], cells]);
  for (const [questions, state, best] of asked) {
    if (value === -128) {
      for (const question of questions) assert.throws(() => question(...state), InvalidBoardError, `${state}`);
      continue;
    }
    const moverValue = (turn === 0 ? -value : value) || 0; // 0, not -0
    const expected = [value, moverValue, move === -1 ? null : move, best, reachable[index] === 1];
    assert.deepEqual(questions.map((question) => question(...state)), expected, `${table.variant} ${state}`);
  }
  return [value, move, mask, reachable[index]];
}

test("all look-ups write states.txt", () => {
  assert.equal(statesLines[0], `ttt-vectors 1.0 ${VARIANTS.join(" ")}`);
  assert.equal(states.length, 39366);
  for (const [index, [board, turn]] of states.entries()) {
    assert.equal(encode(board, turn), index);
    const entries = all.flatMap(([table, arrays]) => entriesOf(table, arrays, index));
    assert.equal([...decode(index), ...entries].join(" "), statesLines[index + 1], `line ${index + 2}`);
  }
});

test("games against the computer write events.txt, and are reviewed as their cells are", () => {
  const games = eventsLines.filter((line) => line.startsWith("moves"));
  const written = games.flatMap((line) => {
    const attempts = line.split(" ").slice(1).map((attempt) => attempt.split(",").map(Number));
    const events = tables.playAgainstAI(attempts);
    const moves = events.filter(([, accepted]) => accepted === "1").map((event) => event[7].split(",").map(Number));
    const cells = moves.map(([row, column]) => 3 * row + column);
    assert.deepEqual(tables.table().review(events), tables.table().review(cells), line);
    return [line, ...events.map((event) => event.join(" "))];
  });
  assert.deepEqual(["ttt-vectors 1.0 events", ...written, ""], eventsLines);
});

test("every level is told as in levels.json, and plays what is there", () => {
  assert.deepEqual(Object.entries(LEVELS), Object.entries(levels.levels));
  for (const variant of VARIANTS) {
    const table = tables.table(variant);
    for (const [board, turn, seed, ...cells] of levels.draws[variant]) {
      const chosen = Object.keys(LEVELS).map((level) => table.choose(level, seed, board, turn));
      chosen.push(table.choose("perfect", seed, board, turn, { trap: true }));
      assert.deepEqual(chosen, cells, `${variant} ${board} ${turn} ${seed}`);
    }
    assert.equal(levels.draws[variant].length, 1000);
  }
});

test("every game of reviews.json is reviewed as it is there", () => {
  for (const known of reviews) {
    const cells = known.moves.map(({ cell }) => cell);
    const review = tables.table(known.variant).review(cells, known.board, known.turn);
    assert.deepEqual(review, known, JSON.stringify(known));
  }
  const seen = new Set(reviews.flatMap(({ moves }) => moves.map(({ name }) => name)));
  assert.equal(seen.size, 8, [...seen].join());
});

test("a turn left out is the one that the counts imply, if a game has them", () => {
  for (const [board, turn] of states) {
    const lead = ahead(board);
    if (lead === turn) assert.deepEqual([inferTurn(board), encode(board)], [turn, encode(board, turn)]);
    if (lead !== 0 && lead !== 1) {
      for (const question of [inferTurn, encode]) assert.throws(() => question(board), InvalidBoardError, board);
    }
  }
});

test("moveValues gives every empty cell the value of the state after it", () => {
  for (const [index, [board, turn]] of states.entries()) {
    for (const [table, { values, moves }] of all) {
      if (values[index] === -128) continue;
      const legal = [...board].flatMap((mark, cell) => (mark === "." && moves[index] !== -1 ? [cell] : []));
      // The next board has a digit 0 turned into 1 or 2, and the other turn.
      const after = (cell) => index + (turn + 1) * 3 ** (8 - cell) + (turn === 0 ? 1 : -1) * 3 ** 9;
      const expected = new Map(legal.map((cell) => [cell, values[after(cell)]]));
      assert.deepEqual(table.moveValues(board, turn), expected, `${table.variant} ${board} ${turn}`);
    }
  }
});

test("bestMove is the move in standard, situationScore the value in fill", () => {
  const [[, standard], [, fill]] = all;
  for (const [index, [board, turn]] of states.entries()) {
    assert.equal(tables.situationScore(board, turn), fill.values[index], board);
    if (turn !== ahead(board)) continue;
    if (standard.moves[index] === -1) assert.throws(() => tables.bestMove(board), InvalidBoardError, board);
    else assert.equal(tables.bestMove(board), standard.moves[index], board);
  }
});

test("outcome sees the lines of every board", () => {
  const line = "^(...)*111|1..1..1|1...1...1|^..1.1.1";
  const hasLine = (board, mark) => new RegExp(line.replaceAll("1", mark)).test(board);
  for (const [board] of states) {
    const [x, o] = [hasLine(board, "X"), hasLine(board, "O")];
    if (x && o) assert.throws(() => outcome(board), InvalidBoardError, board);
    else assert.equal(outcome(board), x ? "X_WON" : o ? "O_WON" : board.includes(".") ? "IN_PROGRESS" : "DRAW", board);
  }
});
