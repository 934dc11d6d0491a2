#!/bin/sh
# Put the page, the JavaScript client, their packages and the tables into dist/.
set -eu
cd "$(dirname "$0")"
client=../javascript
msgpack=$client/node_modules/@msgpack/msgpack
noble=node_modules/@noble/hashes
[ -e $msgpack/dist.esm/index.mjs ] || npm ci --no-audit --no-fund --prefix $client
[ -e $noble/sha2.js ] || npm ci --no-audit --no-fund --omit=dev

rm -rf dist
mkdir -p dist/msgpack/utils dist/noble
cp index.html style.css icon.svg dist
cp start.js page.js board.js game.js sha256.js strip.js words.js dist
cp $client/*.js ../../tables/tables.msgpack ../../LICENSE dist
cp $msgpack/LICENSE $msgpack/dist.esm/*.mjs dist/msgpack
cp $msgpack/dist.esm/utils/*.mjs dist/msgpack/utils
cp $noble/LICENSE $noble/sha2.js $noble/_md.js $noble/_u64.js $noble/utils.js dist/noble
