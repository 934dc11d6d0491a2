/** The page: shows a game, and plays the next one when a cell, a key or a choice asks for it. */

import { TTTError, load } from "ttt-runtime";
import { cellsInLines, gameOf, linkOf, play } from "./game.js";

const find = (selector) => document.querySelector(selector);
if (!crypto.subtle) await import("./sha256.js");
const tables = await load("tables.msgpack");
const cells = cellButtons();
let game;

function cellButtons() {
  for (let row = 0; row < 3; row++) {
    const cellsOfRow = find("#board").insertRow();
    for (let column = 0; column < 3; column++) {
      cellsOfRow.insertCell().append(find("#cell").content.cloneNode(true));
    }
  }
  return [...document.querySelectorAll("#board button")];
}

/** Show a game, and say how it stands, and then what has just happened. */
function show(next, happened) {
  game = next;
  const lines = game.status === "IN_PROGRESS" ? new Set() : cellsInLines(game.board);
  const values = find("#values").checked ? valuesOf(game) : new Map();
  for (const [cell, button] of cells.entries()) {
    const mark = game.board[cell];
    const value = values.get(cell) ?? "";
    const content = [mark === "." ? "empty" : mark, value].filter(Boolean);
    button.setAttribute("aria-label", [placeOf(Math.floor(cell / 3), cell % 3), ...content].join(", "));
    button.dataset.mark = mark;
    button.dataset.value = value;
    button.toggleAttribute("data-line", lines.has(cell));
    button.querySelector(".value").textContent = value;
  }
  find(`#variants [value=${game.variant}]`).checked = true;
  find(`#sides [value=${game.side}]`).checked = true;
  find("#events").textContent = game.events.map((event) => event.join(" ")).join("\n") || "None so far.";
  const headline = document.createElement("strong");
  headline.textContent = headlineOf(game);
  find("#status").replaceChildren(headline, ` ${happened}`);
  if (location.hash !== linkOf(game)) history.replaceState(null, "", linkOf(game));
}

function headlineOf({ variant, side, status, board }) {
  if (status === "IN_PROGRESS") return `Your turn, ${side}.`;
  if (status === "DRAW") return "A draw.";
  const lines = Math.abs(tables.table("fill").value(board));
  const margin = variant === "fill" ? `, by ${lines} ${lines === 1 ? "line" : "lines"}` : "";
  return (status === `${side}_WON` ? "You win" : "The computer wins") + `${margin}.`;
}

/** Tell in words what these events report. */
function told(events, side) {
  const clauses = events.map(([actor, accepted, , , , status, , attempt]) => {
    const place = placeOf(...attempt.split(",").map(Number));
    if (accepted === "1") return `${actor === side ? "you" : "the computer"} took ${place}`;
    return status === "IN_PROGRESS" ? `${place} is taken` : "no more moves: undo, or start a new game";
  });
  const text = clauses.join("; ");
  return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

const placeOf = (row, column) => `row ${row + 1}, column ${column + 1}`;

/** Return, for each empty cell, what it leads to for the side to move, which is yours. */
function valuesOf({ variant, side, board }) {
  const sign = side === "O" ? 1 : -1;
  const words = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);
  const values = [...tables.table(variant).moveValues(board)];
  return new Map(values.map(([cell, value]) => [cell, words.get(Math.sign(sign * value))]));
}

function attempt(cell) {
  const next = play(tables.table(game.variant), game.side, [...game.attempts, cell]);
  show(next, told(next.events.slice(game.events.length), game.side));
}

function undo() {
  if (game.accepted.length === 0) return show(game, "You have no move to take back.");
  const { variant, side, attempts, accepted } = game;
  show(play(tables.table(variant), side, attempts.slice(0, accepted.at(-1))), "Your last move is taken back.");
}

function startNew(variant = game.variant, side = game.side) {
  const next = play(tables.table(variant), side, []);
  show(next, told(next.events, side) || "A new game.");
}

function open(link) {
  try {
    const next = gameOf(link, tables);
    show(next, link ? "This game was opened from its link." : told(next.events, next.side) || "X moves first.");
  } catch (error) {
    if (!(error instanceof TTTError)) throw error;
    show(game ?? gameOf("", tables), error.message + ".");
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

const switchValues = () => {
  find("#values").checked = !find("#values").checked;
  showValues();
};
const showValues = () => show(game, find("#values").checked ? "Values are shown." : "Values are hidden.");

/** Only one cell is in the order of the Tab key: the one where the arrow keys have led. */
function focusFrom(cell) {
  for (const [other, button] of cells.entries()) button.tabIndex = other === cell ? 0 : -1;
}

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
// Letters count on the board only, where there is nothing to type them into.
const LETTERS = { u: undo, n: () => startNew(), v: switchValues };

find("#board").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const cell = cells.indexOf(event.target);
  if (event.key in ARROWS) {
    const [down, right] = ARROWS[event.key];
    const [row, column] = [Math.floor(cell / 3) + down, (cell % 3) + right];
    if ([row, column].every((at) => at >= 0 && at < 3)) cells[3 * row + column].focus();
  } else if (event.key.toLowerCase() in LETTERS) {
    LETTERS[event.key.toLowerCase()]();
  } else {
    return;
  }
  event.preventDefault();
});
for (const [cell, button] of cells.entries()) {
  button.addEventListener("focus", () => focusFrom(cell));
  button.addEventListener("click", () => attempt(cell));
}
find("#undo").addEventListener("click", undo);
find("#new").addEventListener("click", () => startNew());
find("#copy").addEventListener("click", copyLink);
find("#values").addEventListener("change", showValues);
find("#variants").addEventListener("change", (event) => startNew(event.target.value));
find("#sides").addEventListener("change", (event) => startNew(undefined, event.target.value));
window.addEventListener("hashchange", () => open(location.hash));

focusFrom(4);
for (const part of document.querySelectorAll(".ready")) part.hidden = false;
open(location.hash);
