/** Wrong questions are errors of this module that say what was found and what was expected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import * as ttt from "ttt-runtime";

const tables = await ttt.load(fileURLToPath(new URL("../../../tables/tables.msgpack", import.meta.url)));
const table = tables.table();
const BOARD = "XX.OO....";
const NO_NUMBERS = [null, true, NaN, Infinity, -1, 0.5, 2 ** 53, 1n, Symbol("0"), "0", [], [0], {}, new Number(0)];

/** Assert that the question throws this error of ours, with a short message. */
function assertRefused(question, Kind, fault) {
  assert.throws(question, (error) => {
    assert.ok(error instanceof Kind && error instanceof ttt.TTTError && error.name === Kind.name, error.stack);
    assert.match(error.message, fault);
    return error.message.length < 250;
  });
}

const { value, moverValue, move, optimalMoves, moveValues, isReachable } = table;
const weights = (...state) => table.weights("medium", ...state);
const choose = (...state) => table.choose("hard", 7, ...state);
const byBoard = [value, moverValue, move, optimalMoves, moveValues, weights, choose, isReachable, ttt.encode];
const byIndex = [table.valueAt, table.moverValueAt, table.moveAt, table.optimalAt, table.isReachableAt, ttt.decode];

test("a wrong board is refused by every question", () => {
  for (const [board, fault] of [
    [undefined, /^board is undefined, expected a string of 9 marks such as "XX\.OO\.\.\.\."$/],
    [null, /^board is null/],
    [["X"], /^board is an array of 1 items/],
    [new String(BOARD), /^board is of type object/],
    ["XX.OO...", /^board "XX\.OO\.\.\." has 8 marks, expected 9: row by row/],
    [`${BOARD}\n`, /^board "XX\.OO\.\.\.\.\\n" has 10 marks/],
    [".".repeat(1e6), /^board "\.{40}"\.\.\. \(1000000 long\) has 1000000 marks/],
    ["XX.Oo....", /has "o" in cell 4; the marks are the upper-case letters "X" and "O", and "\."/],
    ["\u0425X.OO....", /has "\u0425" \(U\+0425\) in cell 0/],
  ]) {
    const others = [ttt.inferTurn, ttt.outcome, tables.bestMove, (board) => tables.situationScore(board, 1)];
    for (const question of [...byBoard, ...others]) assertRefused(() => question(board), ttt.InvalidBoardError, fault);
    assertRefused(() => value(board, 0), ttt.InvalidBoardError, fault);
  }
});

test("a board without an answer is refused", () => {
  const counts = /^board "XX\.\.\.\.\.\.\." has 2 X and 0 O; X moves first/;
  for (const question of byBoard) assertRefused(() => question("XX......."), ttt.InvalidBoardError, counts);
  const lines = /^standard: board "XXXOOO\.\.\." shows a line of X and a line of O; play ends/;
  for (const question of byBoard.slice(0, -1)) {
    assertRefused(() => question("XXXOOO...", 0), ttt.InvalidBoardError, lines);
  }
  assertRefused(() => tables.bestMove("XXXOO...."), ttt.InvalidBoardError, /: the game is over \(X_WON\), there is no/);
});

test("a wrong turn or index is refused, and -0 is 0", () => {
  for (const given of [...NO_NUMBERS, 39366]) {
    for (const question of [...byBoard, tables.situationScore]) {
      assertRefused(() => question(BOARD, given), ttt.InvalidBoardError, /^turn is .*, expected 0 \(X moves next\) or/);
    }
    for (const question of byIndex) {
      assertRefused(() => question(given), ttt.InvalidIndexError, /^index is .*, expected an integer from 0 to 39365$/);
    }
  }
  assertRefused(() => tables.situationScore(BOARD), ttt.InvalidBoardError, /^turn is undefined/);
  for (const question of byBoard) assert.deepEqual(question(BOARD, -0), question(BOARD, 0));
  for (const question of byIndex) assert.deepEqual(question(-0), question(0));
});

test("a variant that is not there is refused, and left out it is standard", () => {
  for (const variant of [null, 0, "", "Standard", "__proto__", "constructor"]) {
    const fault = /^variant is .*, expected one of standard, fill, misere, fastest$/;
    assertRefused(() => tables.table(variant), ttt.UnknownVariantError, fault);
  }
  assert.equal(table, tables.table("standard"));
});

test("wrong attempts are refused", () => {
  for (const given of [undefined, "00", 5, {}, null, new Uint8Array(2)]) {
    const fault = /^humanMoves is .*, expected an array of \[row, column\] pairs$/;
    assertRefused(() => tables.playAgainstAI(given), ttt.InvalidMoveError, fault);
  }
  for (const pair of [undefined, 4, "00", [], [0], [0, 0, 0]]) {
    const fault = /^humanMoves\[1\] is .*, expected a pair \[row, column\]$/;
    assertRefused(() => tables.playAgainstAI([[0, 0], pair]), ttt.InvalidMoveError, fault);
  }
  for (const given of [...NO_NUMBERS, undefined, 3]) {
    const fault = (name) => RegExp(`^humanMoves\\[0\\]: ${name} is .*, expected an integer from 0 to 2$`);
    assertRefused(() => tables.playAgainstAI([[given, 0]]), ttt.InvalidMoveError, fault("row"));
    assertRefused(() => tables.playAgainstAI([[-0, given]]), ttt.InvalidMoveError, fault("column"));
  }
});

test("a wrong level or seed is refused", () => {
  for (const level of [undefined, null, 0, "", "Easy", "__proto__", "toString", ["easy"]]) {
    const fault = /^level is .*, expected one of easy, medium, hard, perfect$/;
    assertRefused(() => table.weights(level, BOARD), ttt.InvalidLevelError, fault);
    assertRefused(() => table.choose(level, 0, BOARD), ttt.InvalidLevelError, fault);
  }
  for (const seed of [...NO_NUMBERS, undefined, 2 ** 32]) {
    const fault = /^seed is .*, expected an integer from 0 to 4294967295$/;
    assertRefused(() => table.choose("easy", seed, BOARD), ttt.InvalidSeedError, fault);
  }
  assert.equal(table.choose("hard", -0, BOARD), table.choose("hard", 0, BOARD));
});

test("a wrong game is refused by its first fault", () => {
  for (const game of [undefined, null, "048", {}, 5, new Uint8Array(2)]) {
    const fault = /^game is .*, expected an array of cells or of events$/;
    assertRefused(() => table.review(game), ttt.InvalidMoveError, fault);
  }
  for (const cell of [...NO_NUMBERS.filter((given) => !Array.isArray(given)), undefined, 9]) {
    const fault = /^move 2: cell is .*, expected an integer from 0 to 8$/;
    assertRefused(() => table.review([0, cell]), ttt.InvalidMoveError, fault);
  }
  for (const state of [[null], ["XX"], ["XX......."], [BOARD, 2], ["XXXOOO...", 0]]) {
    assertRefused(() => table.review([], ...state), ttt.InvalidBoardError, /^(standard: )?(board|turn) /);
  }
  assert.deepEqual(table.review([-0], ".........", -0), table.review([0], ".........", 0));
  const [first, second] = tables.playAgainstAI([[0, 0]]);
  const changed = (place, text) => [first, second.with(place, text)];
  for (const [game, fault] of [
    [[0, 4, 0], /^move 3: cell is 0, which X has taken, expected an empty cell$/],
    [[0, 3, 1, 4, 2, 2], /^move 6: cell is 2, expected no more moves: play ended, X wins$/],
    [[4, first], /^event 2: side is "X", expected "O", whose turn it is$/],
    [[second], /^event 1: side is "O", expected "X", whose turn it is$/],
    [[first, ["Y", "0", ...first.slice(2)]], /^event 2: side is "Y", expected "X" or "O"$/],
    [[first, []], /^event 2 is an array of 0 items, expected the 8 strings of an event$/],
    [changed(3, 5), /^event 2: item 3 is 5, expected a string$/],
    [changed(1, "yes"), /^event 2: accepted is "yes", expected "0" or "1"$/],
    [changed(7, "3,0"), /^event 2: cell is "3,0", expected "0,0" to "2,2"$/],
    [changed(2, "XX."), /^event 2: board is "XX\.\.O\.\.\.\.", expected "X\.\.\.O\.\.\.\."$/],
    [changed(1, "0"), /^event 2: board is "X\.\.\.O\.\.\.\.", expected "X\.\.\.\.\.\.\.\."$/],
  ]) {
    assertRefused(() => table.review(game), ttt.InvalidMoveError, fault);
  }
});
