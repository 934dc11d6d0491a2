/** The page: shows a game, and plays the next one when a cell, a key or a choice asks for it. */

import { TTTError, load } from "ttt-runtime";
import { drawBoard, listen } from "./board.js";
import { LEVELS, cellsInLines, gameOf, linkOf, newGame, play } from "./game.js";
import { after, drawStrip } from "./strip.js";
import { headlineOf, hintOf, prospect, sentence, stepOf, summaryOf, told } from "./words.js";

const find = (selector) => document.querySelector(selector);
if (!crypto.subtle) await import("./sha256.js");
const tables = await load("tables.msgpack");
const tableOf = ({ variant }) => tables.table(variant);
let game;
let review;

/** What a page without a link begins with. */
const FIRST = { variant: "standard", side: "X", level: "perfect" };

/** Show a game, and say how it stands, and then what has just happened. */
function show(next, happened, judged) {
  game = next;
  const ended = game.status !== "IN_PROGRESS";
  const lines = ended ? cellsInLines(game.board) : new Set();
  drawBoard(game.board, { lines, values: find("#values").checked ? valuesOf(game) : new Map(), judged });
  say(headlineOf(game, tableOf(game)), happened);
  for (const kind of ["variant", "side", "level"]) find(`[name=${kind}][value=${game[kind] ?? "perfect"}]`).checked = true;
  find("#events").textContent = game.events.map((event) => event.join(" ")).join("\n") || "None so far.";
  find("#review").hidden = !ended;
  if (ended) showReview();
  if (location.hash !== linkOf(game)) history.replaceState(history.state, "", linkOf(game));
}

function say(headline, text) {
  const strong = document.createElement("strong");
  strong.textContent = headline;
  find("#status").replaceChildren(strong, ` ${text}`);
}

/** Return, for each empty cell, what it leads to for you, who are to move. */
function valuesOf(game) {
  const values = [...tableOf(game).moveValues(game.board)];
  return new Map(values.map(([cell, value]) => [cell, prospect(game, value)]));
}

function showReview() {
  review = tableOf(game).review(game.events);
  drawStrip(review.moves, find("#steps"));
  find("#steps label:last-child input").checked = true;
  find("#summary").textContent = summaryOf(review, game.side);
}

/** Show the board after a move of the review, and what would have been better. */
function showStep(number) {
  const move = review.moves[number - 1];
  const better = move.best.map((cell) => [cell, ["best", "better"]]);
  const judged = new Map(move.name === "best" ? [] : better);
  judged.set(move.cell, [move.name === "best" ? "best" : "slip", move.name]);
  const lines = number === review.moves.length ? cellsInLines(game.board) : new Set();
  drawBoard(after(move), { lines, judged });
  say(...stepOf(move, game.side));
}

function attempt(cell) {
  const next = play(tables, game, [...game.attempts, cell]);
  show(next, told(next));
}

/** Take your last move back or, where there is none, the new game. */
function undo() {
  if (game.accepted.length > 0) {
    show(play(tables, game, game.attempts.slice(0, game.accepted.at(-1))), "Your last move is taken back.");
  } else if (history.state?.follows) {
    history.replaceState(null, ""); // the second of two quick clicks must not go back further
    history.back();
  } else {
    show(game, "You have no move to take back.");
  }
}

/** Begin a new game; one in which you have moved stays a step back in the browser's history. */
function startNew(changes) {
  const next = newGame(tables, { ...game, ...changes });
  if (game.accepted.length > 0) history.pushState({ follows: true }, "");
  show(next, `${told(next) || "A new game."}${history.state?.follows ? " Undo brings the last one back." : ""}`);
}

/** Show the game of the address. */
function open() {
  try {
    show(gameOf(location.hash, tables), "This is the game of the address.");
  } catch (error) {
    if (!(error instanceof TTTError)) throw error;
    show(game ?? newGame(tables, FIRST), `${sentence(error.message)} ${game ? "The last game is still here." : "This is a new one."}`);
  }
}

async function copyLink() {
  let happened = "The link to this game is copied.";
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    happened = "The browser does not allow copying; copy the address of this page instead.";
  }
  show(game, happened);
}

function showHint() {
  const best = tableOf(game).optimalMoves(game.board);
  if (best.length === 0) return show(game, "No more moves: undo, or start a new game.");
  const judged = new Map(best.map((cell) => [cell, ["best", "best"]]));
  return show(game, hintOf(best, game.board, prospect(game, tableOf(game).value(game.board))), judged);
}

const showValues = () => show(game, find("#values").checked ? "Values are shown." : "Values are hidden.");
const switchValues = () => {
  find("#values").checked = !find("#values").checked;
  showValues();
};

function offerLevels() {
  for (const [level, definition] of Object.entries(LEVELS)) {
    const choice = find("#level").content.cloneNode(true);
    choice.querySelector("input").value = level;
    choice.querySelector("b").textContent = `${level[0].toUpperCase()}${level.slice(1)}`;
    choice.querySelector("span").append(sentence(definition));
    find("#levels").append(choice);
  }
}

offerLevels();
// Letters count on the board only, where there is nothing to type them into.
listen(attempt, { u: undo, n: startNew, h: showHint, v: switchValues });
find("#undo").addEventListener("click", undo);
find("#new").addEventListener("click", () => startNew());
find("#hint").addEventListener("click", showHint);
find("#copy").addEventListener("click", copyLink);
find("#values").addEventListener("change", showValues);
find("#steps").addEventListener("change", (event) => showStep(Number(event.target.value)));
find(".options").addEventListener("change", ({ target }) => startNew({ [target.name]: target.value }));
window.addEventListener("hashchange", open);

for (const part of document.querySelectorAll(".ready")) part.hidden = false;
if (location.hash) open();
else show(newGame(tables, FIRST), "X moves first.");
