/** Turns a table of operator rows into an object of functions that build and check nodes. */

import type { BodyEncoder } from './body-encoder.ts';
import { checkOperand, type Expr, type Stmt } from './expr.ts';
import type { MemoryPlace, OperatorByKind, OpRow } from './op-row.ts';
import type { ValueType } from './value-type.ts';

/** Functions of a table, under the keys of its rows. */
export type Operators<Table extends Readonly<Record<string, OpRow>>> = {
  readonly [Key in keyof Table]: OperatorByKind[Table[Key]['kind']];
};

/** Operator function of any kind. */
type AnyOperator = OperatorByKind[keyof OperatorByKind];

/** Immediates of one node. */
interface Immediates {
  readonly offset: number;
  readonly alignLog2: number;
  readonly memoryIndex: number;
  readonly lane: number;
  readonly lanes: ArrayLike<number> | undefined;
}

const NO_IMMEDIATES: Immediates = {
  offset: 0,
  alignLog2: 0,
  memoryIndex: 0,
  lane: 0,
  lanes: undefined,
};

/**
 * Bit of the alignment field of an access that names its memory (multiple memories, section 5.4.7
 * of specification 3.0).
 */
const NAMES_MEMORY = 0x40;

const MAX_OFFSET_BYTES = 2 ** 32 - 1;

/**
 * Returns the operators of `table`. Each checks the types of its operands and the range of its
 * immediates when it is called.
 *
 * @param group First part of the operators' names, such as `f32x4`.
 */
export function createOperators<const Table extends Readonly<Record<string, OpRow>>>(
  group: string,
  table: Table,
): Operators<Table> {
  const entries = Object.entries(table).map(([key, row]): [string, AnyOperator] => [
    key,
    createOperator(`${group}.${key}`, row),
  ]);
  // The kind of a row determines the type of its function, and createOperator follows the kind.
  return Object.fromEntries(entries) as Operators<Table>;
}

/** Node of a table operator: up to three operands, then the opcode, then immediates. */
class OperatorNode {
  readonly type: ValueType | 'none';
  readonly op: string;
  readonly endsFlow = false;
  readonly #row: OpRow;
  readonly #first: Expr | undefined;
  readonly #second: Expr | undefined;
  readonly #third: Expr | undefined;
  readonly #immediates: Immediates;

  constructor(op: string, row: OpRow, immediates: Immediates, a?: Expr, b?: Expr, c?: Expr) {
    this.type = row.result;
    this.op = op;
    this.#row = row;
    this.#first = a;
    this.#second = b;
    this.#third = c;
    this.#immediates = immediates;
  }

  encode(body: BodyEncoder): void {
    this.#first?.encode(body);
    this.#second?.encode(body);
    this.#third?.encode(body);
    const { bytes } = body;
    const row = this.#row;
    if (row.prefix === 0) {
      bytes.writeByte(row.code);
    } else {
      bytes.writeByte(row.prefix);
      bytes.writeU32(row.code);
    }
    if (row.accessBytes > 0) {
      const { alignLog2, memoryIndex, offset } = this.#immediates;
      bytes.writeU32(memoryIndex === 0 ? alignLog2 : alignLog2 | NAMES_MEMORY);
      if (memoryIndex > 0) bytes.writeU32(memoryIndex);
      bytes.writeU32(offset);
    }
    if (row.kind === 'shuffle') bytes.writeBytes(this.#immediates.lanes ?? []);
    else if (row.laneCount > 0) bytes.writeByte(this.#immediates.lane);
    for (let index = 0; index < row.memoryIndexCount; index++) bytes.writeByte(0);
  }
}

function createOperator(op: string, row: OpRow): AnyOperator {
  /** Checks and builds a node; its static type follows from the kind of the row. */
  const build = (immediates: Immediates, a?: Expr, b?: Expr, c?: Expr): OperatorNode => {
    const { operands } = row;
    if (operands.length > 0) checkOperand(op, 0, a, operands[0]);
    if (operands.length > 1) checkOperand(op, 1, b, operands[1]);
    if (operands.length > 2) checkOperand(op, 2, c, operands[2]);
    return new OperatorNode(op, row, immediates, a, b, c);
  };
  const expr = (immediates: Immediates, a?: Expr, b?: Expr, c?: Expr): Expr =>
    build(immediates, a, b, c) as Expr; // a row with a result makes an expression
  const stmt = (immediates: Immediates, a?: Expr, b?: Expr, c?: Expr): Stmt =>
    build(immediates, a, b, c) as Stmt; // a row without a result makes a statement

  switch (row.kind) {
    case 'nullary':
      return () => expr(NO_IMMEDIATES);
    case 'unary':
      return (value: Expr) => expr(NO_IMMEDIATES, value);
    case 'binary':
      return (left: Expr, right: Expr) => expr(NO_IMMEDIATES, left, right);
    case 'ternary':
      return (first: Expr, second: Expr, third: Expr) => expr(NO_IMMEDIATES, first, second, third);
    case 'copy':
    case 'fill':
      return (destination: Expr, source: Expr, byteCount: Expr) =>
        stmt(NO_IMMEDIATES, destination, source, byteCount);
    case 'load':
      return (pointer: Expr, place?: MemoryPlace) => expr(checkPlace(op, row, place), pointer);
    case 'store':
      return (pointer: Expr, value: Expr, place?: MemoryPlace) =>
        stmt(checkPlace(op, row, place), pointer, value);
    case 'loadLane':
      return (pointer: Expr, vector: Expr, lane: number, place?: MemoryPlace) =>
        expr({ ...checkPlace(op, row, place), lane: checkLane(op, row, lane) }, pointer, vector);
    case 'storeLane':
      return (pointer: Expr, vector: Expr, lane: number, place?: MemoryPlace) =>
        stmt({ ...checkPlace(op, row, place), lane: checkLane(op, row, lane) }, pointer, vector);
    case 'extractLane':
      return (vector: Expr, lane: number) =>
        expr({ ...NO_IMMEDIATES, lane: checkLane(op, row, lane) }, vector);
    case 'replaceLane':
      return (vector: Expr, lane: number, value: Expr) =>
        expr({ ...NO_IMMEDIATES, lane: checkLane(op, row, lane) }, vector, value);
    case 'shuffle':
      return (left: Expr, right: Expr, lanes: ArrayLike<number>) =>
        expr({ ...NO_IMMEDIATES, lanes: checkShuffle(op, row, lanes) }, left, right);
  }
}

function checkPlace(op: string, row: OpRow, place: MemoryPlace = {}): Immediates {
  const { offset = 0, align = row.accessBytes, memoryIndex = 0 } = place;
  if (!Number.isInteger(offset) || offset < 0 || offset > MAX_OFFSET_BYTES) {
    throw new Error(`${op}: offset ${offset} is not an integer from 0 to ${MAX_OFFSET_BYTES}`);
  }
  const alignLog2 = Math.log2(align);
  if (!Number.isInteger(alignLog2) || alignLog2 < 0 || align > row.accessBytes) {
    throw new Error(`${op}: align ${align} is not a power of two from 1 to ${row.accessBytes}`);
  }
  return { ...NO_IMMEDIATES, offset, alignLog2, memoryIndex };
}

function checkLane(op: string, row: OpRow, lane: number): number {
  if (!Number.isInteger(lane) || lane < 0 || lane >= row.laneCount) {
    throw new Error(`${op}: lane ${lane} is not an integer from 0 to ${row.laneCount - 1}`);
  }
  return lane;
}

function checkShuffle(op: string, row: OpRow, lanes: ArrayLike<number>): ArrayLike<number> {
  if (lanes.length !== 16) throw new Error(`${op}: ${lanes.length} lanes, expected 16`);
  for (let index = 0; index < 16; index++) checkLane(op, row, lanes[index]);
  return Uint8Array.from(lanes);
}
