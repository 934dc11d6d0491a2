/**
 * The conformance vectors, written again from this client's own look-ups.
 *
 * TTT_TABLES and TTT_VECTORS name another tables.msgpack and another directory of
 * vectors, so that damaged ones can be seen to fail.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { InvalidBoardError, decode, encode, inferTurn, load, outcome } from "ttt-runtime";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const TABLES = process.env.TTT_TABLES ?? path("../../../tables/tables.msgpack");
const VECTORS = process.env.TTT_VECTORS ?? path("../../../tests/vectors");

const tables = await load(await readFile(TABLES));
const statesText = await readFile(join(VECTORS, "states.txt"), "utf8");
const eventsText = await readFile(join(VECTORS, "events.txt"), "utf8");

const VARIANTS = ["standard", "fill", "misere", "fastest"];
const HEADING = `ttt-vectors 1.0 ${VARIANTS.join(" ")}`;

/** What states.txt says: the board, the turn, and variant -> its four entries. */
const states = statesText.split("\n").slice(1, -1).map((line) => {
  const [board, turn, ...entries] = line.split(" ");
  const perVariant = VARIANTS.map((variant, at) => [variant, entries.slice(4 * at, 4 * at + 4).map(Number)]);
  return { board, turn: Number(turn), ...Object.fromEntries(perVariant) };
});
const count = (board, mark) => board.split(mark).length - 1;
const ahead = (board) => count(board, "X") - count(board, "O");
const indexOf = (board, turn) => parseInt(turn + board.replace(/./g, (mark) => ".XO".indexOf(mark)), 3);

/** Compare line by line, to name the first that differs, and then every byte. */
function assertSame(written, text) {
  const lines = text.split("\n");
  for (const [at, line] of written.entries()) assert.equal(line, lines[at], `line ${at + 1}`);
  assert.equal(`${written.join("\n")}\n`, text);
}

/** Return the entries that the answers stand for: the sentinels if every question is refused. */
function entriesOf(questions) {
  let entries = [-128, -1, 0, 0];
  try {
    entries = questions.map((question) => Number(question() ?? -1));
  } catch {
    for (const question of questions) assert.throws(question, InvalidBoardError);
  }
  return entries;
}

const byIndex = (table, index) =>
  entriesOf([
    () => table.valueAt(index),
    () => table.moveAt(index),
    () => table.optimalAt(index),
    () => table.isReachableAt(index),
  ]);

const byBoard = (table, ...state) =>
  entriesOf([
    () => table.value(...state),
    () => table.move(...state),
    () => table.optimalMoves(...state).reduce((mask, cell) => mask + 2 ** cell, 0),
    () => table.isReachable(...state),
  ]);

test("there are 39,366 states in states.txt, and decode and encode number them", () => {
  assert.equal(states.length, 39366);
  for (const [index, { board, turn }] of states.entries()) {
    assert.deepEqual(decode(index), [board, turn]);
    assert.equal(encode(board, turn), index);
  }
});

test("look-ups by index write states.txt", () => {
  const written = states.map((_, index) => {
    const entries = VARIANTS.flatMap((variant) => byIndex(tables.table(variant), index));
    return [...decode(index), ...entries].join(" ");
  });
  assertSame([HEADING, ...written], statesText);
});

test("look-ups by board and turn write states.txt", () => {
  const written = states.map(({ board, turn }) => {
    const entries = VARIANTS.flatMap((variant) => byBoard(tables.table(variant), board, turn));
    return [board, turn, ...entries].join(" ");
  });
  assertSame([HEADING, ...written], statesText);
});

test("the copies of the arrays write states.txt", () => {
  const columns = VARIANTS.flatMap((variant) => {
    const { values, moves, optimal, reachable } = tables.table(variant).arrays();
    return [values, moves, optimal, reachable];
  });
  const written = states.map((_, index) => [...decode(index), ...columns.map((column) => column[index])].join(" "));
  assertSame([HEADING, ...written], statesText);
});

test("games against the computer write events.txt", () => {
  const attempts = (line) => line.split(" ").slice(1).map((attempt) => attempt.split(",").map(Number));
  const games = eventsText.split("\n").filter((line) => line.startsWith("moves"));
  const written = games.flatMap((line) => {
    const events = tables.playAgainstAI(attempts(line));
    return [line, ...events.map((event) => event.join(" "))];
  });
  assert.ok(games.length > 800, `${games.length} games`);
  assertSame(["ttt-vectors 1.0 events", ...written], eventsText);
});

test("a turn left out is the one that the counts imply", () => {
  for (const { board, turn, ...entries } of states) {
    if (turn !== ahead(board)) continue;
    assert.equal(inferTurn(board), turn);
    assert.equal(encode(board), encode(board, turn));
    for (const variant of VARIANTS) {
      assert.deepEqual(byBoard(tables.table(variant), board), entries[variant], `${variant} ${board}`);
    }
  }
});

test("a turn left out is refused where no game has the counts", () => {
  const { value, move, optimalMoves, moveValues, isReachable } = tables.table("fill");
  const questions = [value, move, optimalMoves, moveValues, isReachable, encode, inferTurn, tables.bestMove];
  for (const { board, turn } of states) {
    if (turn === 1 || ahead(board) === 0 || ahead(board) === 1) continue;
    for (const question of questions) assert.throws(() => question(board), InvalidBoardError, board);
  }
});

test("moveValues gives every empty cell the value of the state after it", () => {
  for (const { board, turn, ...entries } of states) {
    for (const variant of VARIANTS) {
      const question = () => tables.table(variant).moveValues(board, turn);
      const [value, move] = entries[variant];
      if (value === -128) {
        assert.throws(question, InvalidBoardError);
        continue;
      }
      const after = (cell) => board.slice(0, cell) + "XO"[turn] + board.slice(cell + 1);
      const expected = new Map();
      for (let cell = 0; cell < 9 && move !== -1; cell++) {
        if (board[cell] === ".") expected.set(cell, states[indexOf(after(cell), 1 - turn)][variant][0]);
      }
      assert.deepEqual(question(), expected, `${variant} ${board} ${turn}`);
    }
  }
});

test("bestMove is the move in standard, and refused once play has ended", () => {
  for (const { board, turn, standard } of states) {
    if (turn !== ahead(board)) continue;
    const question = () => tables.bestMove(board);
    if (standard[1] === -1) assert.throws(question, InvalidBoardError, board);
    else assert.equal(question(), standard[1], board);
  }
});

test("situationScore is the value in fill", () => {
  for (const { board, turn, fill } of states) assert.equal(tables.situationScore(board, turn), fill[0], board);
});

test("outcome sees the lines of every board", () => {
  const line = "^(...)*111|1..1..1|1...1...1|^..1.1.1";
  const hasLine = (board, mark) => new RegExp(line.replaceAll("1", mark)).test(board);
  for (const { board } of states) {
    const [x, o] = [hasLine(board, "X"), hasLine(board, "O")];
    if (x && o) assert.throws(() => outcome(board), InvalidBoardError, board);
    else assert.equal(outcome(board), x ? "X_WON" : o ? "O_WON" : board.includes(".") ? "IN_PROGRESS" : "DRAW", board);
  }
});
