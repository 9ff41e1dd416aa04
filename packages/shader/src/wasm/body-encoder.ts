/** Encoder that nodes write to while the body of one function is encoded. */

import type { ByteWriter } from './byte-writer.ts';
import type { Label } from './control.ts';
import type { FunctionSignature } from './value-type.ts';

/** Function of a module, imported or built, that a call can name. */
export interface WasmFunction extends FunctionSignature {
  /** Name in the name section and in error messages. */
  readonly name: string;
}

/** Buffer and context of the code that is being written. */
export class BodyEncoder {
  /** Buffer that receives the code. */
  readonly bytes: ByteWriter;
  /** Function whose body this is. */
  readonly fn: WasmFunction;
  readonly #indexByFunction: ReadonlyMap<WasmFunction, number>;
  /** Open blocks, outermost first; `undefined` for one that no branch can name. */
  readonly #labels: (Label | undefined)[] = [];

  constructor(
    bytes: ByteWriter,
    fn: WasmFunction,
    indexByFunction: ReadonlyMap<WasmFunction, number>,
  ) {
    this.bytes = bytes;
    this.fn = fn;
    this.#indexByFunction = indexByFunction;
  }

  /** Enters a block that branches reach by `label`. */
  pushLabel(label: Label | undefined): void {
    this.#labels.push(label);
  }

  /** Leaves the innermost block. */
  popLabel(): void {
    this.#labels.pop();
  }

  /**
   * Returns the number of blocks between here and the one of `label`: 0 for the innermost.
   *
   * @throws {Error} If no open block has the label.
   */
  labelDepth(op: string, label: Label): number {
    for (let index = this.#labels.length - 1; index >= 0; index--) {
      if (this.#labels[index] === label) return this.#labels.length - 1 - index;
    }
    return this.fail(op, `label ${label.name} is not a label of an enclosing block`);
  }

  /**
   * Returns the index of `callee` in the module.
   *
   * @throws {Error} If it belongs to another module.
   */
  functionIndex(op: string, callee: WasmFunction): number {
    return (
      this.#indexByFunction.get(callee) ??
      this.fail(op, `function ${callee.name} belongs to another module`)
    );
  }

  /** Throws an error that names the function and the operator. */
  fail(op: string, message: string): never {
    throw new Error(`function ${this.fn.name}: ${op}: ${message}`);
  }
}
