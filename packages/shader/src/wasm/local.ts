/** Parameters and local variables of a function. */

import type { BodyEncoder, WasmFunction } from './body-encoder.ts';
import { checkOperand, type Expr, type Stmt } from './expr.ts';
import type { ValueType } from './value-type.ts';

/** Parameter or local variable; a local variable starts as zero. */
export interface Local {
  readonly index: number;
  readonly type: ValueType;
  /** Function that it belongs to; no other may use it. */
  readonly owner: WasmFunction;
}

const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;

class GetNode implements Expr {
  readonly type: ValueType;
  readonly op = 'local.get';
  readonly #local: Local;

  constructor(local: Local) {
    this.type = local.type;
    this.#local = local;
  }

  encode(body: BodyEncoder): void {
    writeLocal(body, this.op, LOCAL_GET, this.#local);
  }
}

/** Returns the value of `local` at this point of the code. */
export function get(local: Local): Expr {
  return new GetNode(local);
}

/** Assigns `value` to `local`. */
export function set(local: Local, value: Expr): Stmt {
  const op = 'local.set';
  checkOperand(op, 0, value, local.type);
  return {
    type: 'none',
    op,
    endsFlow: false,
    encode(body) {
      value.encode(body);
      writeLocal(body, op, LOCAL_SET, local);
    },
  };
}

/** Assigns `value` to `local` and returns it. */
export function tee(local: Local, value: Expr): Expr {
  const op = 'local.tee';
  checkOperand(op, 0, value, local.type);
  return {
    type: local.type,
    op,
    encode(body) {
      value.encode(body);
      writeLocal(body, op, LOCAL_TEE, local);
    },
  };
}

/** Appends the assignment of the value on top of the stack, for the results of a call. */
export function writeLocalSet(body: BodyEncoder, op: string, local: Local): void {
  writeLocal(body, op, LOCAL_SET, local);
}

function writeLocal(body: BodyEncoder, op: string, opcode: number, local: Local): void {
  if (local.owner !== body.fn) {
    body.fail(op, `local ${local.index} (${local.type}) belongs to function ${local.owner.name}`);
  }
  body.bytes.writeByte(opcode);
  body.bytes.writeU32(local.index);
}
