/**
 * Builder of the WebAssembly function of one instruction: `(word, scratch)`, both addresses. The
 * function decodes the sources once and then walks over the groups of the warp that have an active
 * lane.
 */
import type { VectorCode } from '../codegen/vector-operators.ts';
import { VECTOR_BYTES } from '../isa/stage-memory.ts';
import {
  brIf,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  ifThen,
  type Local,
  loop,
  type Stmt,
  set,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { ROW_BYTES, ROW_BYTES_LOG2, SCRATCH } from './interpreter-memory.ts';

/** First source part that names a constant; literals follow. Bits 30–31 are the kind. */
export const FIRST_CONSTANT = 1 << 30;
const INDEX_MASK = FIRST_CONSTANT - 1;

/** Pointer that moves from group to group. */
interface Walk {
  readonly pointer: Local;
  readonly stride: Expr;
}

/** Collects the code of one instruction. */
export class InstructionCode implements VectorCode {
  readonly fn: FunctionBuilder;
  readonly word: Local;
  readonly scratch: Local;
  /** `scratch` plus 16 bytes per group; rows of scratch memory are at their offsets from here. */
  readonly row: Local;
  /** Active lanes of the current group. */
  readonly mask: Local;
  readonly #result: Local;
  readonly #walks: Walk[] = [];
  #code: Stmt[] = [];

  /**
   * @param results `i32` for an instruction that returns the next word.
   * @param extraParams Number of parameters (i32) after `word` and `scratch`.
   */
  constructor(
    module: WasmModuleBuilder,
    name: string,
    results: readonly 'i32'[] = [],
    extraParams = 0,
  ) {
    const params = Array.from({ length: 2 + extraParams }, () => 'i32' as const);
    this.fn = module.addFunction(name, { params, results });
    this.word = this.fn.param(0);
    this.scratch = this.fn.param(1);
    this.row = this.fn.local('i32');
    this.mask = this.fn.local('v128');
    this.#result = this.fn.local('i32');
  }

  /** Appends statements. */
  emit(...code: readonly Stmt[]): void {
    this.#code.push(...code);
  }

  readonly keep = (value: Expr): Expr => {
    const local = this.fn.local(value.type);
    this.emit(set(local, value));
    return get(local);
  };

  readonly splat = (bits: number): Expr => v128.const([bits, bits, bits, bits]);

  /** Returns part 0 to 3 of the instruction word. */
  part(index: number): Expr {
    return i32.load(get(this.word), { offset: index * 4 });
  }

  /** Returns a word of the call. */
  callWord(offset: number): Expr {
    return i32.load(get(this.scratch), { offset });
  }

  /** Returns the vector of the current group in a row of scratch memory. */
  rowVector(offset: number): Expr {
    return v128.load(get(this.row), { offset });
  }

  /** Returns a pointer that starts at `address` and moves by `stride` bytes from group to group. */
  walk(address: Expr, stride: Expr): Local {
    const pointer = this.fn.local('i32');
    this.emit(set(pointer, address));
    this.#walks.push({ pointer, stride });
    return pointer;
  }

  /** Decodes the source in part `index`; returns its vector in the current group. */
  source(index: number): Expr {
    const pointer = this.fn.local('i32');
    const stride = this.fn.local('i32');
    const part = this.keep(this.part(index));
    const slot = SCRATCH.sources + (index - 1) * VECTOR_BYTES;
    this.emit(
      ifThen(
        i32.ltU(part, i32.const(FIRST_CONSTANT)),
        [
          set(pointer, i32.add(this.#registers(), i32.shl(part, i32.const(ROW_BYTES_LOG2)))),
          set(stride, i32.const(VECTOR_BYTES)),
        ],
        [
          v128.store(get(this.scratch), v128.load32Splat(bankWord(this.scratch, part)), {
            offset: slot,
          }),
          set(pointer, i32.add(get(this.scratch), i32.const(slot))),
          set(stride, i32.const(0)),
        ],
      ),
    );
    this.#walks.push({ pointer, stride: get(stride) });
    return v128.load(get(pointer));
  }

  /** Decodes the result register, as `write` requires. */
  decodeResult(): void {
    const register = i32.shrU(this.part(0), i32.const(16));
    const row = i32.shl(register, i32.const(ROW_BYTES_LOG2));
    this.emit(set(this.#result, i32.add(this.#registers(), row)));
    this.#walks.push({ pointer: this.#result, stride: i32.const(VECTOR_BYTES) });
  }

  /** Writes `value` to the active lanes of result register `part`. */
  write(value: Expr, part = 0): void {
    const offset = part * ROW_BYTES;
    const merged = this.merged(value, v128.load(get(this.#result), { offset }));
    this.emit(v128.store(get(this.#result), merged, { offset }));
  }

  /** Returns `value` in active lanes and `previous` in the others. */
  merged(value: Expr, previous: Expr): Expr {
    return v128.bitselect(value, previous, get(this.mask));
  }

  /** Runs the code that `emitGroup` emits for each group of the warp with an active lane. */
  overActiveGroups(emitGroup: () => void): void {
    this.overGroups(() => {
      this.emit(set(this.mask, this.rowVector(SCRATCH.active)));
      const group = this.collect(emitGroup);
      this.emit(ifThen(v128.anyTrue(get(this.mask)), group));
    });
  }

  /**
   * Runs the code that `emitGroup` emits for every group of the warp.
   *
   * @param rows Pointers that this loop starts at the vector of the first group.
   */
  overGroups(
    emitGroup: () => void,
    rows: readonly { readonly pointer: Local; readonly address: Expr }[] = [],
  ): void {
    const end = this.keep(i32.add(get(this.scratch), this.callWord(SCRATCH.rowEnd)));
    const body = this.collect(emitGroup);
    const fresh = [{ pointer: this.row, address: get(this.scratch) }, ...rows];
    const stride = i32.const(VECTOR_BYTES);
    const walks = [...this.#walks, ...fresh.map(({ pointer }) => ({ pointer, stride }))];
    this.emit(
      ...fresh.map(({ pointer, address }) => set(pointer, address)),
      loop((again) => [
        ...body,
        ...walks.map(({ pointer, stride }) => set(pointer, i32.add(get(pointer), stride))),
        brIf(again, i32.ltU(get(this.row), end)),
      ]),
    );
  }

  /** Returns the statements that `emitInner` emits. */
  collect(emitInner: () => void): Stmt[] {
    const outer = this.#code;
    const inner: Stmt[] = [];
    this.#code = inner;
    emitInner();
    this.#code = outer;
    return inner;
  }

  /** Emits the collected code as the body of the function. */
  finish(): FunctionBuilder {
    return this.fn.emit(...this.#code);
  }

  #registers(): Expr {
    return i32.add(get(this.scratch), i32.const(SCRATCH.registers));
  }
}

/** Returns the address of the constant or literal that the source `part` names. */
export function bankWord(scratch: Local, part: Expr): Expr {
  // The pointers of the banks are adjacent; bit 31 distinguishes literals from constants.
  const literalOffset = i32.shl(i32.shrU(part, i32.const(31)), i32.const(2));
  const bank = i32.load(i32.add(get(scratch), literalOffset), { offset: SCRATCH.constantsPtr });
  const index = i32.and(part, i32.const(INDEX_MASK));
  return i32.add(bank, i32.shl(index, i32.const(2)));
}
