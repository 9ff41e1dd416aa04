/** Calls and returns. */

import type { BodyEncoder, WasmFunction } from './body-encoder.ts';
import { checkOperand, checkOperands, type Expr, type Stmt } from './expr.ts';
import { type Local, writeLocalSet } from './local.ts';

const RETURN = 0x0f;
const CALL = 0x10;
const DROP = 0x1a;

/** Calls a function that has exactly one result. */
export function call(fn: WasmFunction, args: readonly Expr[]): Expr {
  const op = `call ${fn.name}`;
  checkOperands(op, args, fn.params);
  if (fn.results.length !== 1) {
    throw new Error(`${op}: ${fn.results.length} results, expected 1; use callMulti`);
  }
  return { type: fn.results[0], op, encode: (body) => writeCall(body, op, fn, args) };
}

/**
 * Calls a function and assigns its results, if any, to locals.
 *
 * @param results One local per result; `undefined` drops the result.
 */
export function callMulti(
  fn: WasmFunction,
  args: readonly Expr[],
  results: readonly (Local | undefined)[] = [],
): Stmt {
  const op = `call ${fn.name}`;
  checkOperands(op, args, fn.params);
  if (results.length !== fn.results.length) {
    throw new Error(`${op}: ${results.length} result locals, expected ${fn.results.length}`);
  }
  results.forEach((local, index) => {
    if (local !== undefined && local.type !== fn.results[index]) {
      throw new Error(`${op}: result ${index + 1} is ${fn.results[index]}, local is ${local.type}`);
    }
  });
  return {
    type: 'none',
    op,
    endsFlow: false,
    encode(body) {
      writeCall(body, op, fn, args);
      // The last result is on top of the stack.
      for (let index = results.length - 1; index >= 0; index--) {
        const local = results[index];
        if (local === undefined) body.bytes.writeByte(DROP);
        else writeLocalSet(body, op, local);
      }
    },
  };
}

/** Returns from the function with `values`, one per result. `encode` checks their types. */
export function ret(...values: readonly Expr[]): Stmt {
  const op = 'return';
  return {
    type: 'none',
    op,
    endsFlow: true,
    encode(body) {
      const { results } = body.fn;
      if (values.length !== results.length) {
        body.fail(
          op,
          `${values.length} values, expected ${results.length} (${results.join(', ')})`,
        );
      }
      values.forEach((value, index) => {
        checkOperand(`function ${body.fn.name}: ${op}`, index, value, results[index]);
        value.encode(body);
      });
      body.bytes.writeByte(RETURN);
    },
  };
}

function writeCall(body: BodyEncoder, op: string, fn: WasmFunction, args: readonly Expr[]): void {
  for (const arg of args) arg.encode(body);
  body.bytes.writeByte(CALL);
  body.bytes.writeU32(body.functionIndex(op, fn));
}
