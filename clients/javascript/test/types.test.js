import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import * as ttt from "ttt-runtime";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

test("TypeScript, strict, accepts and refuses what test/types.ts says", () => {
  const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];
  const tsc = path("../node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, ...options, path("types.ts")], { encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
});

test("the declarations name exactly what the module exports", async () => {
  const declarations = await readFile(path("../ttt.d.ts"), "utf8");
  const names = Array.from(declarations.matchAll(/^export (?:function|class|const) (\w+)/gm), ([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(ttt).sort());
});
