#!/bin/sh
# Put the page, the JavaScript client, its one package and the tables into dist/.
set -eu
cd "$(dirname "$0")"
client=../javascript
msgpack=$client/node_modules/@msgpack/msgpack
[ -e $msgpack/dist.esm/index.mjs ] || npm ci --no-audit --no-fund --prefix $client

rm -rf dist
mkdir -p dist/msgpack/utils
cp index.html style.css icon.svg start.js page.js game.js dist
cp $client/*.js ../../tables/tables.msgpack ../../LICENSE dist
cp $msgpack/LICENSE $msgpack/dist.esm/*.mjs dist/msgpack
cp $msgpack/dist.esm/utils/*.mjs dist/msgpack/utils
