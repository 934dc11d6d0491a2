/**
 * Perfect 3x3 tic-tac-toe, looked up in `tables.msgpack`, in Node or a browser.
 *
 * This is the module to import; `ttt.d.ts` documents what it exports.
 */

import { decode as unpack } from "@msgpack/msgpack";
import {
  ALL_CELLS, BOARDS, ROWS, STATES, THREE,
  InvalidBoardError, InvalidMoveError, TableError, UnknownVariantError,
  bothHaveALine, checkIndex, checkTurn, decode, encode, inferTurn, outcome, refuse, shown, withMark,
} from "./boards.js";
import { choose, weights } from "./levels.js";
import { review } from "./review.js";

export {
  InvalidBoardError, InvalidIndexError, InvalidLevelError, InvalidMoveError, InvalidSeedError,
  LINES, TTTError, TableError, UnknownVariantError, decode, encode, inferTurn, outcome,
} from "./boards.js";
export { LEVELS } from "./levels.js";

const NO_MOVE = -1;
const UNDEFINED = -128;

// Reading tables.msgpack: load finds every fault in what it reads, before the first look-up.

const REMEDY = "get the file again, or rebuild it with 'make tables'";
const DTYPES = Object.entries({ values: "int8", moves: "int8", optimal: "uint16", reachable: "bool" });

export async function load(source) {
  if (!globalThis.crypto?.subtle) {
    throw new TableError(
      "crypto.subtle, which checks the tables' sha256, is missing; serve the page from https: or from localhost",
    );
  }
  const address = typeof source === "string" || source instanceof URL ? `${source}` : undefined;
  const file = (address ?? "tables.msgpack").slice(0, 200);
  const bytes = address ? await contentOf(address, file) : copyOf(source);
  return tablesOf(await checked(bytes, file));
}

/** Copy the bytes, so that no later write to `source` can change an answer. */
function copyOf(source) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  return refuse(TableError, "source", source, "the bytes of tables.msgpack, its URL or, in Node, its path");
}

/** Read a file by its path or its file: URL in Node; fetch any other URL. */
async function contentOf(address, file) {
  // No import: bundlers would look for node:fs in what they build for browsers.
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  const scheme = /^[a-z][a-z0-9+.-]+:/i.exec(address)?.[0].toLowerCase(); // C: is a drive
  try {
    if (fs && scheme === undefined) return new Uint8Array(await fs.readFile(address));
    if (fs && scheme === "file:") return new Uint8Array(await fs.readFile(new URL(address)));
  } catch (error) {
    const [fault] = error.message.split(", "); // Node goes on with the path
    throw new TableError(`${file}: cannot be read (${fault}); check the path, or give load() the file's bytes`);
  }
  let fault;
  try {
    const response = await fetch(address);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    fault = `HTTP status ${response.status}`;
  } catch (error) {
    fault = error.cause?.message || error.message;
  }
  throw new TableError(`${file}: cannot be fetched (${fault}); check the address, or give load() the file's bytes`);
}

/**
 * Return variant -> its arrays, each as its sha256 says.
 *
 * Nothing else in the file is read: a bundle may leave out variants, summaries, and all
 * arrays of a variant but `values`, which says whether a state has a meaning.
 */
async function checked(bytes, file) {
  const bundle = unpacked(bytes, file);
  expect(field(bundle, "format", "String", file), "ttt-tables", `${file}: format`);
  const version = field(bundle, "version", "String", file);
  if (!/^1\.\d+$/.test(version)) {
    refuse(TableError, `${file}: version`, version, '"1.0" or a later 1.y; get ttt.js and the file from one release');
  }
  const variants = field(bundle, "variants", "Object", file);
  const found = new Map();
  for (const variant of Object.keys(variants)) {
    const where = `${file}: ${variant}`;
    const arrays = field(field(variants, variant, "Object", file), "arrays", "Object", where);
    found.set(variant, {});
    for (const [name, dtype] of DTYPES) {
      if (arrays[name] === undefined && name !== "values") continue;
      const data = await checkedData(field(arrays, name, "Object", where), dtype, `${where}.${name}`);
      found.get(variant)[name] = itemsOf(data, dtype);
    }
  }
  if (found.size === 0) throw new TableError(`${file}: variants is empty, expected at least one; ${REMEDY}`);
  return found;
}

function unpacked(bytes, file) {
  const start = new TextDecoder().decode(bytes.subarray(0, 40));
  if (start.startsWith("version https://git-lfs")) {
    throw new TableError(`${file}: is a Git LFS pointer, not the tables; get them with 'git lfs pull'`);
  }
  if (start.trimStart().startsWith("<")) {
    throw new TableError(`${file}: is a web page, not the tables: it begins with ${shown(start)}; check the address`);
  }
  let content;
  try {
    // A damaged length must not reserve memory: no array has more items than the file has bytes.
    content = unpack(bytes, { maxArrayLength: bytes.length });
  } catch (error) {
    const found = `found ${bytes.length} bytes that are not (${error.message})`;
    throw new TableError(`${file}: expected one whole MessagePack map, ${found}; ${REMEDY}`);
  }
  return field({ content }, "content", "Object", file);
}

/** Return a field of a decoded map, if it is there and of the kind that the format says. */
function field(map, name, kind, where) {
  const value = map[name];
  const found = Number.isInteger(value) ? "Integer" : Object.prototype.toString.call(value).slice(8, -1);
  if (found === kind) return value;
  throw new TableError(`${where}: ${name} is ${value === undefined ? "missing" : found}, expected ${kind}; ${REMEDY}`);
}

function expect(found, expected, what) {
  if (found !== expected) refuse(TableError, what, found, `${shown(expected)}; ${REMEDY}`);
}

async function checkedData(array, dtype, where) {
  expect(field(array, "dtype", "String", where), dtype, `${where}: dtype`);
  expect(`[${field(array, "shape", "Array", where)}]`, `[${STATES}]`, `${where}: shape`);
  const data = field(array, "data", "Uint8Array", where);
  expect(data.length, STATES * (dtype === "uint16" ? 2 : 1), `${where}: number of bytes of data`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (field(array, "sha256", "String", where) === sha256) return data;
  throw new TableError(`${where}: sha256 of data is ${sha256}, expected ${array.sha256}; ${REMEDY}`);
}

function itemsOf(data, dtype) {
  if (dtype === "int8") return new Int8Array(data);
  if (dtype === "bool") return new Uint8Array(data);
  // A DataView, because the file is little-endian and the machine need not be.
  const view = new DataView(data.buffer, data.byteOffset);
  const masks = new Uint16Array(STATES);
  for (let index = 0; index < STATES; index++) masks[index] = view.getUint16(2 * index, true);
  return masks;
}

// Look-ups.

function tableOf(variant, arrays) {
  const { values, moves, optimal, reachable } = arrays;
  /** Return the index, if it is one and its state has a meaning in this variant. */
  const known = (index) => {
    checkIndex(index);
    if (values[index] !== UNDEFINED) return index;
    throw new InvalidBoardError(`${variant}: ${bothHaveALine(decode(index)[0])}`);
  };
  const missing = (name) => {
    const names = Object.keys(arrays).join(", ");
    throw new TableError(`${variant}: this question needs the array ${name}, and the bundle has only ${names}`);
  };
  const valueAt = (index) => values[known(index)];
  const moverValueAt = (index) => {
    const value = valueAt(index);
    return index < BOARDS ? 0 - value : value; // X to move; unlike -value, 0 - 0 is not -0
  };
  const moveAt = (index) => {
    const cell = (moves ?? missing("moves"))[known(index)];
    return cell === NO_MOVE ? null : cell;
  };
  const optimalAt = (index) => (optimal ?? missing("optimal"))[known(index)];
  const isReachableAt = (index) => (reachable ?? missing("reachable"))[known(index)] === 1;
  const value = (board, turn) => valueAt(encode(board, turn));
  const moverValue = (board, turn) => moverValueAt(encode(board, turn));
  const move = (board, turn) => moveAt(encode(board, turn));
  const isReachable = (board, turn) => isReachableAt(encode(board, turn));
  const optimalMoves = (board, turn) => {
    const mask = optimalAt(encode(board, turn));
    return ALL_CELLS.filter((cell) => (mask >> cell) & 1);
  };
  const moveValues = (board, turn = inferTurn(board)) => {
    if (move(board, turn) === null) return new Map();
    const after = (cell) => value(withMark(board, cell, "XO"[turn]), 1 - turn);
    return new Map(ALL_CELLS.filter((cell) => board[cell] === ".").map((cell) => [cell, after(cell)]));
  };
  const copies = () =>
    Object.fromEntries(DTYPES.map(([name]) => [name, (arrays[name] ?? missing(name)).slice()]));
  const table = {
    variant,
    ...{ value, moverValue, move, optimalMoves, moveValues, isReachable },
    ...{ valueAt, moverValueAt, moveAt, optimalAt, isReachableAt },
    arrays: copies,
    weights: (...asked) => weights(table, ...asked),
    choose: (...asked) => choose(table, ...asked),
    review: (...asked) => review(table, ...asked),
  };
  return Object.freeze(table);
}

function tablesOf(variants) {
  const tables = new Map([...variants].map(([variant, arrays]) => [variant, tableOf(variant, arrays)]));
  const table = (variant = "standard") =>
    tables.get(variant) ?? refuse(UnknownVariantError, "variant", variant, `one of ${[...tables.keys()].join(", ")}`);
  const bestMove = (board) => {
    const move = table().move(board);
    if (move !== null) return move;
    throw new InvalidBoardError(`board "${board}": the game is over (${outcome(board)}), there is no move to make`);
  };
  const playAgainstAI = (humanMoves) => play(table(), cellsOf(humanMoves));
  const situationScore = (board, turn) => {
    checkTurn(turn); // elsewhere a turn left out is inferred; here it is asked for
    return table("fill").value(board, turn);
  };
  return Object.freeze({ table, bestMove, playAgainstAI, situationScore });
}

// O against a human's attempts.

function play(table, attempts) {
  const events = [];
  let board = ".........";
  let status = "IN_PROGRESS";
  const report = (actor, accepted, next, cell) => {
    const rows = [board.slice(0, 3), board.slice(3, 6), board.slice(6)];
    const waiting = status === "IN_PROGRESS" ? next : "-";
    events.push([actor, accepted, ...rows, status, waiting, `${Math.floor(cell / 3)},${cell % 3}`]);
  };
  for (const attempt of attempts) {
    if (status !== "IN_PROGRESS" || board[attempt] !== ".") {
      report("X", "0", "X", attempt);
      continue;
    }
    let cell = attempt;
    for (const [mark, next] of ["XO", "OX"]) {
      board = withMark(board, cell, mark);
      status = outcome(board);
      report(mark, "1", next, cell);
      if (status !== "IN_PROGRESS") break;
      cell = table.move(board);
    }
  }
  return events;
}

/** Return the cell of every attempt, or throw for the first that names none. */
function cellsOf(humanMoves) {
  if (!Array.isArray(humanMoves)) refuse(InvalidMoveError, "humanMoves", humanMoves, "an array of [row, column] pairs");
  return Array.from(humanMoves, (pair, number) => {
    const which = `humanMoves[${number}]`;
    if (!Array.isArray(pair) || pair.length !== 2) refuse(InvalidMoveError, which, pair, "a pair [row, column]");
    const [row, column] = pair;
    for (const [name, given] of Object.entries({ row, column })) {
      if (!THREE.includes(given)) refuse(InvalidMoveError, `${which}: ${name}`, given, "an integer from 0 to 2");
    }
    return ROWS[row][column];
  });
}
