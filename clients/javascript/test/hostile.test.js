/** Whatever is asked, the answer is right or the error is one of this module's. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";

import * as ttt from "ttt-runtime";

const TABLES = process.env.TTT_TABLES ?? fileURLToPath(new URL("../../../tables/tables.msgpack", import.meta.url));
const tables = await ttt.load(await readFile(TABLES));
const table = tables.table();
const BOARD = "XX.OO....";

const boom = () => {
  throw new Error("this error must not come out");
};
const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, boom]));
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const emptyLists = [[], runInNewContext("[]")];
const objects = [
  ...emptyLists, [, ,], ["X"], [BOARD], new Array(2 ** 32 - 1), {}, Object.create(null), new Date(), new Map(), /X/,
  new Error("X"), boom, class {}, new String(BOARD), new Number(0), new Boolean(true), Object(1n),
  Object(Symbol.iterator), new Uint8Array(9),
  { length: 2, 0: 0, 1: 0 }, { toString: boom, valueOf: boom, toJSON: boom, [Symbol.toPrimitive]: boom },
  { get length() { return boom(); } }, { get [Symbol.toStringTag]() { return boom(); } }, { then: boom }, globalThis,
  new Proxy({}, traps), new Proxy([], traps), new Proxy(boom, traps), revoked({}), revoked([]), revoked(boom),
  new Proxy([], { get: () => Symbol("length") }), new Proxy([0, 0], { get: () => NaN }),
];
const primitives = [
  null, true, false, NaN, Infinity, -Infinity, -1, 0.5, 1.5, 3, 39366, 2 ** 53, 1e300, 5e-324, 0n, 1n, -(10n ** 9999n),
  Symbol("X"), Symbol(), Symbol.iterator, "", "0", "9396", "standard\0", "\ud800", "\udfff\ud83d", "\0".repeat(9), "\n",
];
const boards = [
  "XX.OO...", "XX.OO.....", `${BOARD}\n`, ` ${BOARD}`, "xx.oo....", "XX.00....", "XX_OO____", "XX OO    ",
  "XX.OO...\ud800", "XX.OO...\u{1d54f}", "\uff38X.OO....", "\u0425X.OO....", "X\u0301X.OO...", ".".repeat(1e6),
  "XX\0OO....", "XX.\nOO.\n...",
];
const hostile = [...objects, ...primitives];

/** Assert that the question throws an error of this class, with a message for people. */
function assertRefused(question, Kind, context) {
  let error = null;
  try {
    assert.fail(`${context}: answered ${String(question())}`);
  } catch (caught) {
    error = caught;
  }
  assert.ok(error instanceof Kind, `${context}: ${error?.stack}`);
  assert.ok(error instanceof ttt.TTTError && error.name === Kind.name);
  assert.match(error.message, /expected|has|over|fetched/, context);
  assert.ok(error.message.length < 450, context);
}

const byBoard = [
  ...["value", "move", "optimalMoves", "moveValues", "isReachable"].map((name) => [name, table[name]]),
  ["encode", ttt.encode],
];
const byIndex = [
  ...["valueAt", "moveAt", "optimalAt", "isReachableAt"].map((name) => [name, table[name]]),
  ["decode", ttt.decode],
];

test("what is no board is refused", () => {
  const questions = [
    ...byBoard, ["inferTurn", ttt.inferTurn], ["outcome", ttt.outcome], ["bestMove", tables.bestMove],
    ["value, turn 0", (board) => table.value(board, 0)], ["moveValues, turn 1", (board) => table.moveValues(board, 1)],
    ["situationScore", (board) => tables.situationScore(board, 1)],
  ];
  for (const [name, question] of questions) {
    for (const [at, board] of [undefined, ...hostile, ...boards].entries()) {
      assertRefused(() => question(board), ttt.InvalidBoardError, `${name} ${at}`);
    }
  }
});

test("what is no turn is refused, and -0 is 0", () => {
  for (const [name, question] of [...byBoard, ["situationScore", tables.situationScore]]) {
    for (const [at, turn] of hostile.entries()) {
      assertRefused(() => question(BOARD, turn), ttt.InvalidBoardError, `${name} ${at}`);
    }
    assert.deepEqual(question(BOARD, -0), question(BOARD, 0));
  }
  assertRefused(() => tables.situationScore(BOARD), ttt.InvalidBoardError, "situationScore without a turn");
  assert.equal(ttt.encode(".........", -0), 0);
});

test("what is no index is refused, and -0 is 0", () => {
  for (const [name, question] of byIndex) {
    for (const [at, index] of [undefined, ...hostile].entries()) {
      if (index !== 3) assertRefused(() => question(index), ttt.InvalidIndexError, `${name} ${at}`);
    }
    assert.deepEqual(question(-0), question(0));
  }
});

test("what is no variant is refused, and left out it is standard", () => {
  for (const [at, variant] of [...hostile, "Standard", "__proto__", "constructor", "toString"].entries()) {
    assertRefused(() => tables.table(variant), ttt.UnknownVariantError, `${at}`);
  }
  assert.equal(tables.table(), tables.table("standard"));
  assert.equal(tables.table(undefined).variant, "standard");
});

test("what are no attempts are refused", () => {
  for (const [at, given] of [undefined, ...hostile].entries()) {
    const attempts = [[given], [[0, 0], given], [[given, 0]], [[0, given]], [[0, 0], [1, given]]];
    if (!emptyLists.includes(given)) attempts.push(given);
    for (const moves of attempts) {
      assertRefused(() => tables.playAgainstAI(moves), ttt.InvalidMoveError, `attempt ${at}`);
    }
  }
  const getter = Object.defineProperty([0, 0], 1, { get: boom });
  const outerGetter = Object.defineProperty([[0, 0]], 0, { get: boom });
  for (const moves of [[[0]], [[0, 0, 0]], [[0, ,]], [, [0, 0]], [getter], outerGetter]) {
    assertRefused(() => tables.playAgainstAI(moves), ttt.InvalidMoveError, `${moves.length} attempts`);
  }
});

test("attempts are read once, from any array", () => {
  const expected = tables.playAgainstAI([[0, 0], [1, 2]]);
  let reads = 0;
  const changing = Object.defineProperty([0, 0], 0, { get: () => (reads++ === 0 ? 0 : 99) });
  const proxy = new Proxy([new Proxy([0, 0], {}), [1, 2]], {});
  for (const moves of [[changing, [1, 2]], proxy, runInNewContext("[[0, 0], [1, 2]]"), [[-0, -0], [1, 2]]]) {
    assert.deepEqual(tables.playAgainstAI(moves), expected);
  }
  for (const moves of emptyLists) assert.deepEqual(tables.playAgainstAI(moves), []);
});

test("what are no tables are refused", async () => {
  for (const [at, source] of [undefined, ...hostile, ".".repeat(1e6)].entries()) {
    const error = await ttt.load(source).then(() => null, (error) => error);
    assertRefused(() => { throw error; }, ttt.TableError, `source ${at}`);
  }
  const bytes = new Uint8Array(100);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  await assert.rejects(ttt.load(bytes.buffer), ttt.TableError);
  await assert.rejects(ttt.load(bytes), ttt.TableError);
  const view = Object.defineProperty(new Uint8Array(9), "buffer", { get: boom });
  await assert.rejects(ttt.load(view), ttt.TableError);
  const url = Object.defineProperty(new URL("http://localhost"), "toString", { value: boom });
  await assert.rejects(ttt.load(url), ttt.TableError);
});
