/**
 * Perfect 3x3 tic-tac-toe as a lookup table.
 *
 * Everywhere below, a board is a string of nine marks (`X`, `O`, or `.` for an empty
 * cell), row by row from the top left; a cell is a number from 0 to 8 in the same
 * order; a turn says who moves next; an index is the number of a board and a turn, from
 * 0 to 39365. A value is the minimax score from O's viewpoint: O maximises, X minimises.
 *
 * A turn that is left out is inferred from the counts of X and O, which must then be
 * ones a game could have; with a turn given, any board will do.
 */

/** 0 if X moves next, 1 if O does. */
export type Turn = 0 | 1;

/**
 * The rules that this release has tables for. For a bundle with others, write
 * `table("theirs" as Variant)`; a name that the bundle lacks is an error as it runs.
 */
export type Variant = "standard" | "fill" | "misere" | "fastest";

/** The eight lines: rows, columns, diagonals, each as its three cells. */
export const LINES: readonly (readonly number[])[];

/** How strong an opponent is, from the weakest to the strongest. */
export type Level = "easy" | "medium" | "hard" | "perfect";

/** What each level does, in words that follow its name. */
export const LEVELS: Readonly<Record<Level, string>>;

export type Outcome = "IN_PROGRESS" | "X_WON" | "O_WON" | "DRAW";

/** What `playAgainstAI` reports of one attempted move. */
export type Event = [
  actor: "X" | "O",
  accepted: "0" | "1",
  row0: string,
  row1: string,
  row2: string,
  status: Outcome,
  /** `-` once the game is over. */
  nextPlayer: "X" | "O" | "-",
  /** `"row,column"` */
  attempt: string,
];

/** What `review` says of one move. Values are the mover's: a larger one is better for it. */
export interface ReviewedMove {
  /** From 1. */
  number: number;
  side: "X" | "O";
  /** The board before the move. */
  board: string;
  cell: number;
  before: number;
  after: number;
  /** The best cells, in order. */
  best: number[];
  /** `best`, if the move is one of them; else by who wins before it and after it. */
  name:
    | "best"
    | "gives up the win" | "loses a draw" | "loses a win"
    /** In `fastest`. */
    | "slower win" | "quicker loss"
    /** In `fill`. */
    | "smaller win" | "greater loss";
}

/** How good each move of a game was; plain data, ready for JSON. */
export interface Review {
  variant: Variant;
  /** The board at the start, and who moved first. */
  board: string;
  turn: Turn;
  moves: ReviewedMove[];
  result: "X wins" | "O wins" | "a draw" | "unfinished";
  /** The number of the last move that changed who wins with perfect play, or null. */
  decided: number | null;
  /** How many moves each side made, and how many of them were best. */
  sides: Record<"X" | "O", { moves: number; best: number }>;
}

/**
 * Read `tables.msgpack`, and check what it reads before the first look-up.
 *
 * It reads `format`, `version` and, of each variant that is there, the arrays `values`,
 * `moves`, `optimal` and `reachable`, each with its sha256. The file may leave out the
 * last three, and then the questions that need them throw a `TableError`.
 *
 * @param source the file's bytes, of which it keeps a copy; or a URL, which it fetches; or,
 *   in Node, a file: URL or a path. Text is a URL in browsers; in Node it is
 *   a path unless it begins with a scheme such as `https:` or `file:`.
 * @throws {TableError} (as a rejection) if the file cannot be read or fetched, is damaged
 *   or of another major version, or if `crypto.subtle` is missing, as it is in pages from
 *   plain http: on other hosts than localhost
 */
export function load(source: ArrayBuffer | ArrayBufferView | URL | string): Promise<Tables>;

/** What `load` gives: the table of every variant, and O as an opponent. */
export interface Tables {
  /**
   * Return the table of a rules variant.
   *
   * @param variant `standard` if left out
   * @throws {UnknownVariantError} if there is no such table
   */
  table(variant?: Variant): Table;

  /**
   * Return the best cell for the side to move in `standard`, the smallest among equals.
   *
   * @throws {InvalidBoardError} if no game has such a board, or the game is over
   * @example tables.bestMove("XX.OO....") // 2
   */
  bestMove(board: string): number;

  /**
   * Play O against a human's attempts, by the table `standard`, and report every event.
   *
   * The human plays X and starts. Each attempt gives one event of X and, if it was
   * accepted and the game goes on, one of O. An attempt on an occupied cell, or after
   * the end, is rejected and changes nothing.
   *
   * @param humanMoves the attempts in order, each `[row, column]`, from 0 to 2
   * @throws {InvalidMoveError} before the first move is played, if any attempt is none
   */
  playAgainstAI(humanMoves: readonly (readonly number[])[]): Event[];

  /**
   * Return lines of O minus lines of X once perfect play has filled the board: the value
   * in the variant `fill`. The turn is never inferred.
   *
   * @throws {InvalidBoardError} if the board or the turn is malformed
   * @example tables.situationScore(".OOX.OOXO", 1) // 2
   */
  situationScore(board: string, turn: Turn): number;
}

/**
 * The solved states of one rules variant.
 *
 * Every question throws an `InvalidBoardError` for a malformed board or turn and, in a
 * variant that ends at a line, for a board on which both sides have one; questions by
 * index throw an `InvalidIndexError` for anything but an integer from 0 to 39365. A
 * question that needs an array which the bundle leaves out throws a `TableError`.
 */
export interface Table {
  readonly variant: Variant;

  /** Return the value of a state, from O's viewpoint. */
  value(board: string, turn?: Turn): number;

  /**
   * Return the value from the mover's side: positive is good for the side to move, that
   * is `-value` if X moves next and `value` if O does.
   *
   * @example tables.table("fastest").moverValue("XX.OO....") // 5: X, to move, wins
   */
  moverValue(board: string, turn?: Turn): number;

  /** Return the smallest of the best cells, or null if play has ended. */
  move(board: string, turn?: Turn): number | null;

  /** Return all the best cells, in order; none if play has ended. */
  optimalMoves(board: string, turn?: Turn): number[];

  /** Return, for each legal cell in order, the value of the state after it. */
  moveValues(board: string, turn?: Turn): Map<number, number>;

  /** Return whether a game from the empty board, X first, can lead to the state. */
  isReachable(board: string, turn?: Turn): boolean;

  /**
   * Return the chances of a level: the cells it may play, in order, each with a whole
   * number above 0; none if play has ended. The chance of a cell is its weight by the
   * sum of the weights.
   *
   * - `easy`: every legal cell has weight 1.
   * - `medium`: the cells whose minimax over two plies is best for the mover have weight
   *   1. Where play has ended after one ply or two, the value counts, elsewhere 0. In
   *   `fill`, the cells that complete the most lines have weight 1.
   * - `hard`: of n legal cells, b of them best, a best one has weight 7n + b, another one
   *   b: seven moves in eight those of `perfect`, one that of `easy`.
   * - `perfect`: the best cells have weight 1.
   *
   * @param options `trap`: `perfect` keeps only those of the best cells after which the
   *   most replies are worse for the opponent than its best one
   * @throws {InvalidLevelError} if there is no such level
   * @example table.weights("hard", "XX.OO....") // Map(5) { 2 => 36, 5 => 1, 6 => 1, 7 => 1, 8 => 1 }
   */
  weights(level: Level, board: string, turn?: Turn, options?: { trap?: boolean }): Map<number, number>;

  /**
   * Return the cell that a level plays, or null if play has ended.
   *
   * It follows from the seed and the state alone, in the way that `choose` of
   * `ttt_runtime/levels.py` says, which draws the same cell: MurmurHash3 (x86, 32 bits)
   * of the index with the seed, times the sum of the weights, by 2**32.
   *
   * @param seed an integer from 0 to 2**32 - 1: the same seed makes the same game again
   * @throws {InvalidSeedError} if the seed is none
   * @throws {InvalidLevelError} if there is no such level
   */
  choose(level: Level, seed: number, board: string, turn?: Turn, options?: { trap?: boolean }): number | null;

  /**
   * Return how good each move of a game was, and where the game was decided.
   *
   * @param game the cells in order, or the events of `playAgainstAI`, whose refused
   *   attempts are skipped; a game that is unfinished is reviewed as far as it goes
   * @param board where the game starts; the empty board if left out
   * @param turn who moves first; inferred from the board if left out
   * @throws {InvalidMoveError} if a cell is outside the board, is taken or comes after the
   *   end, or an event is malformed, out of turn, or shows another board
   */
  review(game: readonly number[] | readonly Event[], board?: string, turn?: Turn): Review;

  valueAt(index: number): number;
  moverValueAt(index: number): number;
  moveAt(index: number): number | null;

  /** Return the best cells as a mask: bit c stands for cell c; 0 if play has ended. */
  optimalAt(index: number): number;
  isReachableAt(index: number): boolean;

  /**
   * Return new copies of all four arrays, each of 39366 items in index order, with their
   * sentinels: value -128 where both sides have a line and the variant ends at one, move
   * -1 and mask 0 where there is no move. `reachable` holds 0 and 1.
   */
  arrays(): {
    values: Int8Array;
    moves: Int8Array;
    optimal: Uint16Array;
    reachable: Uint8Array;
  };
}

/**
 * Return the index of a state.
 *
 * @throws {InvalidBoardError} if the board or the turn is malformed, or the turn is to be
 *   inferred and no game has these counts
 * @example encode("XX.OO....", 0) // 9396
 */
export function encode(board: string, turn?: Turn): number;

/**
 * Return the board and the turn that an index stands for.
 *
 * @throws {InvalidIndexError} if the index is no integer from 0 to 39365
 * @example decode(9396) // ["XX.OO....", 0]
 */
export function decode(index: number): [board: string, turn: Turn];

/**
 * Return whose turn the counts imply: 0 (X) if they are equal, else 1 (O).
 *
 * @throws {InvalidBoardError} if the board is malformed, or no game has these counts
 */
export function inferTurn(board: string): Turn;

/**
 * Return how the game stands by the usual rules: a line is seen before a full board.
 *
 * @throws {InvalidBoardError} if the board is malformed, or both sides have a line
 */
export function outcome(board: string): Outcome;

/** Base of all errors of this module; `name` is the name of the class. */
export class TTTError extends Error {}

/** The tables cannot be read, are damaged, or of a version not known here. */
export class TableError extends TTTError {}

/** There is no table for a rules variant of this name. */
export class UnknownVariantError extends TTTError {}

/** A board or a turn is malformed, or the question makes no sense for it. */
export class InvalidBoardError extends TTTError {}

/** A move is not a place on the board, or the game does not allow it. */
export class InvalidMoveError extends TTTError {}

/** An index is not an integer from 0 to 39365. */
export class InvalidIndexError extends TTTError {}

/** There is no level of play of this name. */
export class InvalidLevelError extends TTTError {}

/** A seed is not an integer from 0 to 2**32 - 1. */
export class InvalidSeedError extends TTTError {}
