/**
 * Structured control flow: blocks, loops, branches to labels. Depths of branches are resolved when
 * the function is encoded, so that a body can be built before the blocks around it.
 */

import type { BodyEncoder } from './body-encoder.ts';
import { type Body, checkOperand, type Expr, type Stmt, toStatements } from './expr.ts';
import { i32 } from './operators.ts';
import { VALUE_TYPE_CODES } from './value-type.ts';

const UNREACHABLE = 0x00;
const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const BR = 0x0c;
const BR_IF = 0x0d;
const BR_TABLE = 0x0e;
const DROP = 0x1a;
const SELECT = 0x1b;
const NO_RESULT = 0x40;

/** Target of branches: the end of a block or the start of a loop. Compared by identity. */
export interface Label {
  /** Name for error messages. */
  readonly name: string;
}

/** Statements of a block, or a function that builds them from the block's label. */
export type LabelledBody = Body | ((label: Label) => Body);

/** Creates a label for `block` or `loop`. */
export function createLabel(name: string): Label {
  return { name };
}

/**
 * Returns a block; a branch to its label leaves it.
 *
 * @param label Label of the block, if it is needed before the body is built; see
 *   {@link createLabel}.
 *
 * @example block((done) => [brIf(done, i32.eqz(get(count))), set(count, i32.const(0))]);
 */
export function block(body: LabelledBody, label: Label = createLabel('block')): Stmt {
  return createBlock('block', BLOCK, body, label);
}

/** Returns a loop; a branch to its label repeats it. Without one it runs once. */
export function loop(body: LabelledBody, label: Label = createLabel('loop')): Stmt {
  return createBlock('loop', LOOP, body, label);
}

/**
 * Repeats `body` while `condition`, checked first, is not zero.
 *
 * @param body Body of the loop; a function receives the label that leaves the loop.
 */
export function whileLoop(condition: Expr, body: LabelledBody): Stmt {
  return block((exit) =>
    loop((again) => [
      brIf(exit, i32.eqz(condition)),
      ...toStatements('whileLoop', typeof body === 'function' ? body(exit) : body),
      br(again),
    ]),
  );
}

/** Runs `then` if `condition` (i32) is not zero, else `otherwise`. */
export function ifThen(condition: Expr, then: Body, otherwise: Body = []): Stmt {
  const op = 'if';
  checkOperand(op, 0, condition, 'i32');
  const thenStatements = toStatements(op, then);
  const elseStatements = toStatements(op, otherwise);
  return {
    type: 'none',
    op,
    endsFlow: false,
    encode(body) {
      condition.encode(body);
      body.bytes.writeByte(IF);
      body.bytes.writeByte(NO_RESULT);
      body.pushLabel(undefined);
      writeStatements(body, thenStatements);
      if (elseStatements.length > 0) {
        body.bytes.writeByte(ELSE);
        writeStatements(body, elseStatements);
      }
      body.popLabel();
      body.bytes.writeByte(END);
    },
  };
}

/**
 * Returns `then` or `otherwise`, of one type; only the chosen one is computed. Compare
 * {@link select}.
 */
export function ifValue(condition: Expr, then: Expr, otherwise: Expr): Expr {
  const op = 'if';
  checkOperand(op, 0, condition, 'i32');
  checkOperand(op, 2, otherwise, then.type);
  return {
    type: then.type,
    op,
    encode(body) {
      condition.encode(body);
      body.bytes.writeByte(IF);
      body.bytes.writeByte(VALUE_TYPE_CODES[then.type]);
      body.pushLabel(undefined);
      then.encode(body);
      body.bytes.writeByte(ELSE);
      otherwise.encode(body);
      body.popLabel();
      body.bytes.writeByte(END);
    },
  };
}

/** Jumps to `label`. */
export function br(label: Label): Stmt {
  const op = 'br';
  return {
    type: 'none',
    op,
    endsFlow: true,
    encode(body) {
      body.bytes.writeByte(BR);
      body.bytes.writeU32(body.labelDepth(op, label));
    },
  };
}

/** Jumps to `label` if `condition` (i32) is not zero. */
export function brIf(label: Label, condition: Expr): Stmt {
  const op = 'br_if';
  checkOperand(op, 0, condition, 'i32');
  return {
    type: 'none',
    op,
    endsFlow: false,
    encode(body) {
      condition.encode(body);
      body.bytes.writeByte(BR_IF);
      body.bytes.writeU32(body.labelDepth(op, label));
    },
  };
}

/** Jumps to `labels[index]`, or to `otherwise` if `index` (i32, unsigned) is out of range. */
export function brTable(labels: readonly Label[], otherwise: Label, index: Expr): Stmt {
  const op = 'br_table';
  checkOperand(op, 0, index, 'i32');
  return {
    type: 'none',
    op,
    endsFlow: true,
    encode(body) {
      index.encode(body);
      body.bytes.writeByte(BR_TABLE);
      body.bytes.writeU32(labels.length);
      for (const label of labels) body.bytes.writeU32(body.labelDepth(op, label));
      body.bytes.writeU32(body.labelDepth(op, otherwise));
    },
  };
}

/** Returns `ifTrue` if `condition` (i32) is not zero, else `ifFalse`. Both are computed. */
export function select(ifTrue: Expr, ifFalse: Expr, condition: Expr): Expr {
  const op = 'select';
  checkOperand(op, 1, ifFalse, ifTrue.type);
  checkOperand(op, 2, condition, 'i32');
  return {
    type: ifTrue.type,
    op,
    encode(body) {
      ifTrue.encode(body);
      ifFalse.encode(body);
      condition.encode(body);
      body.bytes.writeByte(SELECT);
    },
  };
}

/** Computes `value` for its side effects. */
export function drop(value: Expr): Stmt {
  return {
    type: 'none',
    op: 'drop',
    endsFlow: false,
    encode(body) {
      value.encode(body);
      body.bytes.writeByte(DROP);
    },
  };
}

/** Returns a statement that traps. */
export function unreachable(): Stmt {
  return {
    type: 'none',
    op: 'unreachable',
    endsFlow: true,
    encode: (body) => body.bytes.writeByte(UNREACHABLE),
  };
}

/** Combines several statements into one. */
export function sequence(body: Body): Stmt {
  const statements = toStatements('sequence', body);
  return {
    type: 'none',
    op: 'sequence',
    endsFlow: statements.some((statement) => statement.endsFlow),
    encode: (encoder) => writeStatements(encoder, statements),
  };
}

/** Returns `value`, computed after the statements of `body`. */
export function valueAfter(body: Body, value: Expr): Expr {
  const statements = toStatements('valueAfter', body);
  return {
    type: value.type,
    op: value.op,
    encode(encoder) {
      writeStatements(encoder, statements);
      value.encode(encoder);
    },
  };
}

/** Appends statements in order. */
export function writeStatements(body: BodyEncoder, statements: readonly Stmt[]): void {
  for (const statement of statements) statement.encode(body);
}

function createBlock(op: string, opcode: number, labelled: LabelledBody, label: Label): Stmt {
  const statements = toStatements(op, typeof labelled === 'function' ? labelled(label) : labelled);
  return {
    type: 'none',
    op,
    endsFlow: false,
    encode(body) {
      body.bytes.writeByte(opcode);
      body.bytes.writeByte(NO_RESULT);
      body.pushLabel(label);
      writeStatements(body, statements);
      body.popLabel();
      body.bytes.writeByte(END);
    },
  };
}
