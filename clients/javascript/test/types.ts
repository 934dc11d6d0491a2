// Compiled by types.test.js, never run: what a caller may write, and what is refused.

import {
  LINES,
  InvalidBoardError,
  InvalidIndexError,
  InvalidLevelError,
  InvalidMoveError,
  InvalidSeedError,
  LEVELS,
  TableError,
  TTTError,
  UnknownVariantError,
  decode,
  encode,
  inferTurn,
  load,
  outcome,
} from "ttt-runtime";
import type { Event, Level, Outcome, Review, Table, Tables, Turn, Variant } from "ttt-runtime";

export async function accepted(): Promise<void> {
  const tables: Tables = await load(new Uint8Array());
  await load(new ArrayBuffer(0));
  await load("tables.msgpack");
  await load(new URL("https://example.org/tables.msgpack"));

  const table: Table = tables.table();
  tables.table("theirs" as Variant);
  const variant: "standard" | "fill" | "misere" | "fastest" = table.variant;
  const value: number = table.value("XX.OO....") + table.value("XX.OO....", 1);
  const moverValue: number = table.moverValue("XX.OO....", 1) + table.moverValueAt(0);
  const corner: number | undefined = LINES[0]?.[0];
  const move: number | null = table.move("XX.OO....");
  const cells: number[] = table.optimalMoves("XX.OO....");
  const values: Map<number, number> = table.moveValues("XX.OO....");
  const reachable: boolean = table.isReachable("XX.OO....") || table.isReachableAt(0);
  const byIndex: [number, number | null, number] = [table.valueAt(0), table.moveAt(0), table.optimalAt(0)];
  const copies: [Int8Array, Int8Array] = [table.arrays().values, table.arrays().moves];
  const others: [Uint16Array, Uint8Array] = [table.arrays().optimal, table.arrays().reachable];

  const level: Level = "hard";
  const sentence: string = LEVELS[level];
  const chances: Map<number, number> = table.weights("perfect", "XX.OO....", 0, { trap: true });
  const chosen: number | null = table.choose(level, 7, "XX.OO....");
  const review: Review = table.review([0, 4, 8], ".........", 0);
  const decided: number | null = table.review(tables.playAgainstAI([[0, 0]])).decided;
  const slips: string[] = review.moves.filter(({ name }) => name !== "best").map(({ side, cell }) => `${side} ${cell}`);
  const share: number = review.sides.X.best / review.sides.X.moves;

  const best: number = tables.bestMove("XX.OO....");
  const attempts = [[0, 0], [1, 1]] as const;
  const events: Event[] = tables.playAgainstAI(attempts);
  const status: Outcome = events[0]![5];
  const score: number = tables.situationScore(".OOX.OOXO", 1);

  const index: number = encode("XX.OO....") + encode("XX.OO....", 0);
  const [board, turn]: [string, Turn] = decode(9396);
  const inferred: Turn = inferTurn(board);
  const result: Outcome = outcome(board);
  const errors: TTTError[] = [
    new TableError(),
    new UnknownVariantError(),
    new InvalidBoardError(),
    new InvalidMoveError(),
    new InvalidIndexError(),
    new InvalidLevelError(),
    new InvalidSeedError(),
  ];
  const name: string = errors[0]!.name;
  console.log(
    variant, value, moverValue, corner, move, cells, values, reachable, byIndex, copies, others, best, status, score,
    index, turn, inferred, result, name, sentence, chances, chosen, decided, slips, share,
  );
}

export async function refused(tables: Tables): Promise<void> {
  // @ts-expect-error a number is no source
  await load(5);
  // @ts-expect-error a variant has one of four names
  tables.table("fastset");
  // @ts-expect-error lines are read-only
  LINES[0]![0] = 8;
  // @ts-expect-error the turn is 0 or 1
  tables.table().value("XX.OO....", 2);
  // @ts-expect-error an index is a number
  tables.table().valueAt("9396");
  // @ts-expect-error move() may give null
  const move: number = tables.table().move("XX.OO....");
  // @ts-expect-error here the turn is asked for
  tables.situationScore(".OOX.OOXO");
  // @ts-expect-error attempts are pairs
  tables.playAgainstAI([0, 0]);
  // @ts-expect-error a variant is read-only
  tables.table().variant = "fill";
  // @ts-expect-error there is no such level
  tables.table().choose("expert", 7, "XX.OO....");
  // @ts-expect-error the seed is asked for
  tables.table().choose("hard", "XX.OO....");
  // @ts-expect-error a name of a move is none of these
  tables.table().review([0]).moves[0]!.name === "blunder";
  // @ts-expect-error there is no such question
  tables.table().score("XX.OO....");
  console.log(move);
}
