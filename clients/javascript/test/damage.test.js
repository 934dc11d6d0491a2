/** What is not tables.msgpack to the byte is refused, or gives the very same answers. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { decode as unpack, encode as pack } from "@msgpack/msgpack";
import { TableError, load } from "ttt-runtime";

const TABLES = process.env.TTT_TABLES ?? fileURLToPath(new URL("../../../tables/tables.msgpack", import.meta.url));
const good = new Uint8Array(await readFile(TABLES));
const VARIANTS = ["standard", "fill", "misere", "fastest"];
const ARRAYS = ["values", "moves", "optimal", "reachable"];
const answers = (tables) => VARIANTS.map((variant) => tables.table(variant).arrays());
const expected = answers(await load(good));

/** Where each array's items are in the file: `[name, start, end]`. */
const payloads = Object.entries(unpack(good).variants).flatMap(([variant, { arrays }]) =>
  Object.entries(arrays).map(([name, { data }]) => [
    `${variant}.${name}`,
    data.byteOffset - good.byteOffset,
    data.byteOffset - good.byteOffset + data.length,
  ]),
);

/** Assert that load() refuses the bytes with a message that names file, fault and remedy. */
async function assertRefused(bytes, fault, context) {
  const error = await load(bytes).then(() => null, (error) => error);
  assert.ok(error instanceof TableError, `${context}: expected a TableError, got ${error}`);
  assert.match(error.message, /^tables\.msgpack: .*(get |check )/s, context);
  assert.match(error.message, fault, context);
  assert.ok(error.message.length < 400, context);
}

/** Return the file with one byte replaced. */
function withByte(at, byte) {
  const bytes = good.slice();
  bytes[at] = byte;
  return bytes;
}

/** Return the file packed again after a change to what it holds. */
function changed(change) {
  const bundle = unpack(good.slice());
  change(bundle, bundle.variants.fill, bundle.variants.fill.arrays.values);
  return pack(bundle);
}

/** Return what the file says without what no answer depends on. */
function essence(bytes) {
  const { format, version, variants } = unpack(bytes);
  const arrays = VARIANTS.flatMap((variant) => ARRAYS.map((name) => variants[variant].arrays[name]));
  return { format, major: version.split(".")[0], arrays };
}

test("a change to any byte outside the items is refused, or changes no answer", async () => {
  const isItem = (at) => payloads.some(([, start, end]) => start <= at && at < end);
  const original = essence(good);
  let refused = 0;
  let accepted = 0;
  for (let at = 0; at < good.length; at++) {
    if (isItem(at)) continue;
    const bytes = withByte(at, good[at] ^ (at % 2 === 0 ? 0x01 : 0x80));
    let tables;
    try {
      tables = await load(bytes);
    } catch (error) {
      assert.ok(error instanceof TableError, `byte ${at}: ${error.stack}`);
      refused++;
      continue;
    }
    accepted++;
    assert.deepEqual(essence(bytes), original, `byte ${at}`);
    assert.deepEqual(answers(tables), expected, `byte ${at}`);
  }
  assert.ok(refused > 2 * accepted, `${refused} refused, ${accepted} accepted`);
});

test("a change to an item is refused by its array's sha256", async () => {
  for (const [name, start, end] of payloads) {
    const sample = Array.from({ length: 5 }, (_, part) => start + Math.floor(((end - 1 - start) * part) / 4));
    for (const at of sample) {
      await assertRefused(withByte(at, good[at] ^ 1), RegExp(`${name}: sha256 of data is`), `byte ${at}`);
    }
  }
});

test("a file that is cut off anywhere is refused", async () => {
  const borders = [0, good.length, ...payloads.flatMap(([, start, end]) => [start, end])];
  for (let size = 0; size < good.length; size++) {
    const near = borders.some((border) => Math.abs(border - size) <= 40);
    if (!near && size % 4001 !== 0) continue;
    await assertRefused(good.subarray(0, size), /one whole MessagePack map/, `${size} bytes`);
  }
});

test("bytes after the end, or missing at the start, are refused", async () => {
  await assertRefused(Buffer.concat([good, Buffer.alloc(1)]), /one whole MessagePack map.*Extra 1/);
  await assertRefused(Buffer.concat([good, good]), /one whole MessagePack map.*Extra/);
  await assertRefused(good.subarray(1), /one whole MessagePack map/);
});

test("other files in the place of the tables are refused by name", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 790374\n";
  await assertRefused(Buffer.from(pointer), /Git LFS pointer.*'git lfs pull'/);
  for (const page of ["<!DOCTYPE html><html></html>", "\n  <html>", "\ufeff<?xml version='1.0'?>"]) {
    await assertRefused(Buffer.from(page), /is a web page.*check the address/);
  }
  await assertRefused(new Uint8Array(), /found 0 bytes/);
  await assertRefused(Buffer.from("hello"), /one whole MessagePack map/);
  await assertRefused(pack(null), /content is Null, expected Object/);
  await assertRefused(pack([1, 2]), /content is Array, expected Object/);
  await assertRefused(pack({}), /format is missing, expected String/);
  await assertRefused(Uint8Array.of(0xdd, 0x7f, 0xff, 0xff, 0xff), /one whole MessagePack map.*Max length/);
  await assertRefused(new Uint8Array(100_000).fill(0x91), /one whole MessagePack map/);
});

test("a later minor version is read, with variants, arrays and fields that are not known", async () => {
  const tables = await load(changed((bundle, fill) => {
    bundle.version = "1.7";
    bundle.licence = "MIT";
    bundle.variants.quickest = structuredClone(bundle.variants.fastest);
    fill.arrays.depth = { ...fill.arrays.optimal, dtype: "float64", shape: [2, 3], unit: "moves" };
    fill.arrays.constructor = fill.arrays.depth;
    fill.constructor = "a field";
  }));
  assert.deepEqual(answers(tables), expected);
  assert.equal(tables.table("quickest").value("XX.OO...."), -5);
  assert.deepEqual(answers(await load(changed((bundle) => (bundle.version = "1.10")))), expected);
});

test("another version or format is refused", async () => {
  for (const version of ["2.0", "0.9", "10.0", "1", "1.", "1.x", "1.0.0", "1.0\n", " 1.0", ""]) {
    const bytes = changed((bundle) => (bundle.version = version));
    await assertRefused(bytes, /: version is ".*", expected "1\.0" or a later 1\.y; get ttt\.js/s, version);
  }
  await assertRefused(changed((bundle) => (bundle.version = 1)), /version is Integer, expected String/);
  const other = changed((bundle) => (bundle.format = "ttt-table"));
  await assertRefused(other, /format is "ttt-table", expected "ttt-tables"/);
});

test("a structure that is not the format's is refused", async () => {
  const faults = [
    [(bundle) => delete bundle.encoding, /encoding is missing/],
    [(bundle) => (bundle.encoding = 3), /encoding is Integer, expected String/],
    [(bundle) => (bundle.variants = [1]), /variants is Array, expected Object/],
    [(bundle) => (bundle.variants.odd = 7), /odd is Integer, expected Object/],
    [(bundle) => (bundle.variants.odd = {}), /odd: arrays is missing/],
    [(_, fill) => delete fill.summary, /fill: summary is missing/],
    [(_, fill) => (fill.summary.rule = null), /fill: rule is Null, expected String/],
    [(_, fill) => (fill.summary.won = 0.5), /fill: won is Number, expected Integer/],
    [(_, fill) => (fill.arrays = "none"), /fill: arrays is String, expected Object/],
    [(_, fill, values) => (values.dtype = "uint8"), /fill\.values: dtype is "uint8", expected "int8"/],
    [(_, fill) => (fill.arrays.optimal.dtype = "int8"), /fill\.optimal: dtype is "int8", expected "uint16"/],
    [(_, fill, values) => (values.shape = 39366), /fill\.values: shape is Integer, expected Array/],
    [(_, fill, values) => (values.shape = []), /fill\.values: number of dimensions is 0, expected 1/],
    [(_, fill, values) => (values.shape = [39366, 1]), /fill\.values: number of dimensions is 2, expected 1/],
    [(_, fill, values) => (values.shape = ["39366"]), /fill\.values: shape\[0\] is "39366", expected 39366/],
    [(_, fill, values) => (values.shape = [39365]), /fill\.values: shape\[0\] is 39365, expected 39366/],
    [(_, fill, values) => (values.sha256 = new Uint8Array(32)), /fill\.values: sha256 is Uint8Array, expected String/],
    [(_, fill, values) => (values.sha256 = values.sha256.toUpperCase()), /fill\.values: sha256 of data is/],
    [(_, fill, values) => (values.data = [...values.data]), /fill\.values: data is Array, expected Uint8Array/],
    [(_, fill, values) => (values.data = values.data.slice(1)), /number of bytes of data is 39365, expected 39366/],
    [(_, fill) => (fill.arrays.optimal.data = new Uint8Array(39366)), /of data is 39366, expected 78732/],
    [(_, fill) => (fill.arrays.depth = 5), /fill: depth is Integer, expected Object/],
    [(_, fill) => (fill.arrays.depth = {}), /fill\.depth: dtype is missing/],
    [(_, fill, values) => (fill.arrays.depth = { ...values, data: values.data.slice(1) }), /fill\.depth: sha256 of/],
    ...["states", "reachable", "finished", "won", "lost", "drawn", "empty_board"].map((count) => [
      (_, fill) => delete fill.summary[count], RegExp(`fill: ${count} is missing, expected Integer`),
    ]),
    ...VARIANTS.map((variant) => [(bundle) => delete bundle.variants[variant], RegExp(`${variant} is missing`)]),
    ...ARRAYS.map((name) => [(_, fill) => delete fill.arrays[name], RegExp(`fill: ${name} is missing`)]),
  ];
  for (const [change, fault] of faults) await assertRefused(changed(change), fault, `${fault}`);
});

test("the tables are read from an address, and what is wrong with it is said", async (context) => {
  const server = createServer((request, response) => {
    const pages = { "/tables.msgpack": good, "/cut": good.subarray(0, 1000), "/page": "<html></html>" };
    response.writeHead(request.url in pages ? 200 : 404).end(pages[request.url]);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const site = `http://127.0.0.1:${server.address().port}`;
  assert.deepEqual(answers(await load(`${site}/tables.msgpack`)), expected);
  assert.deepEqual(answers(await load(new URL(`${site}/tables.msgpack`))), expected);
  const refused = async (address, fault) => {
    const error = await load(address).catch((error) => error);
    assert.ok(error instanceof TableError, `${address}: ${error}`);
    assert.ok(error.message.startsWith(`${address}: `), error.message);
    assert.match(error.message, fault);
  };
  await refused(`${site}/absent`, /cannot be fetched \(HTTP status 404\); check the address/);
  await refused(`${site}/page`, /is a web page.*check the address/);
  await refused(`${site}/cut`, /found 1000 bytes/);
  await refused("http://127.0.0.1:1/tables.msgpack", /cannot be fetched \(.+\); check the address/);
  await refused("tables.msgpack", /cannot be fetched \(.+\); check the address, or give load\(\) the file's bytes/);
  await refused(new URL("file:///tables.msgpack"), /cannot be fetched .*give load\(\) the file's bytes/);
  await refused("", /cannot be fetched/);
});

test("without crypto.subtle, as on a page from plain http:, load says why it cannot check", async () => {
  const { crypto } = globalThis;
  for (const value of [undefined, {}]) {
    Object.defineProperty(globalThis, "crypto", { value, configurable: true });
    try {
      await assert.rejects(load(good), (error) => {
        assert.ok(error instanceof TableError);
        assert.match(error.message, /^crypto\.subtle, .* is missing; serve the page from https: or from localhost$/);
        return true;
      });
    } finally {
      Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
    }
  }
});

test("bytes are read from any view or buffer", async () => {
  const shifted = new Uint8Array(good.length + 3).fill(0xc1);
  shifted.set(good, 3);
  const shared = new Uint8Array(new SharedArrayBuffer(good.length));
  shared.set(good);
  const sources = [
    Buffer.from(good), good.buffer, shifted.subarray(3), new DataView(good.buffer), new Int16Array(good.buffer), shared,
  ];
  for (const source of sources) assert.deepEqual(answers(await load(source)), expected);
});

test("writing to what was given, or to what was returned, changes no answer", async () => {
  let tables;
  for (const give of [(bytes) => bytes, (bytes) => bytes.buffer]) {
    const bytes = good.slice();
    const loading = load(give(bytes));
    bytes.fill(0);
    tables = await loading;
    assert.deepEqual(answers(tables), expected);
  }
  const table = tables.table();
  for (const array of Object.values(table.arrays())) array.fill(7);
  table.optimalMoves("XX.OO....").push(8);
  table.moveValues("XX.OO....").set(2, 7);
  tables.playAgainstAI([[0, 0]])[0][2] = "OOO";
  assert.deepEqual(answers(tables), expected);
  assert.deepEqual(table.optimalMoves("XX.OO...."), [2]);
  assert.equal(table.moveValues("XX.OO....").get(2), -1);
  assert.equal(tables.playAgainstAI([[0, 0]])[0][2], "X..");
  assert.ok(Object.isFrozen(table) && Object.isFrozen(tables));
});
