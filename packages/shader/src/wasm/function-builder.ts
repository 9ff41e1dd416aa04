/** Function of a module: its signature, its locals, its body. */

import { BodyEncoder, type WasmFunction } from './body-encoder.ts';
import type { ByteWriter } from './byte-writer.ts';
import { writeStatements } from './control.ts';
import { type Body, type Stmt, toStatements } from './expr.ts';
import type { Local } from './local.ts';
import { type FunctionSignature, VALUE_TYPE_CODES, type ValueType } from './value-type.ts';

const END = 0x0b;

/** Collects the body of a function. Calls may name it before the body is complete. */
export class FunctionBuilder implements WasmFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  #exportName: string | undefined;
  readonly #localTypes: ValueType[] = [];
  readonly #statements: Stmt[] = [];

  /** Called by `WasmModuleBuilder.addFunction` only. */
  constructor(name: string, signature: FunctionSignature) {
    this.name = name;
    this.params = [...signature.params];
    this.results = [...signature.results];
  }

  /** Name under which the module exports the function, or `undefined`. */
  get exportName(): string | undefined {
    return this.#exportName;
  }

  /** Exports the function under `exportName`. */
  export(exportName: string = this.name): this {
    this.#exportName = exportName;
    return this;
  }

  /** Returns the parameter at `index`, from 0. */
  param(index: number): Local {
    const type = this.params[index];
    if (type === undefined) {
      throw new Error(
        `function ${this.name}: parameter ${index} does not exist; the number of parameters is ${this.params.length}`,
      );
    }
    return { index, type, owner: this };
  }

  /** Declares a local variable; it starts as zero. */
  local(type: ValueType): Local {
    if (!(type in VALUE_TYPE_CODES)) {
      throw new Error(`function ${this.name}: ${type} is not a value type`);
    }
    const index = this.params.length + this.#localTypes.length;
    this.#localTypes.push(type);
    return { index, type, owner: this };
  }

  /**
   * Appends statements to the body.
   *
   * @param body Statements, or functions that build them. An error inside such a function is
   *   wrapped in one that names this function.
   */
  emit(...body: readonly (Stmt | ((fn: FunctionBuilder) => Body))[]): this {
    for (const part of body) {
      const statements = typeof part === 'function' ? this.#build(part) : part;
      this.#statements.push(...toStatements(`function ${this.name}`, statements));
    }
    return this;
  }

  /**
   * Appends the function's entry in the code section.
   *
   * @throws {Error} If the body violates a rule of the whole function: a label without a block, a
   *   foreign local, a wrong `ret`, or a missing `ret` in a function with results.
   */
  encode(bytes: ByteWriter, indexByFunction: ReadonlyMap<WasmFunction, number>): void {
    const body = new BodyEncoder(bytes, this, indexByFunction);
    if (this.results.length > 0 && !this.#statements.some((statement) => statement.endsFlow)) {
      body.fail('end', `results (${this.results.join(', ')}) missing: end with ret or unreachable`);
    }
    bytes.writeSized(() => {
      this.#writeLocals(bytes);
      writeStatements(body, this.#statements);
      bytes.writeByte(END);
    });
  }

  #build(part: (fn: FunctionBuilder) => Body): Body {
    try {
      return part(this);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`function ${this.name}: ${message}`, { cause });
    }
  }

  /** Appends the declarations of the locals, in runs of one type. */
  #writeLocals(bytes: ByteWriter): void {
    const types = this.#localTypes;
    const runEnds = types
      .map((_, index) => index + 1)
      .filter((end) => types[end] !== types[end - 1]);
    bytes.writeU32(runEnds.length);
    let runStart = 0;
    for (const runEnd of runEnds) {
      bytes.writeU32(runEnd - runStart);
      bytes.writeByte(VALUE_TYPE_CODES[types[runStart]]);
      runStart = runEnd;
    }
  }
}
