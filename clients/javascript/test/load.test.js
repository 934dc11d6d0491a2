/** load: where the tables may come from, what may be left out of them, and what is refused. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { decode as unpack, encode as pack } from "@msgpack/msgpack";
import { LINES, TTTError, TableError, load } from "ttt-runtime";

const URL_OF_FILE = new URL("../../../tables/tables.msgpack", import.meta.url);
const PATH = fileURLToPath(URL_OF_FILE);
const good = new Uint8Array(await readFile(PATH));
const VARIANTS = ["standard", "fill", "misere", "fastest"];
const answers = (tables) => VARIANTS.map((variant) => tables.table(variant).arrays());
const expected = answers(await load(good));

/** Assert that load() refuses the source with a message that names it and the fault. */
async function assertRefused(source, fault, name = "tables.msgpack") {
  const error = await load(source).then(() => null, (error) => error);
  assert.ok(error instanceof TableError, `${fault}: expected a TableError, got ${error}`);
  assert.ok(error.message.startsWith(`${name}: `), error.message);
  assert.match(error.message, fault);
  assert.match(error.message, /; (get|check|rebuild) |'git lfs pull'/);
  assert.ok(error.message.length < 500, error.message);
}

/** Return the bundle packed again after a change to what it holds. */
function changed(change) {
  const bundle = unpack(good.slice());
  change(bundle, bundle.variants.fill, bundle.variants.fill.arrays);
  return pack(bundle);
}

const small = changed((bundle, fill, { values, moves }) => {
  bundle.variants = { fill: { arrays: { values, moves } } };
});

test("bytes are read from any view or buffer", async () => {
  const shifted = new Uint8Array(good.length + 3);
  shifted.set(good, 3);
  const shared = new Uint8Array(new SharedArrayBuffer(good.length));
  shared.set(good);
  const sources = [Buffer.from(good), good.buffer, shifted.subarray(3), new DataView(good.buffer), shared];
  for (const source of sources) assert.deepEqual(answers(await load(source)), expected);
});

test("a path, a file: URL and an http: URL are read, as text or as an object", async (context) => {
  const server = createServer((request, response) => {
    const pages = { "/tables.msgpack": good, "/cut": good.subarray(0, 1000), "/page": "<html></html>" };
    response.writeHead(request.url in pages ? 200 : 404).end(pages[request.url]);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const site = `http://127.0.0.1:${server.address().port}`;
  const http = `${site}/tables.msgpack`;
  const sources = [PATH, relative(".", PATH), URL_OF_FILE, URL_OF_FILE.href, http, new URL(http)];
  for (const source of sources) assert.deepEqual(answers(await load(source)), expected, `${source}`);

  for (const [source, fault] of [
    ["no-such-file", /cannot be read \(ENOENT: no such file or directory\); check the path/],
    [new URL("file:///no-such-file"), /cannot be read \(ENOENT: no such file or directory\); check the path/],
    ["file://%", /cannot be read \(Invalid URL\)/],
    [".", /cannot be read \(EISDIR: .*\)/],
    [`${site}/absent`, /cannot be fetched \(HTTP status 404\); check the address/],
    [`${site}/page`, /is a web page.*check the address/],
    [`${site}/cut`, /found 1000 bytes/],
    ["http://127.0.0.1:1/tables.msgpack", /cannot be fetched \(.+\); check the address, or give load\(\) the file's/],
    ["gopher://x/", /cannot be fetched/],
  ]) {
    await assertRefused(source, fault, `${source}`);
  }
  await assertRefused("x".repeat(1e6), /cannot be read \(ENAMETOOLONG/, "x".repeat(200));
});

test("text is fetched as a URL where there is no node:fs, as in browsers", async (context) => {
  const { process } = globalThis;
  const fetched = [];
  context.mock.method(globalThis, "fetch", async (address) => fetched.push(address) && new Response(good));
  globalThis.process = undefined;
  const loading = Promise.all(["tables.msgpack", "C:/tables.msgpack"].map(load));
  globalThis.process = process;
  await loading;
  assert.deepEqual(fetched, ["tables.msgpack", "C:/tables.msgpack"]);
});

test("a source of another type is refused", async () => {
  for (const source of [undefined, null, 5, "", [1], {}, new Blob([good]), new Response(good)]) {
    await assert.rejects(load(source), (error) => {
      assert.ok(error instanceof TableError, error.stack);
      return /^source is .*, expected the bytes of tables\.msgpack, its URL or, in Node, its path$/.test(error.message);
    });
  }
});

test("a bundle may leave out variants, and arrays but values", async () => {
  const whole = (await load(good)).table("fill");
  const tables = await load(small);
  const { value, moverValue, move, moveValues, ...others } = tables.table("fill");
  for (const [name, question] of Object.entries({ value, moverValue, move, moveValues })) {
    assert.deepEqual(question("XX.OO...."), whole[name]("XX.OO...."), name);
  }
  for (const level of ["easy", "medium"]) {
    assert.deepEqual(others.weights(level, "XX.OO...."), whole.weights(level, "XX.OO...."));
  }
  assert.equal(tables.situationScore(".OOX.OOXO", 1), 2);
  const lacks = (name) => RegExp(`^TableError: fill: .* needs the array ${name}, .*only values, moves$`);
  assert.throws(() => others.optimalMoves("XX.OO...."), lacks("optimal"));
  assert.throws(() => others.optimalAt(0), lacks("optimal"));
  for (const level of ["hard", "perfect"]) assert.throws(() => others.weights(level, "XX.OO...."), lacks("optimal"));
  assert.throws(() => others.isReachable("XX.OO...."), lacks("reachable"));
  assert.throws(() => others.arrays(), lacks("optimal"));
  for (const question of [() => tables.table(), () => tables.bestMove("........."), () => tables.playAgainstAI([])]) {
    assert.throws(question, { name: "UnknownVariantError", message: 'variant is "standard", expected one of fill' });
  }
  const onlyValues = await load(changed((_, fill, { values }) => (fill.arrays = { values })));
  for (const name of ["move", "moveValues"]) {
    const message = "fill: this question needs the array moves, and the bundle has only values";
    assert.throws(() => onlyValues.table("fill")[name]("........."), { name: "TableError", message });
  }
});

test("a later minor version is read, with variants, arrays and fields that are not known", async () => {
  const tables = await load(changed((bundle, fill, arrays) => {
    bundle.version = "1.10";
    bundle.licence = "MIT";
    bundle.variants.quickest = structuredClone(bundle.variants.fastest);
    arrays.depth = { dtype: "float64" };
    fill.constructor = "a field";
  }));
  assert.deepEqual(answers(tables), expected);
  assert.equal(tables.table("quickest").value("XX.OO...."), -5);
});

test("another version, format or structure is refused", async () => {
  for (const version of ["2.0", "10.0", "1", "1.x", "1.0.0", "1.0\n", ""]) {
    const fault = /: version is ".*", expected "1\.0" or a later 1\.y; get ttt\.js/;
    await assertRefused(changed((bundle) => (bundle.version = version)), fault);
  }
  for (const [change, fault] of [
    [(bundle) => (bundle.format = "ttt-table"), /format is "ttt-table", expected "ttt-tables"/],
    [(bundle) => (bundle.variants = [1]), /variants is Array, expected Object/],
    [(bundle) => (bundle.variants = {}), /variants is empty, expected at least one/],
    [(bundle) => (bundle.variants.odd = {}), /odd: arrays is missing, expected Object/],
    [(_, fill, arrays) => delete arrays.values, /fill: values is missing, expected Object/],
    [(_, fill, arrays) => (arrays.moves = null), /fill: moves is Null, expected Object/],
    [(_, fill, { values }) => (values.dtype = "uint8"), /fill\.values: dtype is "uint8", expected "int8"/],
    [(_, fill, { values }) => (values.shape = [3, 3]), /fill\.values: shape is "\[3,3\]", expected "\[39366\]"/],
    [(_, fill, { values }) => (values.data = [0]), /fill\.values: data is Array, expected Uint8Array/],
    [(_, fill, { optimal, values }) => (optimal.data = values.data), /of data is 39366, expected 78732/],
    [(_, fill, { values, moves }) => (values.data = moves.data), /fill\.values: sha256 of data is \w+, expected \w+/],
  ]) {
    await assertRefused(changed(change), fault);
  }
});

test("a changed bit is refused, or changes no answer", async () => {
  const { values, moves } = unpack(small).variants.fill.arrays;
  const items = [values, moves].map(({ data }) => [data.byteOffset - small.byteOffset, data.length]);
  const outcomes = (tables) =>
    [() => tables.table("fill").valueAt(9396), () => tables.table("fill").moveAt(9396)].map((question) => {
      try {
        return question();
      } catch (error) {
        assert.ok(error instanceof TTTError, error.stack);
        return "refused";
      }
    });
  const right = outcomes(await load(small));
  for (let at = 0; at < small.length; at++) {
    const within = items.some(([start, length]) => start <= at && at < start + length);
    if (within && at % 997 !== 0) continue;
    const bytes = small.slice();
    bytes[at] ^= 1 << at % 8;
    const tables = await load(bytes).catch((error) => error);
    if (tables instanceof TableError) continue;
    assert.ok(!within, `byte ${at}: ${tables}`);
    for (const [question, answer] of outcomes(tables).entries()) {
      assert.ok(answer === right[question] || answer === "refused", `byte ${at}: ${answer}`);
    }
  }
});

test("a file that is cut off, goes on, or is another one is refused", async () => {
  const whole = /found \d+ bytes that are not \(.*\)/;
  for (let size = 0; size < small.length; size += size < 400 ? 1 : 997) {
    await assertRefused(small.subarray(0, size), whole);
  }
  await assertRefused(Buffer.concat([small, Buffer.alloc(1)]), /one whole MessagePack map.*Extra 1/);
  await assertRefused(Buffer.from("version https://git-lfs.github.com/spec/v1\n"), /is a Git LFS pointer/);
  for (const page of ["<!DOCTYPE html><html></html>", "\n  <html>", "\ufeff<?xml version='1.0'?>"]) {
    await assertRefused(Buffer.from(page), /is a web page.*check the address/);
  }
  await assertRefused(pack([1, 2]), /content is Array, expected Object/);
  await assertRefused(pack({}), /format is missing, expected String/);
  // A length of 2 GiB reserves no memory, and 100,000 nested arrays no stack.
  await assertRefused(Uint8Array.of(0xdd, 0x7f, 0xff, 0xff, 0xff), /one whole MessagePack map.*Max length/);
  await assertRefused(new Uint8Array(100_000).fill(0x91), /one whole MessagePack map/);
});

test("without crypto.subtle, as on a page from plain http:, load says why it cannot check", async (context) => {
  const { crypto } = globalThis;
  context.after(() => Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true }));
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  await assert.rejects(load(good), {
    name: "TableError",
    message: /^crypto\.subtle, .* is missing; serve the page from https: or from localhost$/,
  });
});

test("writing to what was given, or to what was returned, changes no answer", async () => {
  for (const give of [(bytes) => bytes, (bytes) => bytes.buffer]) {
    const bytes = good.slice();
    const loading = load(give(bytes));
    bytes.fill(0);
    assert.deepEqual(answers(await loading), expected);
  }
  const tables = await load(good);
  const table = tables.table();
  for (const array of Object.values(table.arrays())) array.fill(7);
  table.optimalMoves("XX.OO....").push(8);
  assert.deepEqual(answers(tables), expected);
  assert.ok([table, tables, LINES, ...LINES].every(Object.isFrozen));
});
