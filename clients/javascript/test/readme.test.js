/** What README.md shows, and its page as far as that can be followed without a browser. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inspect } from "node:util";

import { load } from "ttt-runtime";

const ROOT = new URL("../../../", import.meta.url);
const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

test("the questions to a table give what their comments say", async () => {
  const tables = await load(await readFile(new URL("tables/tables.msgpack", ROOT)));
  const programs = [...readme.matchAll(/```js\n(const table = .*?)\n```/gs)].map(([, program]) => program.split("\n"));
  for (const [declaration, ...lines] of programs) {
    for (const line of lines) {
      const [question, answer] = line.split("// ");
      const found = inspect(new Function("tables", `${declaration}\nreturn ${question}`)(tables));
      assert.equal(answer.slice(0, found.length), found, line);
      assert.match(answer.slice(found.length), /^$|^[,:] /, line);
    }
  }
  assert.deepEqual(programs.map((lines) => lines.length - 1), [8, 5]);
});

test("the page's import map leads to the two modules", async () => {
  const { imports } = JSON.parse(readme.match(/<script type="importmap">(.*?)<\/script>/s)[1]);
  const modules = await Promise.all(Object.values(imports).map((path) => import(new URL(path, ROOT))));
  assert.deepEqual(Object.keys(imports), ["ttt-runtime", "@msgpack/msgpack"]);
  assert.deepEqual(modules.map(({ load, decode }) => typeof (load ?? decode)), ["function", "function"]);
});
