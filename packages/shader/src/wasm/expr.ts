/**
 * Expression trees. Every operator is a function from nodes to a node. A node knows its type
 * immediately and writes its code later, operands first.
 *
 * A node has no identity in the code: a node that is used in two places is computed twice. A
 * constant or a `get` may be shared freely. An expensive value should be kept in a local.
 *
 * Nodes encode by recursion. A tree may be about 5,000 operators deep, and a body may be
 * arbitrarily long.
 */

import type { BodyEncoder } from './body-encoder.ts';
import type { ValueType } from './value-type.ts';

/** Node that produces one value. */
export interface Expr {
  readonly type: ValueType;
  /** Operator that created it, such as `f32x4.add`; used in errors. */
  readonly op: string;
  /** Appends the code of the node, its operands first. */
  encode(body: BodyEncoder): void;
}

/** Node that produces no value: the element of a body. */
export interface Stmt {
  readonly type: 'none';
  /** Operator that created it, such as `i32.store`; used in errors. */
  readonly op: string;
  /** Whether control never reaches the next statement, as after `ret`. */
  readonly endsFlow: boolean;
  /** Appends the code of the node. */
  encode(body: BodyEncoder): void;
}

/** One statement or several in order. */
export type Body = Stmt | readonly Stmt[];

/**
 * Checks operand `index` (from 0) of operator `op`.
 *
 * @throws {Error} If it is missing or its type differs from `wanted`. The message names the
 *   operator, the operand, both types and the operator that created the operand.
 */
export function checkOperand(
  op: string,
  index: number,
  operand: Expr | undefined,
  wanted: ValueType,
): void {
  if (operand?.type === wanted) return;
  throw new Error(`${op}: operand ${index + 1} is ${describe(operand)}, expected ${wanted}`);
}

/**
 * Checks number and types of a list of operands, such as the arguments of a call.
 *
 * @throws {Error} As {@link checkOperand}, or if the number differs.
 */
export function checkOperands(
  op: string,
  operands: readonly Expr[],
  wanted: readonly ValueType[],
): void {
  if (operands.length !== wanted.length) {
    throw new Error(
      `${op}: ${operands.length} operands, expected ${wanted.length} (${wanted.join(', ')})`,
    );
  }
  for (let index = 0; index < operands.length; index++) {
    checkOperand(op, index, operands[index], wanted[index]);
  }
}

/**
 * Returns `body` as a list of statements.
 *
 * @throws {Error} If an element produces a value and therefore needs `drop`.
 */
export function toStatements(op: string, body: Body): readonly Stmt[] {
  const statements: readonly Stmt[] = 'encode' in body ? [body] : body;
  for (let index = 0; index < statements.length; index++) {
    const statement: Expr | Stmt | undefined = statements[index];
    if (statement?.type === 'none') continue;
    const found = describe(statement);
    throw new Error(`${op}: statement ${index + 1} is ${found}, expected a statement (drop it?)`);
  }
  return statements;
}

function describe(node: Expr | Stmt | undefined): string {
  return node === undefined ? 'missing' : `${node.type} (from ${node.op})`;
}
