/** What README.md shows, and its page as far as that can be followed without a browser. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inspect } from "node:util";

import { load } from "ttt-runtime";

const ROOT = new URL("../../../", import.meta.url);
const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

test("the look-ups give what their comments say", async () => {
  const tables = await load(await readFile(new URL("tables/tables.msgpack", ROOT)));
  const [declaration, ...lines] = readme.match(/```js\n(const table = .*?)\n```/s)[1].split("\n");
  for (const line of lines) {
    const [question, answer] = line.split("// ");
    const found = inspect(new Function("tables", `${declaration}\nreturn ${question}`)(tables));
    assert.equal(answer.slice(0, found.length), found, line);
    assert.match(answer.slice(found.length), /^$|^[,:] /, line);
  }
  assert.equal(lines.length, 8);
});

test("the page's import map leads to the two modules", async () => {
  const { imports } = JSON.parse(readme.match(/<script type="importmap">(.*?)<\/script>/s)[1]);
  const modules = await Promise.all(Object.values(imports).map((path) => import(new URL(path, ROOT))));
  assert.deepEqual(Object.keys(imports), ["ttt-runtime", "@msgpack/msgpack"]);
  assert.deepEqual(modules.map(({ load, decode }) => typeof (load ?? decode)), ["function", "function"]);
});
