/** Browsers have crypto.subtle, with which ttt.js checks the tables, on https: and on localhost only: elsewhere, this. */

import { sha256 } from "@noble/hashes/sha2.js";

Object.defineProperty(crypto, "subtle", { value: { digest: async (_, data) => sha256(data) } });
